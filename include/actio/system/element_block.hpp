#pragma once
#include <actio/system/compiled.hpp>
#include <cstdint>
#include <vector>

// Finite elements of a Batch with an Interpolation, eight at a time side by side: places of their nodes gathered, F formed at
// each point, what kernels give there pulled back to the nodes, and added into vectors and matrices. With B = dF/dx:
//
//   value  sum_p w U(F),   f  sum_p w B'P,  P = dU/dF,   K  sum_p w B'A B,  A = d2U/dFdF
//
// Whatever the element, a kernel has nine inputs. f and the rows of K of the first node are minus the sums of the others'.
namespace actio::system {

class ElementBlock {
 public:
  static constexpr long lanes = 8;

  // Makes room for a batch; what follows allocates nothing.
  void reserve(const Batch& b);

  // Elements [begin, end), begin a multiple of 8. u: the kernels' uniforms. v is read where the batch has velocities.
  double value(const Batch& b, long begin, long end, const double* u, const double* q, const double* v);
  // f += B'P, and p += B' dU/d(dF/dt) where p is given. A v that is given is interpolated and follows F in the kernel's columns.
  void add_first(const Batch& b, long begin, long end, const expr::BatchKernel& kernel, const double* u, const double* q,
                 const double* v, double* f, double* p);
  // That with the batch's second kernel, and K[slots] += B'A B.
  void add_second(const Batch& b, long begin, long end, const double* u, const double* q, const double* v,
                  const std::int32_t* slots, double* f, double* p, double* K);

  // Step by step: elements [e, e + 8), or as many as there are.
  long take(const Batch& b, long e);
  void gather(int state, const double* q);          // state 0, 1, 2: the places of the nodes
  void deform(long point, int state, long column);  // F of them becomes nine of the columns of the kernels
  double* column(long k) { return columns_[static_cast<std::size_t>(k)].value; }
  double* output(long k) { return outputs_[static_cast<std::size_t>(k)].value; }
  void run(const expr::BatchKernel& kernel, const double* u, long positions);           // data follow the positions
  std::int32_t zero() const { return static_cast<std::int32_t>(outputs_.size()) - 1; }  // an output that stays 0
  double weight(long point, long k) const;                                              // of element e + k
  void clear();                                                                         // forces
  void pull(long point, int kind, long output);  // forces of kind 0, 1 += w B'P, P nine outputs
  // K = w B'A B at point 0, K += that at others; entry (r, c) of A is output where[9 r + c], which may be zero()
  void pull_matrix(long point, const std::int32_t* where, bool symmetric);
  void scatter(int kind, double* f);
  void scatter_matrix(const std::int32_t* slots, bool symmetric, double* K);

 private:
  struct alignas(64) Eight {
    double value[lanes];
  };
  const Batch* batch_ = nullptr;
  long e_ = 0, count_ = 0;
  std::vector<Eight> x_, y_, K_, columns_, outputs_, slopes_;
  std::vector<const double*> inputs_;
  std::vector<double*> outputs_at_;
};

}  // namespace actio::system
