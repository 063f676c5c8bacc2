#pragma once
#include <memory>
#include <type_traits>
#include <utility>

namespace actio::core {

// A function that is called through a pointer and outlives the call it is given to. Null where it is made of nothing.
template <class Signature>
class FunctionRef;

template <class R, class... A>
class FunctionRef<R(A...)> {
 public:
  FunctionRef() = default;
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, A...>)
      FunctionRef(F&& f)  // NOLINT: any function is one
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))), call_([](void* object, A... a) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<A>(a)...);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  R operator()(A... a) const { return call_(object_, std::forward<A>(a)...); }

 private:
  void* object_ = nullptr;
  R (*call_)(void*, A...) = nullptr;
};

}  // namespace actio::core
