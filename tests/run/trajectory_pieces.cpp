#include <algorithm>
#include <array>
#include <barrier>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <thread>

#include <actio/core/error.hpp>

#include "solids.hpp"

// Processes that write a trajectory together, here threads that wait for one another.
namespace actio::run {
namespace {

using namespace test;

class Crew {
 public:
  explicit Crew(long processes) : processes_(processes), all_(processes), said_(static_cast<std::size_t>(processes)) {}
  // work(pieces) of each, and what it throws.
  std::vector<std::string> run(const std::vector<std::int32_t>& owner, const std::function<void(const Pieces&)>& work) {
    std::vector<std::string> errors(said_.size());
    std::vector<std::thread> threads;
    for (long p = 0; p < processes_; ++p)
      threads.emplace_back([&, p] {
        try {
          work({p, processes_, owner, [this, p](const std::string& mine) { return first_error(p, mine); }});
        } catch (const std::exception& e) { errors[static_cast<std::size_t>(p)] = e.what(); }
      });
    for (std::thread& t : threads) t.join();
    return errors;
  }

 private:
  std::string first_error(long process, const std::string& mine) {
    said_[static_cast<std::size_t>(process)] = mine;
    all_.arrive_and_wait();
    const auto first = std::ranges::find_if(said_, [](const std::string& word) { return !word.empty(); });
    std::string out = first == said_.end() ? "" : *first;
    all_.arrive_and_wait();
    return out;
  }
  long processes_;
  std::barrier<> all_;
  std::vector<std::string> said_;
};

// Nodes dealt out anyhow; the last of the processes has none where it is to be idle.
std::vector<std::int32_t> deal_out(const Solids& solids, std::int32_t processes, bool idle = false) {
  std::mt19937 random(7);
  std::vector<std::int32_t> owner(static_cast<std::size_t>(solids.n), 0);
  for (std::size_t i = 1; i < owner.size(); i += 3)
    std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(i), 3,
                static_cast<std::int32_t>(random() % static_cast<unsigned>(processes - idle)));
  return owner;
}

void run_together(const Solids& solids, const std::string& path, long processes, long from, long to, std::int64_t bytes = -1,
                  std::int64_t* saved = nullptr) {
  const std::vector<std::int32_t> owner = deal_out(solids, static_cast<std::int32_t>(processes));
  const auto errors = Crew(processes).run(owner, [&](const Pieces& pieces) {
    TrajectoryHeader header = solids.header();
    header.pieces = pieces;
    const auto out = open_resumable(path, header, bytes);
    for (long k = from; k < to; ++k) solids.observe(*out, k, 0.1 * static_cast<double>(k));
    if (const std::int64_t safe = out->sync(); saved && pieces.process == 0) *saved = safe;
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
}

std::set<std::string> files(const fs::path& folder) {
  std::set<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.insert(entry.path().filename());
  return out;
}

// Bytes of the numbers of a cell: where its nodes are and how they move, its stress, and the groups and solids it is in.
std::map<std::string, std::string> cells_of(const std::string& file) {
  const auto points = array<double>(file, "Points", 3), u = array<double>(file, "displacement", 3),
             v = array<double>(file, "velocity", 3), sigma = array<double>(file, "stress", 6),
             von_mises = array<double>(file, "von_mises", 1);
  const auto nodes = array<std::int64_t>(file, "connectivity", 1), ends = array<std::int64_t>(file, "offsets", 1);
  const auto types = array<std::uint8_t>(file, "types", 1);
  const auto solid = array<std::int32_t>(file, "solid", 1), group = array<std::int32_t>(file, "group", 1);
  const auto steel = array<std::uint8_t>(file, "group:steel", 1);
  std::map<std::string, std::string> out;
  for (std::size_t c = 0; c < types.size(); ++c) {
    std::string place(1, static_cast<char>(types[c])), numbers;
    const auto put = [](std::string& to, const auto& from, std::size_t first, std::size_t count) {
      ASSERT_LE(first + count, from.size());
      to.append(reinterpret_cast<const char*>(from.data() + first), count * sizeof from[0]);
    };
    for (std::int64_t k = c == 0 ? 0 : ends[c - 1]; k < ends[c]; ++k) {
      const auto a = static_cast<std::size_t>(nodes[static_cast<std::size_t>(k)]);
      put(place, points, 3 * a, 3);
      put(numbers, u, 3 * a, 3);
      put(numbers, v, 3 * a, 3);
    }
    put(numbers, sigma, 6 * c, 6);
    put(numbers, von_mises, c, 1);
    put(numbers, solid, c, 1);
    put(numbers, group, c, 1);
    put(numbers, steel, c, 1);
    EXPECT_TRUE(out.emplace(place, numbers).second) << "a cell comes twice";
  }
  return out;
}

// On its nodes too, whose stress is that of the elements around them, of several processes.
TEST(Pieces, are_the_cells_of_the_frame_of_one_process_once_each_and_to_the_bit) {
  const Folder folder;
  auto beam = std::make_shared<system::Mesh>(io::read_mesh("examples/cantilever.msh"));
  beam->blocks.push_back({system::Cell::point, std::vector<std::int32_t>(static_cast<std::size_t>(beam->points.cols()))});
  std::iota(beam->blocks.back().nodes.begin(), beam->blocks.back().nodes.end(), 0);
  beam->groups.push_back({"steel", 3, {{0, 0}, {0, 2}}});
  const Solids solids(beam);
  const system::Model model = solids.model();
  VectorXd q = system::rest_of(model), v(solids.n);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-0.02, 0.02);
  for (long i = 0; i < solids.n; ++i) {
    q[i] += number(random);
    v[i] = number(random);
  }
  const auto write = [&](const std::string& path, const Pieces& pieces) {
    TrajectoryHeader header = solids.header();
    header.model = &model;
    header.compile.compiler = "none";
    header.pieces = pieces;
    const auto out = open_trajectory(path, header);
    const method::Snapshot s{0.5, q, v, v};
    out->observe({0, s, 0, {}});
    out->finish("{}");
  };
  write(folder / "one.pvd", {});
  const auto whole = cells_of(content(folder / "one/one_000000.vtu"));
  ASSERT_GT(whole.size(), 100u);
  constexpr std::int32_t processes = 4;
  const std::vector<std::int32_t> owner = deal_out(solids, processes, true);
  for (const std::string& error : Crew(processes).run(owner, [&](const Pieces& pieces) { write(folder / "many.pvd", pieces); }))
    EXPECT_EQ(error, "");
  std::map<std::string, std::string> together;
  std::map<std::string, std::size_t> in_group, expected_in_group;
  for (std::int32_t p = 0; p < processes; ++p) {
    const std::string path = folder / fmt::format("many/many_000000_p{:04}.vtu", p), file = content(path);
    const auto cells = cells_of(file);
    EXPECT_EQ(cells.empty(), p == processes - 1);
    for (const auto& cell : cells) EXPECT_TRUE(together.insert(cell).second) << "two processes have a cell";
    EXPECT_EQ(array<std::int32_t>(file, "process", 1), std::vector<std::int32_t>(cells.size(), p));
    if (cells.empty()) continue;
    const system::Mesh mesh = io::read_mesh(path);
    EXPECT_LT(mesh.points.cols(), solids.n / 3);
    for (const auto& group : mesh.groups) in_group[group.name] += group.cells.size();
  }
  EXPECT_EQ(together, whole);
  for (const auto& group : io::read_mesh(folder / "one/one_000000.vtu").groups)
    expected_in_group[group.name] = group.cells.size();
  EXPECT_EQ(in_group, expected_in_group);
}

TEST(Pieces, are_named_by_a_list_a_frame_and_that_by_the_list_of_frames) {
  const Folder folder;
  const Solids solids;
  run_together(solids, folder / "run & 1.pvd", 2, 0, 2);
  EXPECT_EQ(files(folder.path / "run & 1"),
            (std::set<std::string>{"run & 1_000000.pvtu", "run & 1_000000_p0000.vtu", "run & 1_000000_p0001.vtu",
                                   "run & 1_000001.pvtu", "run & 1_000001_p0000.vtu", "run & 1_000001_p0001.vtu"}));
  const std::string list = content(folder / "run & 1.pvd");
  EXPECT_NE(list.find("timestep=\"0.1\" part=\"0\" file=\"run &#38; 1/run &#38; 1_000001.pvtu\"/>"), std::string::npos) << list;
  const std::string frame = content(folder / "run & 1/run & 1_000001.pvtu");
  for (const char* expected :
       {"<VTKFile type=\"PUnstructuredGrid\"",
        "<Piece Source=\"run &#38; 1_000001_p0000.vtu\"/>\n<Piece Source=\"run &#38; 1_000001_p0001.vtu\"/>",
        "<PDataArray type=\"UInt8\" Name=\"group:a &#60;b&#62; &#38; &#34;c&#34;\" NumberOfComponents=\"1\"/>",
        "<PDataArray type=\"Float64\" Name=\"displacement\" NumberOfComponents=\"3\"/>"})
    EXPECT_NE(frame.find(expected), std::string::npos) << expected << "\n" << frame;
}

// Every array of the pieces is in their list, with its type and size, in one order.
TEST(Pieces, have_the_arrays_that_their_list_says) {
  const Folder folder;
  const Solids solids;
  run_together(solids, folder / "a.pvd", 2, 0, 1);
  const auto arrays = [&](const std::string& file, const std::string& tag, const std::string& section) {
    std::vector<std::string> out;
    const std::size_t end = file.find("</" + section);
    for (std::size_t at = file.find(tag, file.find("<" + section)); at < end; at = file.find(tag, at + 1)) {
      const std::size_t number = file.find("NumberOfComponents=\"", at) + 20;
      out.push_back(file.substr(at + tag.size(), file.find('"', number) - at - tag.size()));
    }
    return out;
  };
  const std::string list = content(folder / "a/a_000000.pvtu");
  for (const char* of : {"PointData", "CellData"}) {
    const auto listed = arrays(list, "<PDataArray", std::string("P") + of);
    EXPECT_GE(listed.size(), 2u);
    for (const int p : {0, 1})
      EXPECT_EQ(arrays(content(folder / fmt::format("a/a_000000_p{:04}.vtu", p)), "<DataArray", of), listed) << of;
  }
}

TEST(Pieces, one_that_cannot_be_written_ends_all_processes_and_its_frame_is_not_listed) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const Folder folder;
  const Solids solids;
  std::array<std::pair<long, std::string>, 3> failures;
  const auto errors = Crew(3).run(deal_out(solids, 3), [&](const Pieces& pieces) {
    TrajectoryHeader header = solids.header();
    header.pieces = pieces;
    const auto out = open_trajectory(folder / "a.pvd", header);
    if (pieces.process == 1) fs::create_symlink("/dev/full", folder / "a/a_000001_p0001.vtu");
    solids.observe(*out, 0, 0);
    try {
      solids.observe(*out, 7, 0.5);
    } catch (const core::RunError& e) { failures[static_cast<std::size_t>(pieces.process)] = {e.step, e.what()}; }
    out->finish("{}");
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  for (const auto& [step, message] : failures) {
    EXPECT_EQ(step, 7);
    EXPECT_NE(message.find("a_000001_p0001.vtu\": No space left"), std::string::npos) << message;
  }
  EXPECT_FALSE(fs::exists(folder / "a/a_000001.pvtu"));
  const std::string list = content(folder / "a.pvd");
  EXPECT_NE(list.find("a_000000.pvtu"), std::string::npos);
  EXPECT_EQ(list.find("a_000001"), std::string::npos) << list;
}

TEST(Pieces, a_place_that_cannot_be_written_is_wrong_input_on_all_processes) {
  const Folder folder;
  const Solids solids;
  std::ofstream(folder / "file") << "x";
  const auto errors = Crew(2).run(deal_out(solids, 2), [&](const Pieces& pieces) {
    TrajectoryHeader header = solids.header();
    header.pieces = pieces;
    EXPECT_THROW((void)open_trajectory(folder / "file.pvd", header), core::InputError);
    header.pieces = pieces;
    (void)open_resumable(folder / "none.pvd", header, 2);
  });
  for (const std::string& error : errors) EXPECT_NE(error.find("is not the output"), std::string::npos) << error;
}

TEST(Pieces, a_run_goes_on_with_other_numbers_of_processes_and_leaves_no_piece_of_another_behind) {
  const Folder folder;
  const Solids solids;
  const std::string list = folder / "a.pvd";
  std::int64_t saved = 0;
  run_together(solids, list, 3, 0, 2, -1, &saved);
  EXPECT_EQ(saved, 2);
  const std::string kept = content(folder / "a/a_000001_p0002.vtu");
  run_together(solids, list, 3, 2, 4, saved);  // killed at frame 4, saved at 2
  run_together(solids, list, 2, 2, 3, saved);
  const std::set<std::string> before{"a_000000.pvtu",      "a_000000_p0000.vtu", "a_000000_p0001.vtu", "a_000000_p0002.vtu",
                                     "a_000001.pvtu",      "a_000001_p0000.vtu", "a_000001_p0001.vtu", "a_000001_p0002.vtu",
                                     "a_000002_p0000.vtu", "a_000002_p0001.vtu", "a_000002.pvtu"};
  EXPECT_EQ(files(folder.path / "a"), before);
  EXPECT_EQ(content(folder / "a/a_000001_p0002.vtu"), kept);
  {
    const auto out = open_resumable(list, solids.header(), 3);
    solids.observe(*out, 3, 0.3);
    out->finish("{}");
  }
  const std::string text = content(list);
  EXPECT_NE(text.find("a_000002.pvtu\"/>\n<DataSet timestep=\"0.3\" part=\"0\" file=\"a/a_000003.vtu\"/>\n</"), std::string::npos)
      << text;
  (void)open_trajectory(list, solids.header());
  EXPECT_EQ(files(folder.path / "a"), std::set<std::string>());
}

}  // namespace
}  // namespace actio::run
