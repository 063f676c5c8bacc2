#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <actio/core/error.hpp>
#include <actio/method/cvode.hpp>
#include <algorithm>

namespace actio::method {

struct CvodeAdamsSolver::Implementation {
  SUNContext context = nullptr;
  N_Vector y = nullptr;
  SUNNonlinearSolver fixed_point = nullptr;
  void* memory = nullptr;
  RightSide rhs = nullptr;
  void* self = nullptr;

  static int call(double t, N_Vector y, N_Vector dy, void* data) {
    auto& s = *static_cast<Implementation*>(data);
    return s.rhs(s.self, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy)) ? 0 : 1;
  }
  static void check(int flag, const char* what) {
    if (flag < 0) throw core::InputError(std::string("CVODE: ") + what + " failed");
  }
  // Failures are reported by advance.
#if SUNDIALS_VERSION_MAJOR >= 7
  void silence() { check(SUNContext_ClearErrHandlers(context), "SUNContext_ClearErrHandlers"); }
  static constexpr auto one_process = [] { return SUN_COMM_NULL; };
#else
  static void quiet(int, const char*, const char*, char*, void*) {}
  void silence() { check(CVodeSetErrHandlerFn(memory, quiet, nullptr), "CVodeSetErrHandlerFn"); }
  static constexpr auto one_process = [] { return nullptr; };
#endif

  Implementation(long m, double rtol, double atol) {
    check(SUNContext_Create(one_process(), &context), "SUNContext_Create");
    y = N_VNew_Serial(static_cast<sunindextype>(m), context);
    memory = CVodeCreate(CV_ADAMS, context);
    if (!y || !memory) throw std::bad_alloc();
    N_VConst(0, y);
    silence();
    check(CVodeInit(memory, call, 0, y), "CVodeInit");
    check(CVodeSStolerances(memory, rtol, atol), "CVodeSStolerances");
    check(CVodeSetUserData(memory, this), "CVodeSetUserData");
    check(CVodeSetMaxNumSteps(memory, 10'000'000), "CVodeSetMaxNumSteps");
    fixed_point = SUNNonlinSol_FixedPoint(y, 0, context);
    check(CVodeSetNonlinearSolver(memory, fixed_point), "CVodeSetNonlinearSolver");
  }
  Implementation(const Implementation&) = delete;
  ~Implementation() {
    CVodeFree(&memory);
    if (fixed_point) SUNNonlinSolFree(fixed_point);
    if (y) N_VDestroy(y);
    SUNContext_Free(&context);
  }
};

CvodeAdamsSolver::CvodeAdamsSolver(long m, double rtol, double atol)
    : implementation_(std::make_unique<Implementation>(m, rtol, atol)) {}
CvodeAdamsSolver::~CvodeAdamsSolver() = default;
CvodeAdamsSolver::CvodeAdamsSolver(CvodeAdamsSolver&&) noexcept = default;

long CvodeAdamsSolver::advance(RightSide rhs, void* self, bool restart, double t, double t1, std::span<double> y) {
  Implementation& s = *implementation_;
  s.rhs = rhs;
  s.self = self;
  std::copy(y.begin(), y.end(), N_VGetArrayPointer(s.y));
  if (restart && CVodeReInit(s.memory, t, s.y) < 0) return -1;
  long before = 0, after = 0;
  CVodeGetNumRhsEvals(s.memory, &before);
  double reached = t;
  if (CVode(s.memory, t1, s.y, &reached, CV_NORMAL) < 0) return -1;
  CVodeGetNumRhsEvals(s.memory, &after);
  std::copy_n(N_VGetArrayPointer(s.y), y.size(), y.begin());
  return after - before;
}

}  // namespace actio::method
