#pragma once
#include <petscsys.h>

#include <utility>

namespace actio::petsc {

// The one owner of a PETSc object, or of none. After PetscFinalize it lets go of it.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(Object owned) noexcept : object_(owned) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ && !PetscFinalizeCalled) (void)destroy(&object_);
  }
  Object get() const { return object_; }
  Object* out() { return &object_; }  // of an empty one, for functions that make the object
  explicit operator bool() const { return object_ != nullptr; }

 private:
  Object object_ = nullptr;
};

}  // namespace actio::petsc
