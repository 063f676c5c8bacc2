#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/system/compiled.hpp>
#include <actio/system/lagrangian.hpp>
#include <actio/system/model_mass.hpp>
#include <cassert>

// A compiled model on a space: gathers coordinates into the kernels' columns, adds their outputs into vectors and into slots of
// the matrix that were found once. The one place that indexes.
namespace actio::system {

// Where the entries of a model's Hessian and mass lie in a space's matrix values.
struct Slots {
  std::vector<std::vector<std::int32_t>> batch;  // entry k of element e at k * elements + e; mirrored ones follow all others
  std::vector<std::int32_t> mass, library;
};

template <class Space>
struct Layout {
  Space space;
  std::shared_ptr<const Slots> slots;
};
// The space of a model, with the matrix pattern known before any evaluation. `tangents` false: no matrix will be asked for.
template <class Space>
Layout<Space> layout(const CompiledModel& model, bool tangents);

// Columns of doubles to write to, and pointers to them. A copy points to its own.
class Columns {
 public:
  Columns() = default;
  Columns(std::size_t count, std::size_t length) : length_(length), values_(count * length), pointers_(count) { point(); }
  Columns(const Columns& other) : length_(other.length_), values_(other.values_), pointers_(other.pointers_) { point(); }
  Columns(Columns&&) noexcept = default;
  Columns& operator=(Columns other) noexcept {
    length_ = other.length_;
    values_.swap(other.values_);
    pointers_.swap(other.pointers_);
    return *this;
  }
  double* const* data() const { return pointers_.data(); }
  const double* operator[](std::size_t k) const { return pointers_[k]; }

 private:
  void point() {
    for (std::size_t k = 0; k < pointers_.size(); ++k) pointers_[k] = values_.data() + k * length_;
  }
  std::size_t length_ = 0;
  std::vector<double> values_;
  std::vector<double*> pointers_;
};

template <class SpaceType>
class Assembled {
 public:
  using Space = SpaceType;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;

  Assembled(std::shared_ptr<const CompiledModel> model, Layout<Space> where);

  const Space& space() const { return where_.space; }
  bool separable() const { return model_->separable; }
  const CompiledModel& model() const { return *model_; }

  double lagrangian(double t, const Vector& q, const Vector& v);
  void derivatives(double t, const Vector& q, const Vector& v, Vector& f, Vector& p);
  void tangent(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector& p, Matrix& K);

  double potential(double t, const Vector& q) { return -terms_value(t, q, q); }
  [[gnu::always_inline]] void force(double t, const Vector& q, Vector& f) {
    if (one_kernel_) {
      uniforms_[0] = t;
      first_(uniforms_.data(), q.data(), nullptr, f.data());
    } else {
      terms_first(t, q, q, f, nullptr);
    }
  }
  [[gnu::always_inline]] void stiffness(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
    if constexpr (Space::fixed) {
      if (one_kernel_) return stiffness_of_kernel(t, q, wM, wV, f, K);
    }
    Space::clear(K);
    terms_second(t, q, q, {.qq = -wV}, f, nullptr, K);
    add_mass(wM, K);
  }
  [[gnu::always_inline]] void momentum(const Vector& v, Vector& p) const { mass_.momentum(v, p); }
  [[gnu::always_inline]] void velocity(const Vector& p, Vector& v) const { mass_.velocity(p, v); }

 private:
  static constexpr long block = 128;  // elements a kernel call
  // All of f and K from one kernel, through the stack.
  [[gnu::always_inline]] void stiffness_of_kernel(double t, const Vector& q, double wM, double wV, Vector& f, Matrix& K) {
    if constexpr (Space::fixed) {
      constexpr int n = Space::size;
      double out[n + n * n];
      uniforms_[0] = t;
      uniforms_[uniforms_.size() - 4] = -wV;
      second_(uniforms_.data(), q.data(), nullptr, out);
      for (int i = 0; i < n; ++i) f[i] = out[i];
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) K(i, j) = out[n + j * n + i];
      if (mass_.diagonal())
        for (int i = 0; i < n; ++i) K(i, i) += wM * mass_.diagonal_entries()[i];
      else
        K += wM * mass_.full();
    }
  }
  double terms_value(double t, const Vector& q, const Vector& v);
  void terms_first(double t, const Vector& q, const Vector& v, Vector& f, Vector* p);
  void terms_second(double t, const Vector& q, const Vector& v, Weights w, Vector& f, Vector* p, Matrix& K);
  void add_mass(double w, Matrix& K);
  // Points inputs_ at the columns of elements [e, e + count).
  void gather(const Batch& batch, const Vector& q, const Vector& v, long e, long count);
  void scatter(const Batch& batch, Vector& f, Vector* p, long e, long count);
  static double* values(Matrix& K) {
    if constexpr (std::is_same_v<Space, algebra::SparseSpace>)
      return K.valuePtr();
    else
      return K.data();
  }

  std::shared_ptr<const CompiledModel> model_;
  Layout<Space> where_;
  ModelMass<Space> mass_;
  bool one_kernel_;  // separable, and fused into single kernels with nothing beside them
  expr::Kernel first_, second_;
  std::vector<double> uniforms_, columns_, fused_;
  std::vector<const double*> inputs_;
  Columns outputs_;
  Vector scratch_;
};

extern template class Assembled<algebra::DenseSpace<1>>;
extern template class Assembled<algebra::DenseSpace<2>>;
extern template class Assembled<algebra::DenseSpace<3>>;
extern template class Assembled<algebra::DenseSpace<4>>;
extern template class Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
extern template class Assembled<algebra::SparseSpace>;

}  // namespace actio::system
