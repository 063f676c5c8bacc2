#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <actio/io/mesh.hpp>

#include <cli/program.hpp>

namespace {

// The files that a .pvd names, without their folder.
std::vector<std::string> listed(const std::string& pvd) {
  std::vector<std::string> out;
  const std::string before = "file=\"";
  for (std::size_t at = pvd.find(before); at != std::string::npos; at = pvd.find(before, at)) {
    at += before.size();
    out.push_back(pvd.substr(at, pvd.find('"', at) - at));
  }
  return out;
}

void expect_frame(const std::filesystem::path& path) {
  const actio::system::Mesh mesh = actio::io::read_mesh(path.string());
  EXPECT_EQ(mesh.points.cols(), 128);
  EXPECT_EQ(mesh.groups.size(), 3u);
}

}  // namespace

TEST(ParaView, a_solid_is_written_as_a_list_of_frames_that_are_meshes) {
  const test::Folder here;
  const auto r = here.run("run examples/cantilever.toml run.end=0.05 run.every=2 -q -o '" + (here / "beam.pvd").string() + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  const auto frames = listed(test::read(here / "beam.pvd"));
  EXPECT_EQ(frames, (std::vector<std::string>{"beam/beam_000000.vtu", "beam/beam_000001.vtu", "beam/beam_000002.vtu",
                                              "beam/beam_000003.vtu"}));  // steps 0, 2, 4 and the last, 5
  for (const auto& frame : frames) expect_frame(here / frame);
}

TEST(ParaView, a_problem_without_a_solid_is_refused) {
  const test::Folder here;
  const auto r = here.run("run examples/oscillator.toml -q -o '" + (here / "x.pvd").string() + "'");
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("the problem has no solid"), std::string::npos) << r.err;
}

TEST(ParaView, a_run_that_is_killed_leaves_a_list_whose_frames_can_be_read) {
  const test::Folder here;
  const std::string program = test::program(), out = (here / "beam.pvd").string();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    execl(program.c_str(), "actio", "run", "examples/cantilever.toml", "run.end=1000", "-q", "-o", out.c_str(), nullptr);
    _exit(127);
  }
  std::vector<std::string> frames;
  for (int k = 0; k < 1200 && frames.size() < 2; ++k) {  // two minutes at most
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    frames = listed(test::read(here / "beam.pvd"));
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself, code " << WEXITSTATUS(status);
  frames = listed(test::read(here / "beam.pvd"));
  EXPECT_GE(frames.size(), 2u);
  for (const auto& frame : frames) expect_frame(here / frame);
}
