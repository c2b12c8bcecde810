#include "slipstick/events/root_integrator.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <exception>
#include <vector>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

constexpr int kTryShorter = 1;  // CVODE's word for a failure that a shorter step may avoid
constexpr int kGiveUp = -1;

VecX CopyOf(N_Vector vector) {
  return Eigen::Map<const VecX>(N_VGetArrayPointer(vector), static_cast<Eigen::Index>(N_VGetLength(vector)));
}

}  // namespace

struct RootIntegrator::Memory {
  Functions functions;
  int size = -1, roots = 0;
  SUNContext context = nullptr;
  void* solver = nullptr;
  N_Vector y = nullptr;
  SUNNonlinearSolver iteration = nullptr;
  VecX state, result;
  std::exception_ptr thrown;  // must not pass through C

  void Free() {
    if (solver != nullptr) CVodeFree(&solver);
    if (iteration != nullptr) SUNNonlinSolFree(iteration);
    if (y != nullptr) N_VDestroy(y);
    iteration = nullptr;
    y = nullptr;
  }
  ~Memory() {
    Free();
    if (context != nullptr) SUNContext_Free(&context);
  }

  template <typename F>
  int Guarded(const F& function) {
    try {
      return function() ? 0 : kTryShorter;
    } catch (...) {
      thrown = std::current_exception();
      return kGiveUp;
    }
  }
  static int Rate(double t, N_Vector y, N_Vector rate, void* data) {
    auto* memory = static_cast<Memory*>(data);
    return memory->Guarded([&] {
      memory->state = CopyOf(y);
      if (!memory->functions.rate(t, memory->state, &memory->result) || !memory->result.allFinite()) return false;
      Eigen::Map<VecX>(N_VGetArrayPointer(rate), memory->result.size()) = memory->result;
      return true;
    });
  }
  static int Roots(double t, N_Vector y, double* values, void* data) {
    auto* memory = static_cast<Memory*>(data);
    const int status = memory->Guarded([&] {
      memory->state = CopyOf(y);
      memory->result.resize(memory->roots);
      if (!memory->functions.roots(t, memory->state, &memory->result)) return false;
      Eigen::Map<VecX>(values, memory->roots) = memory->result;
      return true;
    });
    return status == 0 ? 0 : kGiveUp;
  }
  // What goes wrong is told by the outcome.
  static void Silent(int, const char*, const char*, char*, void*) {}
};

RootIntegrator::RootIntegrator(Functions functions) : memory_(std::make_unique<Memory>()) {
  memory_->functions = std::move(functions);
  SLIPSTICK_CHECK(SUNContext_Create(nullptr, &memory_->context) == 0, "a context for SUNDIALS");
}

RootIntegrator::~RootIntegrator() = default;

void RootIntegrator::Start(double t, const VecX& y, int roots, const Tolerances& tolerances) {
  Memory& m = *memory_;
  const int size = static_cast<int>(y.size());
  const bool is_new = size != m.size || m.solver == nullptr;
  if (is_new) {
    m.Free();
    m.size = size;
    m.y = N_VNew_Serial(size, m.context);
    m.solver = CVodeCreate(CV_ADAMS, m.context);
    SLIPSTICK_CHECK(m.y != nullptr && m.solver != nullptr, "memory for the integrator");
  }
  Eigen::Map<VecX>(N_VGetArrayPointer(m.y), size) = y;
  m.roots = roots;
  bool good = true;
  const auto call = [&](int status) { good = good && status == CV_SUCCESS; };
  if (is_new) {
    call(CVodeInit(m.solver, Memory::Rate, t, m.y));
    call(CVodeSetErrHandlerFn(m.solver, Memory::Silent, nullptr));
    call(CVodeSetUserData(m.solver, &m));
    m.iteration = SUNNonlinSol_FixedPoint(m.y, 0, m.context);
    call(m.iteration != nullptr ? CVodeSetNonlinearSolver(m.solver, m.iteration) : kGiveUp);
  } else {
    call(CVodeReInit(m.solver, t, m.y));
  }
  call(CVodeSStolerances(m.solver, tolerances.relative, tolerances.absolute));
  call(CVodeSetMaxStep(m.solver, tolerances.longest_step));
  call(CVodeSetMaxNumSteps(m.solver, tolerances.most_steps));
  call(CVodeRootInit(m.solver, roots, Memory::Roots));
  if (roots > 0) {
    std::vector<int> falling(roots, -1);
    call(CVodeSetRootDirection(m.solver, falling.data()));
    call(CVodeSetNoInactiveRootWarn(m.solver));
  }
  SLIPSTICK_CHECK(good, "an integrator that takes its settings");
}

RootIntegrator::Outcome RootIntegrator::Advance(double end, double* t, VecX* y) {
  Memory& m = *memory_;
  m.thrown = nullptr;
  SLIPSTICK_CHECK(CVodeSetStopTime(m.solver, end) == CV_SUCCESS, "an end that lies ahead");
  const int status = CVode(m.solver, end, m.y, t, CV_NORMAL);
  if (m.thrown) std::rethrow_exception(m.thrown);
  *y = CopyOf(m.y);
  if (status == CV_ROOT_RETURN) return Outcome::kRoot;
  return status == CV_SUCCESS || status == CV_TSTOP_RETURN ? Outcome::kEnd : Outcome::kFailed;
}

std::vector<int> RootIntegrator::FoundRoots() const {
  std::vector<int> found(memory_->roots), numbers;
  if (CVodeGetRootInfo(memory_->solver, found.data()) != CV_SUCCESS) return numbers;
  for (int i = 0; i < memory_->roots; ++i) {
    if (found[i] != 0) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace slipstick::internal
