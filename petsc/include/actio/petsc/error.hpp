#pragma once
#include <petscsys.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

// Errors of a program of many processes: an exception leaves a function on all of them or on none, else those without it wait for
// ever in the next message.
namespace actio::petsc {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// PETSc and MPI, from here to the end of the object. Vectors, matrices and solvers that live longer are left to the operating
// system.
class Session {
 public:
  Session(int& argc, char**& argv);  // takes PETSc's options out of PETSC_OPTIONS and argv
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

[[noreturn]] void throw_error(PetscErrorCode code);
// Throws Error, in PETSc's words, unless code is 0. PETSc's functions on distributed objects fail on all ranks alike.
inline void check(PetscErrorCode code) {
  if (code != 0) [[unlikely]]
    throw_error(code);
}

// Collective.
bool on_any(MPI_Comm comm, bool mine);

// What the first rank says that has something to say; nothing where none has. Collective.
std::optional<std::string> first_message(MPI_Comm comm, const std::optional<std::string>& message);

// f(), which sends no messages, on every rank; the first exception of any of them as a message, on all. Collective.
template <class F>
std::optional<std::string> failure_of(MPI_Comm comm, F&& f) {
  std::optional<std::string> message;
  try {
    f();
  } catch (const std::exception& error) { message = error.what(); }
  return first_message(comm, message);
}

// f(), which sends no messages, on every rank; if it throws on one, Error is thrown on all. Collective.
template <class F>
void collectively(MPI_Comm comm, F&& f) {
  if (const auto message = failure_of(comm, f)) throw Error(*message);
}

}  // namespace actio::petsc
