#include "library.hpp"

#include <actio/system/potential_abi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <filesystem>

namespace actio::system {

namespace {

std::shared_ptr<const actio_potential> load(const std::string& path, long n, long parameters) {
  const std::string absolute = std::filesystem::absolute(path).string();
  std::shared_ptr<void> handle(dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* p) {
    if (p) dlclose(p);
  });
  if (!handle) throw core::InputError(fmt::format("cannot load the library {}: {}", path, dlerror()));
  const auto get = reinterpret_cast<actio_potential_getter>(dlsym(handle.get(), "actio_potential_get"));
  const auto fail = [&](const std::string& why) {
    throw core::InputError(fmt::format("library {}: {}", path, why), "see actio/system/potential_abi.h");
  };
  if (!get) fail("exports no actio_potential_get");
  const actio_potential* potential = get();
  if (!potential) fail("actio_potential_get returned nothing");
  if (potential->abi != ACTIO_POTENTIAL_ABI)
    fail(fmt::format("has interface version {}, and Actio has version {}", potential->abi, ACTIO_POTENTIAL_ABI));
  if (!potential->value || !potential->gradient || !potential->hessian) fail("value, gradient and hessian must all be given");
  if (potential->n != n) fail(fmt::format("expects {} coordinates, the system has {}", potential->n, n));
  if (potential->parameters != parameters)
    fail(fmt::format("expects {} parameters, the system has {}", potential->parameters, parameters));
  if (potential->nonzeros > 0 && (!potential->rows || !potential->cols))
    fail("gives the nonzeros of its Hessian without rows and cols");
  for (int64_t k = 0; k < potential->nonzeros; ++k)
    if (potential->rows[k] < 0 || potential->rows[k] >= n || potential->cols[k] < 0 || potential->cols[k] >= n)
      fail(fmt::format("entry {} of its Hessian is at ({}, {}), outside {} x {}", k, potential->rows[k], potential->cols[k], n,
                       n));
  return {potential, [handle](const actio_potential*) {}};
}

}  // namespace

std::shared_ptr<const Callbacks> load_library(const std::string& path, long n, const std::vector<double>& parameters) {
  const auto from = load(path, n, static_cast<long>(parameters.size()));
  auto code = std::make_shared<Callbacks>();
  if (from->nonzeros > 0) {
    code->rows.assign(from->rows, from->rows + from->nonzeros);
    code->columns.assign(from->cols, from->cols + from->nonzeros);
  } else {
    for (std::int32_t j = 0; j < n; ++j)
      for (std::int32_t i = 0; i < n; ++i) {
        code->rows.push_back(i);
        code->columns.push_back(j);
      }
  }
  using In = Callbacks::In;
  using Out = Callbacks::Out;
  code->energy = [from, parameters](double t, In q) { return from->value(t, q.data(), parameters.data()); };
  code->residual = [from, parameters](double t, In q, Out r) { from->gradient(t, q.data(), parameters.data(), r.data()); };
  code->tangent = [from, parameters](double t, In q, Out values) {
    from->hessian(t, q.data(), parameters.data(), values.data());
  };
  return code;
}

}  // namespace actio::system
