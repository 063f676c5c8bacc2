#include "vtu.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include <actio/system/mesh_part.hpp>

namespace actio::run {
namespace {

std::string element(const std::string& name, const char* type, int components, std::uint64_t offset) {
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
                     attribute_text(name), components, offset);
}

constexpr const char* byte_order = std::endian::native == std::endian::big ? "BigEndian" : "LittleEndian";

std::string parallel_element(const std::string& name, const char* type, int components) {
  return fmt::format("<PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n", type, attribute_text(name), components);
}

void append(std::string& bytes, const void* data, std::uint64_t size) {
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(static_cast<const char*>(data), size);
}

}  // namespace

std::string attribute_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&' || c == '<' || c == '>' || c == '"')
      out += fmt::format("&#{};", static_cast<int>(c));
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

VtuFrames::VtuFrames(const std::vector<system::SolidBody>& solids, const system::Model* model,
                     const expr::CompileOptions& compile, const Pieces& pieces) {
  std::vector<system::SolidElement> cells;
  add_parts(solids, pieces, cells);
  cells_ = cells.size();
  if (model) stress_.emplace(*model, cells, compile);
  std::vector<double> points;
  for (const Part& part : parts_)
    points.insert(points.end(), part.mesh->points.data(), part.mesh->points.data() + part.mesh->points.size());
  nodes_ = points.size() / 3;
  before_ = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
      "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
      byte_order);
  after_ = fmt::format("</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", nodes_, cells_);
  after_ += "<Points>\n" + array("Points", "Float64", 3, points) + "</Points>\n";
  add_cells();
  add_cell_data(pieces);
  const std::uint64_t next = 24 * static_cast<std::uint64_t>(nodes_) + sizeof(std::uint64_t);
  after_ += "<PointData Vectors=\"displacement\">\n" + element("displacement", "Float64", 3, appended_.size()) +
            element("velocity", "Float64", 3, appended_.size() + next) +
            "</PointData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
}

void VtuFrames::add_parts(const std::vector<system::SolidBody>& solids, const Pieces& pieces,
                          std::vector<system::SolidElement>& cells) {
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const system::SolidBody& solid = solids[s];
    std::vector<std::vector<bool>> mine;
    for (const auto& block : solid.mesh->blocks) {
      auto& of = mine.emplace_back(static_cast<std::size_t>(block.size()), true);
      const auto nodes = static_cast<std::size_t>(system::nodes_of(block.cell));
      for (std::size_t c = 0; c < of.size(); ++c) {
        const long first = solid.offset + 3L * block.nodes[c * nodes];
        if (pieces.processes > 1) of[c] = pieces.owner[static_cast<std::size_t>(first)] == pieces.process;
        if (of[c])
          cells.push_back(
              {static_cast<std::int32_t>(s), static_cast<std::int32_t>(mine.size() - 1), static_cast<std::int32_t>(c)});
      }
    }
    Part& part = parts_.emplace_back(Part{solid.mesh, {}, solid.offset});
    if (pieces.processes == 1) continue;
    system::MeshPart here = system::part_of(*solid.mesh, mine);
    part.mesh = std::make_shared<const system::Mesh>(std::move(here.mesh));
    part.nodes = std::move(here.nodes);
  }
}

void VtuFrames::add_cells() {
  std::vector<std::int64_t> connectivity, offsets;
  std::vector<std::uint8_t> types;
  std::int64_t first = 0, end = 0;
  for (const Part& part : parts_) {
    for (const auto& block : part.mesh->blocks) {
      for (const std::int32_t node : block.nodes) connectivity.push_back(first + node);
      for (long c = 0; c < block.size(); ++c) {
        offsets.push_back(end += system::nodes_of(block.cell));
        types.push_back(static_cast<std::uint8_t>(system::vtk_type_of(block.cell)));
      }
    }
    first += part.mesh->points.cols();
  }
  after_ += "<Cells>\n";
  after_ += array("connectivity", "Int64", 1, connectivity);
  after_ += array("offsets", "Int64", 1, offsets);
  after_ += array("types", "UInt8", 1, types);
  after_ += "</Cells>\n";
}

// "group": the number, from 1, of the first group that the cell is in; 0 where it is in none. "group:NAME": 1 in NAME.
void VtuFrames::add_cell_data(const Pieces& pieces) {
  std::vector<std::string> names;
  std::vector<std::vector<std::uint8_t>> in;
  std::vector<std::int32_t> number(cells_, 0), body;
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    const system::Mesh& mesh = *parts_[s].mesh;
    std::vector<std::size_t> start;  // of the mesh's blocks
    std::size_t end = body.size();
    for (const auto& block : mesh.blocks) {
      start.push_back(end);
      end += static_cast<std::size_t>(block.size());
    }
    body.resize(end, static_cast<std::int32_t>(s + 1));
    for (const auto& group : mesh.groups) {
      const auto found = std::find(names.begin(), names.end(), group.name);
      const auto k = static_cast<std::size_t>(found - names.begin());
      if (found == names.end()) {
        names.push_back(group.name);
        in.emplace_back(cells_, std::uint8_t{0});
      }
      for (const auto& [block, cell] : group.cells) {
        const std::size_t c = start[static_cast<std::size_t>(block)] + static_cast<std::size_t>(cell);
        in[k][c] = 1;
        if (number[c] == 0) number[c] = static_cast<std::int32_t>(k + 1);
      }
    }
  }
  after_ += "<CellData>\n";
  if (parts_.size() > 1) add_cell_array("solid", "Int32", body);
  if (!names.empty()) add_cell_array("group", "Int32", number);
  for (std::size_t k = 0; k < names.size(); ++k) add_cell_array("group:" + names[k], "UInt8", in[k]);
  if (pieces.processes > 1)
    add_cell_array("process", "Int32", std::vector<std::int32_t>(cells_, static_cast<std::int32_t>(pieces.process)));
  if (stress_) {
    const std::uint64_t next = appended_.size() + 2 * (24 * static_cast<std::uint64_t>(nodes_) + sizeof(std::uint64_t));
    after_ += element("stress", "Float64", 6, next) +
              element("von_mises", "Float64", 1, next + 48 * static_cast<std::uint64_t>(cells_) + sizeof(std::uint64_t));
    cell_arrays_ += parallel_element("stress", "Float64", 6) + parallel_element("von_mises", "Float64", 1);
  }
  after_ += "</CellData>\n";
}

template <class T>
std::string VtuFrames::array(const std::string& name, const char* type, int components, const std::vector<T>& values) {
  std::string out = element(name, type, components, appended_.size());
  append(appended_, values.data(), values.size() * sizeof(T));
  return out;
}

template <class T>
void VtuFrames::add_cell_array(const std::string& name, const char* type, const std::vector<T>& values) {
  after_ += array(name, type, 1, values);
  cell_arrays_ += parallel_element(name, type, 1);
}

int VtuFrames::write(const std::string& path, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                       [](std::FILE* f) { return f ? std::fclose(f) : 0; });
  if (!file) return errno;
  bool good = true;
  const auto put = [&](const void* data, std::size_t size) {
    good = good && (size == 0 || std::fwrite(data, 1, size, file.get()) == size);
  };
  const auto put_array = [&](const double* data, std::size_t count) {
    const std::uint64_t size = count * sizeof(double);
    put(&size, sizeof size);
    put(data, size);
  };
  const std::string time = fmt::format("{}", t);
  for (const std::string* text : std::initializer_list<const std::string*>{&before_, &time, &after_, &appended_})
    put(text->data(), text->size());
  const auto put_field = [&](auto&& of) {  // of(coordinate, its place at rest)
    field_.clear();
    for (const Part& part : parts_)
      for (long k = 0; k < part.mesh->points.cols(); ++k) {
        const long node = part.nodes.empty() ? k : part.nodes[static_cast<std::size_t>(k)];
        for (long i = 0; i < 3; ++i) field_.push_back(of(part.offset + 3 * node + i, part.mesh->points(i, k)));
      }
    put_array(field_.data(), field_.size());
  };
  put_field([&](long i, double X) { return q[i] - X; });
  put_field([&](long i, double) { return v[i]; });
  if (stress_) {
    (*stress_)(t, q, sigma_);
    von_mises_.resize(static_cast<std::size_t>(sigma_.cols()));
    for (long c = 0; c < sigma_.cols(); ++c) von_mises_[static_cast<std::size_t>(c)] = system::von_mises(sigma_.col(c));
    put_array(sigma_.data(), static_cast<std::size_t>(sigma_.size()));
    put_array(von_mises_.data(), von_mises_.size());
  }
  constexpr std::string_view end = "\n</AppendedData>\n</VTKFile>\n";
  put(end.data(), end.size());
  errno = good ? 0 : errno;
  good = std::fflush(file.get()) == 0 && good;
  good = std::fclose(file.release()) == 0 && good;  // where disks of other machines tell that they are full
  return good ? 0 : std::max(errno, 1);
}

std::string VtuFrames::list_of(const std::vector<std::string>& files) const {
  std::string out = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
      "<PUnstructuredGrid GhostLevel=\"0\">\n<PPoints>\n",
      byte_order);
  out += parallel_element("Points", "Float64", 3) + "</PPoints>\n<PCellData>\n" + cell_arrays_ +
         "</PCellData>\n<PPointData Vectors=\"displacement\">\n" + parallel_element("displacement", "Float64", 3) +
         parallel_element("velocity", "Float64", 3) + "</PPointData>\n";
  for (const std::string& file : files) out += fmt::format("<Piece Source=\"{}\"/>\n", attribute_text(file));
  return out + "</PUnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace actio::run
