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

namespace actio::run {
namespace {

std::string element(const std::string& name, const char* type, int components, std::uint64_t offset) {
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
                     attribute_text(name), components, offset);
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

VtuFrames::VtuFrames(const std::vector<system::SolidBody>& solids, std::unique_ptr<system::CellStress> stress)
    : stress_(std::move(stress)) {
  std::vector<double> points;
  std::size_t cells = 0;
  for (const auto& solid : solids) {
    const Eigen::Matrix3Xd& rest = solid.mesh->points;
    parts_.push_back({Eigen::Map<const Eigen::VectorXd>(rest.data(), rest.size()), solid.offset});
    points.insert(points.end(), rest.data(), rest.data() + rest.size());
    for (const auto& block : solid.mesh->blocks) cells += static_cast<std::size_t>(block.size());
  }
  nodes_ = static_cast<long>(points.size() / 3);
  before_ = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
      "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
      std::endian::native == std::endian::big ? "BigEndian" : "LittleEndian");
  after_ = fmt::format("</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", nodes_, cells);
  after_ += "<Points>\n" + array("Points", "Float64", 3, points) + "</Points>\n";
  add_cells(solids);
  add_cell_data(solids, cells);
  const std::uint64_t next = 24 * static_cast<std::uint64_t>(nodes_) + sizeof(std::uint64_t);
  after_ += "<PointData Vectors=\"displacement\">\n" + element("displacement", "Float64", 3, appended_.size()) +
            element("velocity", "Float64", 3, appended_.size() + next) +
            "</PointData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
}

void VtuFrames::add_cells(const std::vector<system::SolidBody>& solids) {
  std::vector<std::int64_t> connectivity, offsets;
  std::vector<std::uint8_t> types;
  std::int64_t first = 0, end = 0;
  for (const auto& solid : solids) {
    for (const auto& block : solid.mesh->blocks) {
      for (const std::int32_t node : block.nodes) connectivity.push_back(first + node);
      for (long c = 0; c < block.size(); ++c) {
        offsets.push_back(end += system::nodes_of(block.cell));
        types.push_back(static_cast<std::uint8_t>(system::vtk_type_of(block.cell)));
      }
    }
    first += solid.mesh->points.cols();
  }
  after_ += "<Cells>\n";
  after_ += array("connectivity", "Int64", 1, connectivity);
  after_ += array("offsets", "Int64", 1, offsets);
  after_ += array("types", "UInt8", 1, types);
  after_ += "</Cells>\n";
}

// "group": the number, from 1, of the first group that the cell is in; 0 where it is in none. "group:NAME": 1 in NAME.
void VtuFrames::add_cell_data(const std::vector<system::SolidBody>& solids, std::size_t cells) {
  std::vector<std::string> names;
  std::vector<std::vector<std::uint8_t>> in;
  std::vector<std::int32_t> number(cells, 0), body(cells, 0);
  std::size_t first = 0;
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const system::Mesh& mesh = *solids[s].mesh;
    std::vector<std::size_t> start;  // of the mesh's blocks
    std::size_t end = first;
    for (const auto& block : mesh.blocks) {
      start.push_back(end);
      end += static_cast<std::size_t>(block.size());
    }
    std::fill(body.begin() + static_cast<std::ptrdiff_t>(first), body.begin() + static_cast<std::ptrdiff_t>(end),
              static_cast<std::int32_t>(s + 1));
    for (const auto& group : mesh.groups) {
      const auto found = std::find(names.begin(), names.end(), group.name);
      const auto k = static_cast<std::size_t>(found - names.begin());
      if (found == names.end()) {
        names.push_back(group.name);
        in.emplace_back(cells, std::uint8_t{0});
      }
      for (const auto& [block, cell] : group.cells) {
        const std::size_t c = start[static_cast<std::size_t>(block)] + static_cast<std::size_t>(cell);
        in[k][c] = 1;
        if (number[c] == 0) number[c] = static_cast<std::int32_t>(k + 1);
      }
    }
    first = end;
  }
  after_ += "<CellData>\n";
  if (solids.size() > 1) after_ += array("solid", "Int32", 1, body);
  if (!names.empty()) after_ += array("group", "Int32", 1, number);
  for (std::size_t k = 0; k < names.size(); ++k) after_ += array("group:" + names[k], "UInt8", 1, in[k]);
  if (stress_) {
    const std::uint64_t next = appended_.size() + 2 * (24 * static_cast<std::uint64_t>(nodes_) + sizeof(std::uint64_t));
    after_ += element("stress", "Float64", 6, next) +
              element("von_mises", "Float64", 1, next + 48 * static_cast<std::uint64_t>(cells) + sizeof(std::uint64_t));
  }
  after_ += "</CellData>\n";
}

template <class T>
std::string VtuFrames::array(const std::string& name, const char* type, int components, const std::vector<T>& values) {
  std::string out = element(name, type, components, appended_.size());
  append(appended_, values.data(), values.size() * sizeof(T));
  return out;
}

int VtuFrames::write(const std::string& path, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                             [](std::FILE* f) { return f ? std::fclose(f) : 0; });
  if (!file) return errno;
  bool good = true;
  const auto put = [&](const void* data, std::size_t size) {
    good = good && (size == 0 || std::fwrite(data, 1, size, file.get()) == size);
  };
  const std::string time = fmt::format("{}", t);
  for (const std::string* text : std::initializer_list<const std::string*>{&before_, &time, &after_, &appended_})
    put(text->data(), text->size());
  const std::uint64_t bytes = 24 * static_cast<std::uint64_t>(nodes_);
  put(&bytes, sizeof bytes);
  for (const Part& part : parts_) {
    const Eigen::VectorXd u = q.segment(part.offset, part.rest.size()) - part.rest;  // x - X
    put(u.data(), static_cast<std::size_t>(u.size()) * sizeof(double));
  }
  put(&bytes, sizeof bytes);
  for (const Part& part : parts_) put(v.data() + part.offset, static_cast<std::size_t>(part.rest.size()) * sizeof(double));
  if (stress_) {
    (*stress_)(t, q, sigma_);
    von_mises_.resize(static_cast<std::size_t>(sigma_.cols()));
    for (long c = 0; c < sigma_.cols(); ++c) von_mises_[static_cast<std::size_t>(c)] = system::von_mises(sigma_.col(c));
    const auto put_array = [&](const double* data, std::size_t count) {
      const std::uint64_t size = count * sizeof(double);
      put(&size, sizeof size);
      put(data, size);
    };
    put_array(sigma_.data(), static_cast<std::size_t>(sigma_.size()));
    put_array(von_mises_.data(), von_mises_.size());
  }
  constexpr std::string_view end = "\n</AppendedData>\n</VTKFile>\n";
  put(end.data(), end.size());
  errno = good ? 0 : errno;
  return good && std::fflush(file.get()) == 0 ? 0 : std::max(errno, 1);
}

}  // namespace actio::run
