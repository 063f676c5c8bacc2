#include <actio/petsc/error.hpp>
#include <cstdlib>
#include <utility>

namespace actio::petsc {
namespace {

std::string first_words;  // of the error under way

PetscErrorCode remember(MPI_Comm, int, const char* function, const char*, PetscErrorCode code, PetscErrorType type,
                        const char* message, void*) {
  if (type == PETSC_ERROR_INITIAL) first_words = std::string(function ? function : "PETSc") + ": " + (message ? message : "");
  return code;
}

}  // namespace

Session::Session(int& argc, char**& argv) {
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 0);  // by several threads it deals out the same nodes in another way each time
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  check(PetscPushErrorHandler(remember, nullptr));
}

Session::~Session() {
  (void)PetscPopErrorHandler();
  (void)PetscFinalize();
}

void throw_error(PetscErrorCode code) {
  std::string words = std::exchange(first_words, {});
  if (words.empty()) {
    const char* text = nullptr;
    (void)PetscErrorMessage(code, &text, nullptr);
    words = text ? text : "error " + std::to_string(static_cast<int>(code));
  }
  throw Error("PETSc: " + words);
}

bool on_any(MPI_Comm comm, bool mine) {
  int here = mine, any = 0;
  MPI_Allreduce(&here, &any, 1, MPI_INT, MPI_MAX, comm);
  return any != 0;
}

std::optional<std::string> first_message(MPI_Comm comm, const std::optional<std::string>& message) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int mine = message ? rank : ranks, first = ranks;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return {};
  std::string text = rank == first ? *message : std::string();
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, first, comm);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, first, comm);
  return text;
}

}  // namespace actio::petsc
