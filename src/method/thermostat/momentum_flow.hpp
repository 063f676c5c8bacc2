#pragma once
#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <actio/core/random.hpp>
#include <actio/system/thermostat.hpp>
#include <memory>
#include <span>
#include <vector>

// The exact flow of friction and noise on momenta, the Ornstein-Uhlenbeck process of system/thermostat.hpp over a time h. With
// p = A y, A A' = M, of which friction is diagonal, it is
//
//   y_i -> c_i y_i + sqrt(kT (1 - c_i^2)) xi_i,    c_i = exp(-gamma_i h)
//
// A is M^(1/2) where mass and friction are diagonal, the Cholesky factor of M with one rate, else M U of the modes
// Gamma U = M U diag(gamma), U' M U = 1.
namespace actio::method {

class MomentumFlow {
 public:
  // `share`: the coordinates whose momenta are given, ascending; empty: all. Not all only where mass and friction are diagonal.
  MomentumFlow(const system::Model& model, const system::Thermostat& thermostat, std::vector<std::int32_t> share);

  // Beside p: the work of the noise and what friction took of the kinetic energy, which is then `kinetic` [J], of the share.
  struct Exchange {
    double noise = 0, friction = 0, kinetic = 0;
  };
  Exchange operator()(std::span<double> p, double h, const core::Noise& noise, std::uint64_t step, std::uint32_t draw);

  double kinetic(std::span<const double> p) const;
  double loss(std::span<const double> p, double h);                            // what friction alone takes over h
  void add_thermal(double factor, std::span<double> xi, std::span<double> p);  // p += factor M^(1/2) xi; xi is overwritten

  void normals(const core::Noise& noise, std::uint64_t step, std::uint32_t draw, std::span<double> xi) const;
  void signs(const core::Noise& noise, std::uint64_t step, std::uint32_t draw, std::span<double> xi) const;

  long size() const { return n_; }             // of the share
  bool one_rate() const { return one_rate_; }  // then it commutes with every projection
  double slowest() const { return slowest_; }
  double fastest() const { return fastest_; }

 private:
  enum class Form { diagonal, factor, modes };
  void prepare(double h);
  void to_modes(std::span<const double> p) const;  // y_
  void from_modes(std::span<double> p) const;
  template <class T>  // a number, or several side by side
  Exchange flow(double* p, const double* xi, long begin, long end) const;

  // The numbers of the share's coordinates begin, begin + 1, ...
  void normals(const core::Noise& noise, std::uint64_t step, std::uint32_t draw, long begin, long count, double* xi) const;

  std::vector<std::int32_t> share_;
  long n_;
  Form form_ = Form::diagonal;
  double kT_, h_ = 0, slowest_ = 0, fastest_ = 0;
  bool one_rate_ = true;
  Eigen::VectorXd rate_;             // gamma_i
  Eigen::VectorXd inverse_, width_;  // 1/m_i and sqrt(m_i) of p_i, or 1 of y_i; of what is held 0
  Eigen::VectorXd c_, s_;            // over h_
  using Cholesky = Eigen::SimplicialLLT<Eigen::SparseMatrix<double>>;
  std::shared_ptr<const Cholesky> cholesky_;
  Eigen::MatrixXd modes_, forces_;  // U', M U
  mutable Eigen::VectorXd y_, work_;
  std::vector<Exchange> parts_;
  // Numbers of several steps, where the coordinates are few.
  struct Ahead {
    std::uint64_t first = 0;
    long steps = 0;
    std::vector<double> xi;
  };
  const double* numbers(const core::Noise& noise, std::uint64_t step, std::uint32_t draw);
  std::vector<Ahead> ahead_;
};

}  // namespace actio::method
