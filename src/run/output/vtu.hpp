#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <actio/run/pieces.hpp>
#include <actio/system/mesh.hpp>
#include <actio/system/model.hpp>
#include <actio/system/stress.hpp>

namespace actio::run {

// Text as the value of an attribute in XML.
std::string attribute_text(const std::string& text);

// VTU files of solids, all in one grid: the places at rest, u = x - X and v at the nodes, stress and groups of the cells. Arrays
// are appended raw; what never changes is kept as bytes. One of several processes writes its cells with the nodes they name, and
// its number as their "process"; of what they have in common there is a PVTU file that names them all.
//   Schroeder, Martin, Lorensen, The Visualization Toolkit, "VTK file formats".
class VtuFrames {
 public:
  // With the model of these solids, the cells have their stress. Of `pieces` none but the owners are read, and these here only.
  explicit VtuFrames(const std::vector<system::SolidBody>& solids, const system::Model* model = nullptr,
                     const expr::CompileOptions& compile = {}, const Pieces& pieces = {});
  // q, v (n): of the model. Returns errno, 0 where all went well.
  int write(const std::string& path, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  // The PVTU file of such files beside it.
  std::string list_of(const std::vector<std::string>& files) const;

 private:
  // A solid, or what this process shows of it.
  struct Part {
    std::shared_ptr<const system::Mesh> mesh;
    std::vector<std::int32_t> nodes;  // where they are not all of the solid's, their numbers there
    long offset = 0;                  // of the solid, in q
  };
  void add_parts(const std::vector<system::SolidBody>& solids, const Pieces& pieces, std::vector<system::SolidElement>& cells);
  void add_cells();
  void add_cell_data(const Pieces& pieces);
  // The element of an array whose bytes come next in appended_.
  template <class T>
  std::string array(const std::string& name, const char* type, int components, const std::vector<T>& values);
  template <class T>
  void add_cell_array(const std::string& name, const char* type, const std::vector<T>& values);

  std::vector<Part> parts_;
  std::size_t nodes_ = 0, cells_ = 0;
  std::string before_;       // XML up to the number in TimeValue
  std::string after_;        // from there up to the _ of the appended bytes
  std::string appended_;     // but for u, v, and the stress, which follow
  std::string cell_arrays_;  // as a PVTU file has them
  std::optional<system::CellStress> stress_;
  system::StressRows sigma_;
  std::vector<double> field_, von_mises_;
};

}  // namespace actio::run
