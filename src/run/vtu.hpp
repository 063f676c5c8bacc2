#pragma once
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <actio/system/mesh.hpp>
#include <actio/system/model.hpp>
#include <actio/system/stress.hpp>

namespace actio::run {

// Text as the value of an attribute in XML.
std::string attribute_text(const std::string& text);

// VTU files of solids, all in one grid: the places at rest, u = x - X and v at the nodes, stress and groups of the cells. Arrays
// are appended raw; what never changes is kept as bytes.
//   Schroeder, Martin, Lorensen, The Visualization Toolkit, "VTK file formats".
class VtuFrames {
 public:
  // With a stress, of the same solids, the cells have it.
  explicit VtuFrames(const std::vector<system::SolidBody>& solids, std::unique_ptr<system::CellStress> stress = {});
  // q, v (n): of the model. Returns errno, 0 where all went well.
  int write(const std::string& path, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

 private:
  struct Part {
    Eigen::VectorXd rest;  // X (3 nodes)
    long offset = 0;       // in q
  };
  void add_cells(const std::vector<system::SolidBody>& solids);
  void add_cell_data(const std::vector<system::SolidBody>& solids, std::size_t cells);
  // The element of an array whose bytes come next in appended_.
  template <class T>
  std::string array(const std::string& name, const char* type, int components, const std::vector<T>& values);

  std::vector<Part> parts_;
  long nodes_ = 0;
  std::string before_;    // XML up to the number in TimeValue
  std::string after_;     // from there up to the _ of the appended bytes
  std::string appended_;  // but for u, v, and the stress, which follow
  std::unique_ptr<system::CellStress> stress_;
  system::StressRows sigma_;
  std::vector<double> von_mises_;
};

}  // namespace actio::run
