#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <fstream>
#include <iterator>

#include <actio/expr/kernel.hpp>
#include <actio/expr/remarks.hpp>

#include <folder.hpp>
#include "support.hpp"

using namespace actio::expr;
using namespace actio::expr::test;
namespace fs = std::filesystem;

namespace {

// A cache, and a compiler that notes each call before it does what cc does.
class Cache : public ::testing::Test {
 protected:
  Cache() {
    script("cc \"$@\"");
    graph_value = parsed(graph, "x^2 + 1");
  }
  void script(const std::string& last_line) {
    std::ofstream(compiler) << "#!/bin/sh\necho call >> '" << calls_file.string() << "'\n" << last_line << "\n";
    fs::permissions(compiler, fs::perms::owner_all);
  }
  long calls() const {
    std::ifstream in(calls_file);
    return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
  }
  Module build() const {
    const KernelSource source{"f", &graph, {graph_value}, false, 1, 1};
    return Module::build(std::span(&source, 1), {.compiler = compiler.string(), .cache = cache});
  }
  static double value(const Module& module) {
    const double u[] = {0}, x[] = {3};
    double y = 0;
    module.single(0)(u, x, nullptr, &y);
    return y;
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    if (fs::exists(cache))
      for (const auto& entry : fs::directory_iterator(cache)) all.push_back(entry.path());
    return all;
  }
  void expect_compiled_with(long calls_so_far) const {
    const Module module = build();
    EXPECT_TRUE(module.compiled()) << module.why_interpreted();
    EXPECT_EQ(value(module), 10);
    EXPECT_EQ(calls(), calls_so_far);
    EXPECT_EQ(files().size(), 1U);
  }
  void expect_interpreted_because(const std::string& reason) const {
    const Module module = build();
    EXPECT_FALSE(module.compiled());
    EXPECT_EQ(value(module), 10);
    EXPECT_NE(module.why_interpreted().find(reason), std::string::npos) << module.why_interpreted();
  }

  actio::test::TemporaryFolder directory;
  fs::path cache = directory.path / "cache", compiler = directory.path / "my cc", calls_file = directory.path / "calls";
  Graph graph;
  Id graph_value = -1;
};

}  // namespace

TEST_F(Cache, compiles_once) {
  expect_compiled_with(1);
  expect_compiled_with(1);
}

TEST_F(Cache, compiles_again_when_the_text_or_the_compiler_changes) {
  expect_compiled_with(1);
  script("exec cc \"$@\"");
  EXPECT_TRUE(build().compiled());
  EXPECT_EQ(calls(), 2);
  graph_value = parsed(graph, "x^2 + 2");
  EXPECT_EQ(value(build()), 11);
  EXPECT_EQ(calls(), 3);
}

TEST_F(Cache, a_damaged_or_cut_file_is_made_anew) {
  expect_compiled_with(1);
  const fs::path file = files().at(0);
  const auto size = static_cast<std::streamoff>(fs::file_size(file));
  {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(size / 2);
    out.put('!');
  }
  expect_compiled_with(2);
  fs::resize_file(file, static_cast<std::uintmax_t>(size / 2));
  expect_compiled_with(3);
  fs::resize_file(file, 0);
  expect_compiled_with(4);
  fs::resize_file(file, 0);
  fs::resize_file(file, static_cast<std::uintmax_t>(size));  // all zeros
  expect_compiled_with(5);
  expect_compiled_with(5);
}

TEST_F(Cache, a_file_of_another_key_is_not_loaded) {
  expect_compiled_with(1);
  const fs::path first = files().at(0);
  graph_value = parsed(graph, "x^2 + 2");
  EXPECT_EQ(value(build()), 11);
  for (const fs::path& file : files())
    if (file != first) fs::copy_file(first, file, fs::copy_options::overwrite_existing);
  EXPECT_EQ(value(build()), 11);
  EXPECT_EQ(calls(), 3);
}

TEST_F(Cache, processes_that_start_at_once_all_get_a_whole_file) {
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      char byte = 0;
      close(gate[1]);
      if (read(gate[0], &byte, 1) != 0) _exit(2);  // released by the end of the pipe
      const Module module = build();
      _exit(module.compiled() && value(module) == 10 ? 0 : 1);
    }
    children.push_back(child);
  }
  close(gate[0]);
  close(gate[1]);
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_GE(calls(), 1);
  expect_compiled_with(calls());
}

TEST_F(Cache, that_cannot_be_written_is_done_without) {
  std::ofstream(cache) << "a file where the directory should be";
  const Module module = build();
  EXPECT_TRUE(module.compiled()) << module.why_interpreted();
  EXPECT_EQ(value(module), 10);
  EXPECT_EQ(calls(), 1);
}

TEST_F(Cache, leaves_nothing_behind_when_the_compiler_fails) {
  script("echo 'kernels.c:1: it does not please me' >&2; exit 3");
  expect_interpreted_because("failed with exit code 3");
  expect_interpreted_because("it does not please me");
  EXPECT_EQ(files().size(), 0U);
}

TEST_F(Cache, a_compiler_that_writes_nothing_or_nonsense_is_not_trusted) {
  script("exit 0");
  expect_interpreted_because("left no library");
  script("while [ \"$1\" != -o ]; do shift; done; echo nonsense > \"$2\"");
  expect_interpreted_because("");
}

TEST_F(Cache, a_compiler_that_says_very_much_does_not_block) {
  script("i=0; while [ $i -lt 20000 ]; do echo 'error: one of very many lines' >&2; i=$((i+1)); done; exit 1");
  expect_interpreted_because("one of very many lines");
  EXPECT_LT(build().why_interpreted().size(), 1000U);
}

TEST_F(Cache, without_a_compiler_the_graph_is_interpreted) {
  compiler = "none";
  expect_interpreted_because("selects no compiler");
  compiler = "no-such-compiler";
  expect_interpreted_because("compiler 'no-such-compiler' not found");
  compiler = directory.path;
  expect_interpreted_because("not found");
}

TEST_F(Cache, takes_compiler_and_place_from_the_environment) {
  setenv("ACTIO_CC", compiler.c_str(), 1);
  setenv("ACTIO_CACHE", cache.c_str(), 1);
  const KernelSource source{"f", &graph, {graph_value}, false, 1, 1};
  const Module module = Module::build(std::span(&source, 1));
  unsetenv("ACTIO_CC");
  unsetenv("ACTIO_CACHE");
  EXPECT_TRUE(module.compiled());
  EXPECT_EQ(calls(), 1);
  EXPECT_EQ(files().size(), 1U);
}

// Whoever can write where kernels are kept runs code as whoever loads them.
TEST_F(Cache, that_others_can_write_is_not_used) {
  expect_compiled_with(1);
  const fs::path file = files().at(0);
  const auto others_write = fs::perms::group_write | fs::perms::others_write;
  for (const fs::path& open : {cache, file}) {
    fs::permissions(open, others_write, fs::perm_options::add);
    const long before = calls();
    const Module module = build();
    EXPECT_TRUE(module.compiled()) << module.why_interpreted();
    EXPECT_EQ(value(module), 10);
    EXPECT_EQ(calls(), before + 1) << open;
    fs::permissions(open, others_write, fs::perm_options::remove);
  }
  ASSERT_FALSE(remarks().empty());
  EXPECT_EQ(calls(), 3);
  expect_compiled_with(3);  // the file was made anew
}

TEST_F(Cache, of_another_user_is_not_used) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  expect_compiled_with(1);
  const fs::path file = files().at(0);
  ASSERT_EQ(chown(file.c_str(), 12345, 12345), 0);
  expect_compiled_with(2);  // with a file of our own
  ASSERT_EQ(chown(cache.c_str(), 12345, 12345), 0);
  EXPECT_TRUE(build().compiled());
  EXPECT_TRUE(build().compiled());
  EXPECT_EQ(calls(), 4);  // nothing is kept there
}

TEST_F(Cache, a_link_or_a_pipe_or_a_folder_of_the_right_name_is_not_loaded) {
  expect_compiled_with(1);
  const fs::path file = files().at(0), elsewhere = directory.path / "elsewhere.so";
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  expect_compiled_with(2);
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  expect_compiled_with(3);  // and does not wait for the pipe's other end
  EXPECT_TRUE(fs::is_regular_file(file));
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_EQ(value(build()), 10);
}

TEST_F(Cache, is_closed_to_others_whatever_the_umask) {
  cache = directory.path / "one" / "two" / "three";
  const mode_t before = umask(0);
  expect_compiled_with(1);
  umask(before);
  const auto mode = [](const fs::path& path) { return fs::status(path).permissions() & fs::perms::mask; };
  for (const fs::path& folder : {cache, cache.parent_path(), cache.parent_path().parent_path()})
    EXPECT_EQ(mode(folder), fs::perms::owner_all) << folder;
  EXPECT_EQ(mode(files().at(0)), fs::perms::owner_read | fs::perms::owner_write);
  expect_compiled_with(1);
}

// The loader knows a library by the name it was loaded by, and numbers of descriptors are used again.
TEST_F(Cache, modules_that_live_together_are_not_confused) {
  std::vector<Module> alive;
  for (int round = 0; round < 3; ++round)
    for (int k = 1; k < 6; ++k) {
      graph_value = parsed(graph, "x^2 + " + std::to_string(k));
      const Module module = build();
      EXPECT_TRUE(module.compiled());
      EXPECT_EQ(value(module), 9 + k);
      if ((round + k) % 2 == 0) alive.push_back(module);
    }
  EXPECT_EQ(calls(), 5);
}

TEST_F(Cache, a_compiler_that_takes_too_long_is_ended_with_all_it_started) {
  setenv("ACTIO_CC_SECONDS", "1", 1);
  const fs::path started = directory.path / "started";
  (void)remarks();
  // A process that computes, in one that waits for it.
  script("sh -c 'echo $$ > \"" + started.string() + "\"; while :; do :; done'");
  expect_interpreted_because("was not done after 1 s of processor time");
  EXPECT_EQ(calls(), 1);
  expect_interpreted_because("was not done after 1 s of processor time");
  EXPECT_EQ(calls(), 1);  // it is not asked again
  ASSERT_EQ(remarks().size(), 1U);
  pid_t child = 0;
  std::ifstream(started) >> child;
  ASSERT_GT(child, 0);
  EXPECT_NE(kill(child, 0), 0);
  // One that waits for nothing.
  setenv("ACTIO_CC_SECONDS", "0.2", 1);
  script("sleep 1000 & echo $! > '" + started.string() + "'; wait");
  expect_interpreted_because("was not done after 2 s");
  unsetenv("ACTIO_CC_SECONDS");
  std::ifstream(started) >> child;
  for (int k = 0; k < 1000 && kill(child, 0) == 0; ++k) usleep(10000);  // until its parent's parent has seen it
  EXPECT_NE(kill(child, 0), 0);
}

// Text for which it cannot be done in time is not given to it.
TEST_F(Cache, a_compiler_is_not_asked_for_what_takes_it_too_long) {
  setenv("ACTIO_CC_SECONDS", "1", 1);
  (void)remarks();
  const Id x = parsed(graph, "x"), from = graph.sub(x, graph.constant(3));
  graph_value = x;
  for (int k = 1; k < 12000; ++k)
    graph_value = graph.mul(graph_value, graph.add(graph.constant(1), graph.mul(graph.constant(k), from)));
  const Module module = build();
  EXPECT_FALSE(module.compiled());
  EXPECT_EQ(calls(), 0);
  EXPECT_EQ(value(module), 3);
  const auto said = remarks();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("million characters of C take compiler"), std::string::npos) << said[0];
  setenv("ACTIO_CC_SECONDS", "1000", 1);
  script("exit 1");
  (void)build();
  EXPECT_EQ(calls(), 1);  // it is, where there is time
  unsetenv("ACTIO_CC_SECONDS");
}
