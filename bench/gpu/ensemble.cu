// Nanoseconds a step of a member: the generated steps of one case (TEXT) on a GPU and on the host, beside loops by hand, and how
// far the two machines' numbers are apart. With an argument it only compares.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "device.h"

#define ACTIO_LANES 1
#define ACTIO_GROUP 1
namespace lane {  // a thread is a lane: its state stays in registers
#include TEXT
#include "hand.h"
}  // namespace lane
#undef ACTIO_LANES
#undef ACTIO_GROUP
#define ACTIO_LANES 64
#define ACTIO_GROUP 32
namespace block {  // a thread is a block of 64 lanes, as on the host
#include TEXT
}  // namespace block

using lane::n, lane::rows, lane::varied;
extern "C" {  // of the host's compiler
void lanes_start(double t, const double* u, const double* c, double* x);
void lanes_step(long count, const double* h, const double* at, const double* s, const double* end, const double* whole,
                const double* u, const double* c, double* x, double* note);
void hand(long steps, double h, const double* c, double* x);
}

namespace {

constexpr long width = 64, steps = 256, note_rows = 3, most_alone = 1000000;
constexpr double h = 0.05;
constexpr bool implicit = rows == 4 * n;

struct Substeps {
  double h[steps], at[steps], s[steps], end[steps], whole[steps];
};

__global__ void steps_of_lanes(const Substeps* of, const double* u, const double* c, double* x, double* note) {
  x += blockIdx.x * rows * width + threadIdx.x;
  c += blockIdx.x * varied * width + threadIdx.x;
  note += blockIdx.x * note_rows * width + threadIdx.x;
  double mine[rows], constants[varied + 1], notes[note_rows];
  for (int r = 0; r < rows; ++r) mine[r] = x[r * width];
  for (int j = 0; j < varied; ++j) constants[j] = c[j * width];
  if (implicit)
    for (int r = 0; r < note_rows; ++r) notes[r] = note[r * width];
  lane::lanes_step(steps, of->h, of->at, of->s, of->end, of->whole, u, constants, mine, notes);
  for (int r = 0; r < rows; ++r) x[r * width] = mine[r];
  if (implicit)
    for (int r = 0; r < note_rows; ++r) note[r * width] = notes[r];
}

__global__ void steps_of_blocks(long blocks, const Substeps* of, const double* u, const double* c, double* x, double* note) {
  const long b = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (b < blocks)
    block::lanes_step(steps, of->h, of->at, of->s, of->end, of->whole, u, c + b * varied * width, x + b * rows * width,
                      note + b * note_rows * width);
}

__global__ void steps_by_hand(const double* c, double* x) {
  x += blockIdx.x * rows * width + threadIdx.x;
  c += blockIdx.x * varied * width + threadIdx.x;
  double mine[2 * n], constants[varied + 1];
  for (int r = 0; r < 2 * n; ++r) mine[r] = x[r * width];
  for (int j = 0; j < varied; ++j) constants[j] = c[j * width];
  lane::hand(steps, h, constants, mine);
  for (int r = 0; r < 2 * n; ++r) x[r * width] = mine[r];
}

void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
  std::exit(1);
}

template <class F>
double least(F&& f) {  // [ns]
  double best = 1e300;
  for (int k = 0; k < 6; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

template <class F>
void for_blocks(long blocks, int threads, F&& f) {
  std::vector<std::thread> crew;
  for (int k = 0; k < threads; ++k)
    crew.emplace_back([&, k] {
      for (long b = blocks * k / threads; b < blocks * (k + 1) / threads; ++b) f(b);
    });
  for (std::thread& t : crew) t.join();
}

double uniform(unsigned long k) {  // in (0, 1), of the counter k
  k = (k + 0x9e3779b97f4a7c15ul) * 0xbf58476d1ce4e5b9ul;
  k = (k ^ k >> 27) * 0x94d049bb133111ebul;
  return static_cast<double>((k ^ k >> 31) >> 11) * 0x1p-53;
}

double* on_device(std::size_t size) {
  double* out = nullptr;
  check(cudaMalloc(&out, size * sizeof(double)));
  check(cudaMemset(out, 0, size * sizeof(double)));
  return out;
}
void to_device(double* to, const std::vector<double>& from) {
  check(cudaMemcpy(to, from.data(), from.size() * sizeof(double), cudaMemcpyHostToDevice));
}

void run(long members, bool only_compare) {
  const int all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const long blocks = (members + width - 1) / width;
  const auto size = [&](long of) { return static_cast<std::size_t>(blocks * width * of); };
  static Substeps substeps;
  for (long k = 0; k < steps; ++k) {
    substeps.h[k] = h;
    substeps.at[k] = h * static_cast<double>(k + 1);
    substeps.s[k] = k > 0;
    substeps.end[k] = h * static_cast<double>(k + 1);
    substeps.whole[k] = 1;
  }
  const std::vector<double> u(64, 1.0);  // parameters and masses are 1
  std::vector<double> c(size(varied) + 1), x(size(rows)), note(size(note_rows));
  for_blocks(blocks, all, [&](long b) {
    for (long l = 0; l < width; ++l) {
      const auto m = static_cast<unsigned long>(b * width + l);
      double* const at = x.data() + b * rows * width + l;
      for (long i = 0; i < 2 * n; ++i) at[i * width] = 0.4 * (uniform(8 * m + static_cast<unsigned long>(i)) - 0.5);
#ifdef OSCILLATOR_MIDPOINT
      at[0] += 1.2;
#endif
      for (long j = 0; j < varied; ++j) c[static_cast<std::size_t>((b * varied + j) * width + l)] = 1 + 0.1 * uniform(8 * m + 7);
    }
    lanes_start(0, u.data(), c.data() + b * varied * width, x.data() + b * rows * width);
  });

  double *const du = on_device(u.size()), *const dc = on_device(c.size()), *const dx = on_device(x.size()),
                *const dn = on_device(note.size());
  Substeps* ds = nullptr;
  check(cudaMalloc(&ds, sizeof(Substeps)));
  check(cudaMemcpy(ds, &substeps, sizeof(Substeps), cudaMemcpyHostToDevice));
  to_device(du, u);
  to_device(dc, c);
  to_device(dx, x);
  const auto grid = static_cast<unsigned>(blocks);
  const auto on_lanes = [&] { steps_of_lanes<<<grid, width>>>(ds, du, dc, dx, dn); };
  const auto on_host = [&](int threads) {
    for_blocks(blocks, threads, [&](long b) {
      lanes_step(steps, substeps.h, substeps.at, substeps.s, substeps.end, substeps.whole, u.data(),
                 c.data() + b * varied * width, x.data() + b * rows * width, note.data() + b * note_rows * width);
    });
  };

  const std::vector<double> start = x;
  on_lanes();
  check(cudaDeviceSynchronize());
  std::vector<double> there(x.size()), notes_there(note.size());
  check(cudaMemcpy(there.data(), dx, x.size() * sizeof(double), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(notes_there.data(), dn, note.size() * sizeof(double), cudaMemcpyDeviceToHost));
  on_host(all);
  double apart = 0, iterations = 0;
  long other = 0, other_iterations = 0;
  for (long b = 0; b < blocks; ++b)
    for (long l = 0; l < width; ++l) {
      bool same = true;
      for (long r = 0; r < rows; ++r) {
        const auto k = static_cast<std::size_t>((b * rows + r) * width + l);
        same = same && std::memcmp(&x[k], &there[k], sizeof(double)) == 0;
        if (r < 2 * n) apart = std::fmax(apart, std::isnan(x[k] - there[k]) ? INFINITY : std::fabs(x[k] - there[k]));
      }
      other += !same;
      const auto k = static_cast<std::size_t>((b * note_rows + 1) * width + l);
      other_iterations += note[k] != notes_there[k];
      iterations += note[k];
    }
  const double work = static_cast<double>(blocks * width * steps);
  if (only_compare) {
    std::printf("    of %ld members %ld differ from the host in some bit after %ld steps, q and p by at most %.2g", members,
                other, steps, apart);
    if (implicit)
      std::printf(";\n    %.4f iterations a step, of %ld members another number than on the host", iterations / work,
                  other_iterations);
    std::printf("\n");
  } else {
    double* pinned = nullptr;
    check(cudaMallocHost(&pinned, x.size() * sizeof(double)));
    const double gpu = least([&] {
      on_lanes();
      check(cudaDeviceSynchronize());
    });
    const double copied = least([&] {
      check(cudaMemcpyAsync(ds, &substeps, sizeof(Substeps), cudaMemcpyHostToDevice));
      on_lanes();
      check(cudaMemcpyAsync(pinned, dx, x.size() * sizeof(double), cudaMemcpyDeviceToHost));
      check(cudaDeviceSynchronize());
    });
    to_device(dx, start);
    const double by_blocks = least([&] {
      steps_of_blocks<<<static_cast<unsigned>((blocks + 31) / 32), 32>>>(blocks, ds, du, dc, dx, dn);
      check(cudaDeviceSynchronize());
    });
    to_device(dx, start);
    const double by_hand = least([&] {
      steps_by_hand<<<grid, width>>>(dc, dx);
      check(cudaDeviceSynchronize());
    });
    const double host = least([&] { on_host(all); });
    const double one = members <= most_alone ? least([&] { on_host(1); }) : 0;
    x = start;
    const double host_by_hand = least([&] {
      for_blocks(blocks, all, [&](long b) { hand(steps, h, c.data() + b * varied * width, x.data() + b * rows * width); });
    });
    std::printf("  %9ld %10.5f %10.5f %10.5f %10.5f %10.4f %10.4f", members, gpu / work, by_hand / work, copied / work,
                by_blocks / work, host / work, host_by_hand / work);
    members <= most_alone ? std::printf(" %10.3f\n", one / work) : std::printf(" %10s\n", "-");
    check(cudaFreeHost(pinned));
  }
  for (void* p :
       {static_cast<void*>(du), static_cast<void*>(dc), static_cast<void*>(dx), static_cast<void*>(dn), static_cast<void*>(ds)})
    check(cudaFree(p));
}

}  // namespace

int main(int count, char**) {
  check(cudaFree(nullptr));
  if (count > 1) {
    run(1000000, true);
    return 0;
  }
  std::printf("    members        GPU    by hand  with copy  as blocks       host    by hand one thread\n");
  for (const long members : {10000l, 100000l, 1000000l, 10000000l}) run(members, false);
}
