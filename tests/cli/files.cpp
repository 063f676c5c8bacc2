#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cli/program.hpp>
#include <run/json.hpp>

// What a run must not do to files, to other runs and to a terminal.
namespace {

using test::Folder;
using test::Result;
using test::fs::path;

const char* const long_run = R"toml(
title = "files"
[system]
coordinates = ["x"]
mass = 1.0
potential = "0.5*x^2"
[initial]
position = [1]
velocity = [0]
[method]
name = "verlet"
[run]
step = 0.01
steps = 20000
)toml";

// The program in the background.
class Started {
 public:
  Started(const Folder& here, std::vector<std::string> words, const std::string& err = "")
      : out_((here / "started.out").string()), err_(err.empty() ? (here / "started.err").string() : err) {
    words.insert(words.begin(), test::program());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    child_ = fork();
    if (child_ != 0) return;
    (void)dup2(open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 1);
    (void)dup2(open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 2);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  Started(const Started&) = delete;
  ~Started() {
    if (child_ > 0) (void)end(SIGKILL);
  }
  bool runs() {
    int status = 0;
    if (child_ > 0 && waitpid(child_, &status, WNOHANG) == child_) child_ = -1;
    return child_ > 0;
  }
  Result end(int signal) {
    int status = 0;
    kill(child_, signal);
    waitpid(child_, &status, 0);
    child_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::read(out_), err_.starts_with("/dev") ? "" : test::read(err_)};
  }

 private:
  std::string out_, err_;
  pid_t child_ = -1;
};

bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

bool appears(const path& file) {
  for (int k = 0; k < 3000 && !test::fs::exists(file); ++k) usleep(10000);
  return test::fs::exists(file);
}

}  // namespace

TEST(Files, a_full_disk_ends_a_run_with_the_rows_that_had_room) {
  const Folder here;
  const std::string file = here.write("problem.toml", long_run);
  for (const char* name : {"out.csv", "out.h5"}) {
    const std::string out = (here / name).string();
    const Result r = here.run("run " + file + " --kernels interpret -o " + out, "ulimit -f 1000;");  // of 512 bytes
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_TRUE(says(r.err, "cannot write") && says(r.err, "File too large")) << r.err;
    EXPECT_TRUE(says(r.err, "the rows until t = ") && says(r.err, "are in \"" + out + "\"")) << r.err;
    EXPECT_FALSE(says(r.err, "the results until then")) << r.err;
    EXPECT_LE(test::fs::file_size(out), 512000U);
    EXPECT_GT(test::fs::file_size(out), 250000U);
  }
  EXPECT_TRUE(test::read(here / "out.csv").ends_with("\n"));
  const hid_t whole = H5Fopen((here / "out.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(whole, 0);
  const hid_t t = H5Dopen2(whole, "t", H5P_DEFAULT), space = H5Dget_space(t);
  EXPECT_GT(H5Sget_simple_extent_npoints(space), 4000);
  EXPECT_GT(H5Aexists(whole, "certificate"), 0);
  H5Sclose(space);
  H5Dclose(t);
  H5Fclose(whole);
}

TEST(Files, that_a_run_reads_are_not_written) {
  const Folder here;
  std::string text = long_run;
  text.insert(text.find("[initial]"),
              "[system.signals]\na = { csv = \"record.csv\", time = \"t\", value = \"a\" }\n[system.force]\nx = \"a\"\n");
  text.replace(text.find("mass = 1.0"), 10, "mass = \"mass.mtx\"");
  const std::string record = "t,a\n0,0\n1,1\n2,0\n", mass = "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 1.0\n";
  here.write("record.csv", record);
  here.write("mass.mtx", mass);
  test::fs::create_hard_link(here / "mass.mtx", here / "mass.h5");
  const std::string file = here.write("problem.csv", text);
  test::fs::create_hard_link(here / "record.csv", here / "hard.csv");
  test::fs::create_symlink("record.csv", here / "soft.csv");
  test::fs::create_directory(here / "folder");
  test::fs::create_directory_symlink(here / "folder", here / "other");
  test::fs::create_hard_link(here / "record.csv", here / "list.h5.rows");
  ASSERT_EQ(here.run("run " + file + " -o " + (here / "free.csv").string()).code, 0) << test::read(here / "err");
  for (const char* command : {"run ", "compare -m verlet,midpoint "})
    for (const char* name : {"record.csv", "hard.csv", "soft.csv", "folder/../record.csv", "other/../record.csv", "problem.csv",
                             "mass.h5", "list.h5"}) {
      if (command[0] == 'c' && !std::string(name).ends_with(".csv")) continue;
      const Result r = here.run(command + file + " -o " + (here / name).string());
      EXPECT_EQ(r.code, 2) << name;
      EXPECT_TRUE(says(r.err, "cannot write \"" + (here / name).string() + "\"") && says(r.err, "the run reads")) << r.err;
      EXPECT_EQ(test::read(here / "record.csv"), record) << name;
      EXPECT_EQ(test::read(here / "mass.h5"), mass) << name;
      EXPECT_EQ(test::read(file), text) << name;
    }
  const Result own = here.run("run " + file + " -o " + (here / "own.csv").string() +
                              " --checkpoint every=10,file=" + (here / "own.csv").string());
  EXPECT_EQ(own.code, 2);
  EXPECT_TRUE(says(own.err, "it is the run's checkpoint")) << own.err;
  EXPECT_FALSE(test::fs::exists(here / "own.csv"));
}

TEST(Files, a_frame_that_is_the_mesh_of_a_run_is_not_written) {
  const Folder here;
  std::string text = test::read("examples/cantilever.toml");
  const std::size_t at = text.find("mesh = \""), end = text.find('"', at + 8);
  ASSERT_NE(at, std::string::npos);
  const std::string mesh = test::read(path("examples") / text.substr(at + 8, end - at - 8));
  text.replace(at, end - at, "mesh = \"beam/beam_000003.vtu");
  test::fs::create_directory(here / "beam");
  here.write("beam/beam_000003.vtu", mesh);
  const std::string file = here.write("problem.toml", text);
  const Result r = here.run("run " + file + " run.end=0.02 -o " + (here / "beam.pvd").string());
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(says(r.err, "and with it \"" + (here / "beam/beam_000003.vtu").string() + "\": the run reads it")) << r.err;
  EXPECT_TRUE(test::read(here / "beam/beam_000003.vtu") == mesh);
  EXPECT_FALSE(test::fs::exists(here / "beam.pvd"));
}

TEST(Files, without_an_end_are_refused) {
  if (!test::fs::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero";
  const Folder here;
  const auto refused = [&](const std::string& change, const std::string& by, const std::string& expected) {
    std::string text = long_run;
    text.replace(text.find(change), change.size(), by);
    const auto start = std::chrono::steady_clock::now();
    // A gigabyte is enough to refuse them.
    const Result r = here.run("check --kernels interpret " + here.write("problem.toml", text), "ulimit -v 1500000;");
    EXPECT_EQ(r.code, 2) << r.err;
    EXPECT_TRUE(says(r.err, expected)) << r.err;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  };
  if (!ACTIO_TEST_SHORT) {
    refused("[initial]", "[system.signals]\na = { csv = \"/dev/zero\", time = \"t\", value = \"a\" }\n[initial]",
            "/dev/zero: error: is not text: byte 0 is zero");
    test::fs::create_symlink("/dev/zero", here / "zero.mtx");
    refused("mass = 1.0", "mass = \"zero.mtx\"", "is not text");
  }
  std::string solid = test::read("examples/cantilever.toml");
  const std::size_t mesh = solid.find("mesh = \""), mesh_end = solid.find('"', mesh + 8);
  solid.replace(mesh, mesh_end - mesh, "mesh = \"/dev/zero");
  const Result meshed = here.run("check --kernels interpret " + here.write("solid.toml", solid));
  EXPECT_EQ(meshed.code, 2);
  EXPECT_TRUE(says(meshed.err, "/dev/zero: error: more than 256 MiB, and this is not a regular file")) << meshed.err;
  const Result r = here.run("check /dev/zero");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(says(r.err, "/dev/zero: error: is not text")) << r.err;
  // A pipe that goes on for ever, of lines.
  std::string text = long_run;
  text.insert(text.find("[initial]"), "[system.signals]\na = { csv = \"pipe\", time = \"t\", value = \"a\" }\n");
  here.write("problem.toml", text);
  ASSERT_EQ(mkfifo((here / "pipe").c_str(), 0600), 0);
  const Result endless = here.run("check --kernels interpret " + (here / "problem.toml").string(),
                                  fmt::format("yes 1,2 2>/dev/null >'{}' &", (here / "pipe").string()));
  EXPECT_EQ(endless.code, 2);
  EXPECT_TRUE(says(endless.err, "more than 256 MiB, and this is not a regular file")) << endless.err;
}

TEST(Files, a_checkpoint_is_of_one_run_at_a_time) {
  const Folder here;
  const std::string file = here.write("problem.toml", std::string(long_run) + "every = 100000\n"),
                    saved = (here / "saved").string(), out = (here / "out.csv").string();
  const std::vector<std::string> first{"run", file,           "run.steps=2000000000",      "--kernels", "interpret", "-o",
                                       out,   "--checkpoint", "seconds=0.05,file=" + saved};
  {
    Started run(here, first);
    if (!appears(saved)) GTEST_SKIP() << "no checkpoint in half a minute";
    for (const std::string& words : {"resume " + saved, "run " + file + " --checkpoint every=10,file=" + saved}) {
      const Result r = here.run(words, "timeout 30");
      EXPECT_EQ(r.code, 2) << words;
      EXPECT_TRUE(says(r.err, "another run writes the checkpoint " + saved)) << r.err;
    }
    EXPECT_TRUE(run.runs());
    (void)run.end(SIGKILL);
  }
  Started again(here, {"resume", saved});
  usleep(300000);
  ASSERT_TRUE(again.runs()) << test::read(here / "started.err");
  const std::string before = test::read(out);
  const Result r = here.run("resume " + saved, "timeout 30");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(says(r.err, "another run writes the checkpoint " + saved)) << r.err;
  EXPECT_TRUE(test::read(out).starts_with(before.substr(0, before.rfind('\n') + 1)));
  EXPECT_TRUE(again.runs());
  const Result ended = again.end(SIGINT);
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(says(ended.err, "actio resume " + saved)) << ended.err;
  EXPECT_FALSE(test::fs::exists(saved + ".new"));
  // Nor are there two that are about to begin one.
  Started early(here, {"run", file, "run.steps=2000000000", "--kernels", "interpret", "--checkpoint",
                       "seconds=1000,file=" + (here / "early").string()});
  ASSERT_TRUE(appears(here / "early.new"));
  usleep(300000);
  const Result late = here.run("run " + file + " --checkpoint every=10,file=" + (here / "early").string(), "timeout 30");
  EXPECT_EQ(late.code, 2);
  EXPECT_TRUE(says(late.err, "another run writes the checkpoint")) << late.err;
  EXPECT_TRUE(early.runs());
}

TEST(Files, a_hangup_ends_a_run_with_its_certificate) {
  const Folder here;
  const std::string file = here.write("problem.toml", std::string(long_run) + "every = 1000\n"),
                    out = (here / "out.csv").string();
  for (const int signal : {SIGHUP, SIGTERM}) {
    Started run(here, {"run", file, "run.steps=2000000000", "--kernels", "interpret", "--json", "-o", out});
    for (int k = 0; k < 3000 && (!test::fs::exists(out) || test::fs::file_size(out) == 0); ++k) usleep(10000);
    ASSERT_TRUE(run.runs());
    const Result r = run.end(signal);
    EXPECT_EQ(r.code, 1) << strsignal(signal);
    EXPECT_TRUE(says(r.err, "interrupted at step")) << r.err;
    EXPECT_EQ(test::Json::parse(r.out)["title"].text(), "files");
    EXPECT_TRUE(test::read(out).ends_with("\n"));
    test::fs::remove(out);
  }
  // The terminal is gone too, and with it the line of progress.
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0) {
    Started seen(here, {"run", file, "run.steps=2000000000", "--kernels", "interpret", "--json", "-o", out}, ptsname(terminal));
    char shown = 0;
    EXPECT_EQ(read(terminal, &shown, 1), 1);
    close(terminal);
    usleep(500000);
    EXPECT_TRUE(seen.runs());
    const Result r = seen.end(SIGHUP);
    EXPECT_EQ(r.code, 1);
    EXPECT_EQ(test::Json::parse(r.out)["title"].text(), "files");
    test::fs::remove(out);
  }
  // One that is ignored, as nohup has it, stays so.
  std::signal(SIGHUP, SIG_IGN);
  Started run(here, {"run", file, "run.steps=2000000000", "--kernels", "interpret", "-o", out});
  std::signal(SIGHUP, SIG_DFL);
  for (int k = 0; k < 3000 && (!test::fs::exists(out) || test::fs::file_size(out) == 0); ++k) usleep(10000);
  usleep(100000);
  EXPECT_TRUE(run.runs());
}

TEST(Files, a_compiler_that_takes_too_long_is_said_to_have) {
  const Folder here;
  here.write("cc", "#!/bin/sh\necho call >> '" + (here / "calls").string() + "'\nwhile :; do :; done\n");
  test::fs::permissions(here / "cc", test::fs::perms::owner_all);
  const std::string file = here.write("problem.toml", long_run),
                    before = fmt::format("ACTIO_CC_SECONDS=1 ACTIO_CC='{}' ACTIO_CACHE='{}'", (here / "cc").string(),
                                         (here / "cache").string());
  const Result r = here.run("run " + file, before);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(says(r.err, "energies are interpreted: compiler") && says(r.err, "was not done after 1 s of processor time"))
      << r.err;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_EQ(test::read(here / "calls"), "call\ncall\n");  // side by side: of kernels, and of steps
  EXPECT_EQ(here.run("run -q " + file, before).err, "");
}

TEST(Files, names_of_a_problem_are_shown_and_not_sent_to_the_terminal) {
  const Folder here;
  std::string text = long_run;
  text.replace(text.find("\"files\""), 7, R"("a\u001b[31mb\u009bc\u007f\nkept: all\u202Ed é")");
  text.replace(text.find("mass = 1.0"), 10, "mass = 1.0\nparameters = { \"k\\u001b]0;x\\u0007\" = 1 }");
  const auto sound = [](const std::string& printed) {
    return std::none_of(printed.begin(), printed.end(), [](char c) { return (c >= 0 && c < 32 && c != '\n') || c == 127; }) &&
           !says(printed, "\u009b") && !says(printed, "\u202e");
  };
  const Result wrong = here.run("run " + here.write("wrong.toml", text));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(sound(wrong.err)) << wrong.err;
  EXPECT_TRUE(says(wrong.err, "\\x1b]0;x\\x07")) << wrong.err;
  text.erase(text.find("parameters"), text.find('\n', text.find("parameters")) - text.find("parameters"));
  const std::string file = here.write("problem.toml", text + "[[symmetry]]\nname = \"e\\u001b[2J\"\ngenerator = { x = \"1\" }\n");
  const std::string shown = "a\\x1b[31mb\\x9bc\\x7f\\nkept: all\\u202ed é";
  for (const std::string words : {"run ", "check ", "compare -m verlet "}) {
    const Result r = here.run(words + file);
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(sound(r.out)) << words << r.out;
    EXPECT_TRUE(says(r.out, shown)) << words << r.out;
    EXPECT_TRUE(says(r.out, "e\\x1b[2J")) << words << r.out;
  }
  const Result json = here.run("run --json " + file);
  EXPECT_TRUE(sound(json.out)) << json.out;
  EXPECT_EQ(test::Json::parse(json.out)["title"].text(),
            "a\x1b[31mb\u009bc\x7f\nkept: all\u202e"
            "d é");
  // A name of a file that is no UTF-8, in JSON all the same.
  const Result none = here.run("run --json 'no\xff\x1b.toml'");
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(says(none.out, "no\\ufffd\\u001b.toml")) << none.out;
  EXPECT_TRUE(says(none.err, "no\\xff\\x1b.toml")) << none.err;
}
