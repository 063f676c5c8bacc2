#include <actio/core/parallel.hpp>
#include <actio/system/ewald.hpp>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <mutex>
#include <numbers>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/Core>

namespace actio::system {
namespace {

constexpr long charges_a_block = 64, lane_width = 8;  // charges
constexpr long most_shares = 16;                      // of the charges, each with sums of its own: whatever the number of threads
constexpr double most_jump = 0.9e-9;                  // a jump, of the interaction of a pair
using ChargeLanes = Eigen::Array<double, lane_width, 1>;

ChargeLanes lanes_at(const double* x) { return Eigen::Map<const ChargeLanes>(x); }

// Waves (nx, ny, n) and (nx, ny, -n) for n = first to last, of which the sums begin at `at`.
struct WaveRow {
  long nx, ny, first, last, at;
};

struct WaveSum {
  double re = 0, im = 0;
};
// Of the waves n and -n: S(k), or what is made of it.
struct WavePair {
  WaveSum up, down;
};

// exp(i 2 pi n x/L) of a block of charges, n = 0 to most: cosines and sines at n charges_a_block.
struct WavePowers {
  std::vector<double> c, s;
  void resize(long most) {
    c.resize(static_cast<std::size_t>((most + 1) * charges_a_block));
    s.resize(c.size());
  }
  void take(const double* x, double period, long most) {
    for (long j = 0; j < charges_a_block; ++j) {
      const double turns = x[j] / period, angle = 2 * std::numbers::pi * (turns - std::rint(turns));
      c[static_cast<std::size_t>(j)] = 1;
      s[static_cast<std::size_t>(j)] = 0;
      if (most == 0) continue;
      c[static_cast<std::size_t>(charges_a_block + j)] = std::cos(angle);
      s[static_cast<std::size_t>(charges_a_block + j)] = std::sin(angle);
    }
    for (long n = 2; n <= most; ++n) {  // of n/2 and n - n/2: rounding grows by log n
      const double *const ca = cosines(n / 2), *const sa = sines(n / 2), *const cb = cosines(n - n / 2),
                          *const sb = sines(n - n / 2);
      double *const to_c = c.data() + n * charges_a_block, *const to_s = s.data() + n * charges_a_block;
      for (long j = 0; j < charges_a_block; ++j) {
        to_c[j] = ca[j] * cb[j] - sa[j] * sb[j];
        to_s[j] = ca[j] * sb[j] + sa[j] * cb[j];
      }
    }
  }
  const double* cosines(long n) const { return c.data() + n * charges_a_block; }
  const double* sines(long n) const { return s.data() + n * charges_a_block; }
};

// What one thread works with.
struct WaveTables {
  std::array<WavePowers, 3> of;
  std::array<double, charges_a_block> q, x, re, im;  // charges, places, and q exp(i (k_x x + k_y y))
  std::array<std::array<double, charges_a_block>, 3> gradient;
};

struct WaveWorkspace {
  std::vector<WaveTables> tables;             // by slot
  std::vector<std::vector<WavePair>> shares;  // of S
  std::vector<WavePair> S;
};

class Waves {
 public:
  explicit Waves(EwaldSum sum) : sum_(std::move(sum)) {
    double volume = 1, longest = 0, of_charges = 0;
    for (const NearPairs::Axis& axis : sum_.axes) {
      assert(axis.period > 0);
      volume *= axis.period;
      longest = std::max(longest, axis.period);
    }
    const double bound = static_cast<double>(sum_.modes * sum_.modes + 2);
    const auto square = [&](long n, std::size_t axis) {
      const double m = static_cast<double>(n) * longest / sum_.axes[axis].period;
      return m * m;
    };
    const auto most = [&](double used, std::size_t axis) {
      long n = 0;
      while (used + square(n + 1, axis) < bound) ++n;
      return n;
    };
    for (std::size_t a = 0; a < 3; ++a) most_[a] = most(0, a);
    for (long nx = 0; nx <= most_[0]; ++nx)
      for (long ny = nx == 0 ? 0 : -most_[1]; ny <= most_[1]; ++ny) {
        const double used = square(nx, 0) + square(ny, 1);
        if (!(used < bound)) continue;
        const bool alone = nx == 0 && ny == 0;  // half of these: k and -k are in one row
        const WaveRow row{nx, ny, alone ? 1L : 0L, most(used, 2), static_cast<long>(weights_.size())};
        for (long n = row.first; n <= row.last; ++n) {
          const double unit = 2 * std::numbers::pi / longest, k2 = unit * unit * (used + square(n, 2));
          const double weight = std::exp(-k2 / (4 * sum_.alpha * sum_.alpha)) / k2;
          weights_.push_back({weight, alone || n == 0 ? 0 : weight});
        }
        if (row.last >= row.first) rows_.push_back(row);
      }
    for (const double q : sum_.charges) of_charges += q * q;
    itself_ = -sum_.constant * sum_.alpha * std::numbers::inv_sqrtpi * of_charges;
    scale_ = 4 * std::numbers::pi * sum_.constant / volume;
    blocks_ = (static_cast<long>(sum_.charges.size()) + charges_a_block - 1) / charges_a_block;
    shares_ = std::min(blocks_, most_shares);
  }

  double energy(const double* q) const {
    const Borrowed workspace(*this);
    find_S(q, *workspace);
    double out = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      const WavePair& S = workspace->S[k];
      out += weights_[k].up * (S.up.re * S.up.re + S.up.im * S.up.im) +
             weights_[k].down * (S.down.re * S.down.re + S.down.im * S.down.im);
    }
    return scale_ * out + itself_;
  }

  void add_gradient(const double* q, double* r) const {
    const Borrowed workspace(*this);
    find_S(q, *workspace);
    // exp(-k^2/(4 alpha^2))/k^2 S*(k), as the sum and the difference of those of n and -n
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      WavePair& S = workspace->S[k];
      const WaveSum up{weights_[k].up * S.up.re, -weights_[k].up * S.up.im},
          down{weights_[k].down * S.down.re, -weights_[k].down * S.down.im};
      S = {{up.re + down.re, up.im + down.im}, {up.re - down.re, up.im - down.im}};
    }
    core::parallel_for(blocks_, [&](long b, int slot) {
      WaveTables& tables = workspace->tables[static_cast<std::size_t>(slot)];
      gather(q, b, tables);
      find_gradient(workspace->S, tables);
      const long first = b * charges_a_block, count = std::min(charges_a_block, size() - first);
      for (std::size_t a = 0; a < 3; ++a) {
        const NearPairs::Axis& axis = sum_.axes[a];
        const double factor = -2 * scale_ * 2 * std::numbers::pi / axis.period;
        for (long j = 0; j < count; ++j)
          r[axis.offset + axis.stride * (first + j)] += factor * tables.gradient[a][static_cast<std::size_t>(j)];
      }
    });
  }

  const EwaldSum& sum() const { return sum_; }
  long count() const {  // one of each k, -k
    return std::accumulate(weights_.begin(), weights_.end(), 0L,
                           [](long sum, const WaveWeight& weight) { return sum + 1 + (weight.down > 0 ? 1 : 0); });
  }

 private:
  struct WaveWeight {
    double up, down;
  };
  // A workspace for as long as a call goes on.
  class Borrowed {
   public:
    explicit Borrowed(const Waves& of) : of_(of) {
      {
        const std::scoped_lock lock(of.lending_);
        if (!of.idle_.empty()) {
          workspace_ = std::move(of.idle_.back());
          of.idle_.pop_back();
        }
      }
      if (!workspace_) workspace_ = std::make_unique<WaveWorkspace>();
      const auto slots = static_cast<std::size_t>(core::threads());
      while (workspace_->tables.size() < slots)
        for (std::size_t a = 0; WavePowers & powers : workspace_->tables.emplace_back().of) powers.resize(of.most_[a++]);
    }
    ~Borrowed() {
      const std::scoped_lock lock(of_.lending_);
      of_.idle_.push_back(std::move(workspace_));
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    WaveWorkspace& operator*() const { return *workspace_; }
    WaveWorkspace* operator->() const { return workspace_.get(); }

   private:
    const Waves& of_;
    std::unique_ptr<WaveWorkspace> workspace_;
  };

  long size() const { return static_cast<long>(sum_.charges.size()); }

  void gather(const double* q, long b, WaveTables& tables) const {
    const long first = b * charges_a_block, count = std::min(charges_a_block, size() - first);
    tables.q.fill(0);
    std::copy_n(sum_.charges.begin() + first, count, tables.q.begin());
    for (std::size_t a = 0; a < 3; ++a) {
      const NearPairs::Axis& axis = sum_.axes[a];
      tables.x.fill(0);
      for (long j = 0; j < count; ++j) tables.x[static_cast<std::size_t>(j)] = q[axis.offset + axis.stride * (first + j)];
      tables.of[a].take(tables.x.data(), axis.period, most_[a]);
    }
  }

  // q exp(i (k_x x + k_y y))
  static void multiply(const WaveRow& row, WaveTables& tables) {
    const double sign = row.ny < 0 ? -1 : 1;
    const double *const cx = tables.of[0].cosines(row.nx), *const sx = tables.of[0].sines(row.nx),
                        *const cy = tables.of[1].cosines(std::abs(row.ny)), *const sy = tables.of[1].sines(std::abs(row.ny));
    for (std::size_t j = 0; j < charges_a_block; ++j) {
      tables.re[j] = tables.q[j] * (cx[j] * cy[j] - sign * sx[j] * sy[j]);
      tables.im[j] = tables.q[j] * (sign * cx[j] * sy[j] + sx[j] * cy[j]);
    }
  }

  void find_S(const double* q, WaveWorkspace& workspace) const {
    workspace.shares.resize(static_cast<std::size_t>(shares_));
    core::parallel_for(shares_, [&](long share, int slot) {
      WaveTables& tables = workspace.tables[static_cast<std::size_t>(slot)];
      std::vector<WavePair>& S = workspace.shares[static_cast<std::size_t>(share)];
      S.assign(weights_.size(), {});
      for (long b = blocks_ * share / shares_; b < blocks_ * (share + 1) / shares_; ++b) {
        gather(q, b, tables);
        for (const WaveRow& row : rows_) add_row(row, tables, S.data() + row.at);
      }
    });
    workspace.S.resize(weights_.size());
    core::parallel_ranges(static_cast<long>(weights_.size()), core::worth_a_thread / most_shares, [&](long begin, long end) {
      for (long k = begin; k < end; ++k) {
        WavePair sum;
        for (const std::vector<WavePair>& share : workspace.shares) {
          const WavePair& S = share[static_cast<std::size_t>(k)];
          sum.up.re += S.up.re, sum.up.im += S.up.im, sum.down.re += S.down.re, sum.down.im += S.down.im;
        }
        workspace.S[static_cast<std::size_t>(k)] = sum;
      }
    });
  }

  // S += sum of (re + i im) (c +- i s) over the block
  void add_row(const WaveRow& row, WaveTables& tables, WavePair* S) const {
    multiply(row, tables);
    for (long n = row.first; n <= row.last; ++n, ++S) {
      const double *const c = tables.of[2].cosines(n), *const s = tables.of[2].sines(n);
      ChargeLanes re_c = ChargeLanes::Zero(), im_s = re_c, re_s = re_c, im_c = re_c;
      for (long j = 0; j < charges_a_block; j += lane_width) {
        const ChargeLanes re = lanes_at(&tables.re[static_cast<std::size_t>(j)]),
                          im = lanes_at(&tables.im[static_cast<std::size_t>(j)]);
        const ChargeLanes of_c = lanes_at(c + j), of_s = lanes_at(s + j);
        re_c += re * of_c;
        im_s += im * of_s;
        re_s += re * of_s;
        im_c += im * of_c;
      }
      const double a = re_c.sum(), b = im_s.sum(), d = re_s.sum(), e = im_c.sum();
      S->up.re += a - b, S->up.im += d + e;
      S->down.re += a + b, S->down.im += e - d;
    }
  }

  // sum over k of n Im(exp(-k^2/(4 alpha^2))/k^2 S*(k) q exp(i k.r)) along each axis, for the charges of a block. S: see above.
  void find_gradient(const std::vector<WavePair>& S, WaveTables& tables) const {
    for (auto& along : tables.gradient) along.fill(0);
    for (const WaveRow& row : rows_) {
      multiply(row, tables);
      const WavePair* const first = S.data() + row.at;
      for (long j = 0; j < charges_a_block; j += lane_width) {
        ChargeLanes re = ChargeLanes::Zero(), im = re, along_re = re, along_im = re;  // sum of S* exp(i k_z z), and that times n
        const WavePair* at = first;
        for (long n = row.first; n <= row.last; ++n, ++at) {
          const ChargeLanes c = lanes_at(tables.of[2].cosines(n) + j), s = lanes_at(tables.of[2].sines(n) + j);
          const double order = static_cast<double>(n);
          re += at->up.re * c - at->down.im * s;
          im += at->up.im * c + at->down.re * s;
          along_re += (order * at->down.re) * c - (order * at->up.im) * s;
          along_im += (order * at->down.im) * c + (order * at->up.re) * s;
        }
        const auto to = [&](std::size_t a) { return Eigen::Map<ChargeLanes>(&tables.gradient[a][static_cast<std::size_t>(j)]); };
        const ChargeLanes of_re = lanes_at(&tables.re[static_cast<std::size_t>(j)]),
                          of_im = lanes_at(&tables.im[static_cast<std::size_t>(j)]);
        const ChargeLanes whole = of_re * im + of_im * re;
        to(0) += static_cast<double>(row.nx) * whole;
        to(1) += static_cast<double>(row.ny) * whole;
        to(2) += of_re * along_im + of_im * along_re;
      }
    }
  }

  EwaldSum sum_;
  std::array<long, 3> most_{};  // along each axis
  std::vector<WaveRow> rows_;
  std::vector<WaveWeight> weights_;  // exp(-k^2/(4 alpha^2))/k^2; 0 where -k is counted
  double itself_ = 0, scale_ = 0;
  long blocks_ = 0, shares_ = 0;
  mutable std::mutex lending_;
  mutable std::vector<std::unique_ptr<WaveWorkspace>> idle_;
};

}  // namespace

double EwaldErrors::near(double alpha, double cutoff) const {
  const double a = std::cbrt(volume / charges), x = alpha * cutoff;
  return 2 * std::sqrt(a / cutoff) * std::exp(-x * x);
}

double EwaldErrors::waves(double alpha, double longest, long modes) const {
  const double a = std::cbrt(volume / charges);
  const double k = 2 * std::numbers::pi * std::sqrt(static_cast<double>(modes * modes + 2)) / longest;
  return alpha * a * std::sqrt(8 / (a * k)) * std::exp(-k * k / (4 * alpha * alpha));
}

double alpha_of(const EwaldErrors& errors, double cutoff, double accuracy) {
  double low = 0, high = 30 / cutoff;
  for (int step = 0; step < 60; ++step) {
    const double alpha = 0.5 * (low + high);
    const bool enough = errors.near(alpha, cutoff) <= accuracy && std::erfc(alpha * cutoff) <= most_jump;
    (enough ? high : low) = alpha;
  }
  return high;
}

long modes_of(const EwaldErrors& errors, double alpha, double longest, double accuracy, long most) {
  long modes = 1;
  while (modes < most && !(errors.waves(alpha, longest, modes) <= accuracy)) ++modes;
  return modes;
}

Callbacks callbacks_of(std::vector<EwaldSum> sums) {
  Callbacks out;
  out.name = "the Ewald sum";
  auto waves = std::make_shared<std::vector<std::unique_ptr<const Waves>>>();
  for (EwaldSum& sum : sums) {
    const Waves& of = *waves->emplace_back(std::make_unique<const Waves>(std::move(sum)));
    out.description.push_back(fmt::format("{}: a sum over {} pairs of waves k, -k of {} charges, alpha {:.6g}, modes {}",
                                          of.sum().name, of.count(), of.sum().charges.size(), of.sum().alpha, of.sum().modes));
    out.energies += of.count() + static_cast<long>(of.sum().charges.size());
  }
  out.energy = [waves](double, Callbacks::In q) {
    return std::accumulate(waves->begin(), waves->end(), 0.0, [&](double V, const auto& of) { return V + of->energy(q.data()); });
  };
  out.residual = [waves](double, Callbacks::In q, Callbacks::Out r) {
    for (const auto& of : *waves) of->add_gradient(q.data(), r.data());
  };
  return out;
}

}  // namespace actio::system
