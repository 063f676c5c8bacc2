#pragma once
#include <stdexcept>
#include <string>
#include <utility>

#include <hdf5.h>

// The C library's identifiers with an owner each.
namespace actio::run::hdf5 {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The deepest message on the library's error stack, or `otherwise`.
inline std::string last_message(const std::string& otherwise) {
  std::string message;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* e, void* out) -> herr_t {
        if (n == 0 && e->desc != nullptr) *static_cast<std::string*>(out) = e->desc;
        return 0;
      },
      &message);
  return message.empty() ? otherwise : message;
}

inline void check(herr_t status, const char* what) {
  if (status < 0) throw Error(last_message(what));
}

using Close = herr_t (*)(hid_t);

template <Close close>
class Owner {
 public:
  Owner() = default;
  Owner(hid_t id, const char* what) : id_(id) {
    if (id_ < 0) throw Error(last_message(what));
  }
  Owner(Owner&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Owner& operator=(Owner&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() {
    if (id_ >= 0) close(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
};

using File = Owner<H5Fclose>;
using Group = Owner<H5Gclose>;
using Dataset = Owner<H5Dclose>;
using Space = Owner<H5Sclose>;
using Type = Owner<H5Tclose>;
using Attribute = Owner<H5Aclose>;
using Properties = Owner<H5Pclose>;

}  // namespace actio::run::hdf5
