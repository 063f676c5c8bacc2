#include "modes_hdf5.hpp"

#include <cstring>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "../run/output/hdf5_driver.hpp"
#include "../run/output/hdf5_write.hpp"

namespace actio::session {
namespace {

namespace hdf5 = run::hdf5;

// A row a mode.
void put_rows(hid_t at, const char* name, const Eigen::MatrixXd& columns) {
  const hsize_t size[2] = {static_cast<hsize_t>(columns.cols()), static_cast<hsize_t>(columns.rows())};
  const hdf5::Space space(H5Screate_simple(2, size, nullptr), "space");
  const hdf5::Dataset d(H5Dcreate2(at, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "dataset");
  if (columns.size() > 0)
    hdf5::check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, columns.data()), "write a dataset");
}
void put_row(hid_t at, const char* name, const Eigen::VectorXd& values) {
  const auto size = static_cast<hsize_t>(values.size());
  const hdf5::Space space(H5Screate_simple(1, &size, nullptr), "space");
  const hdf5::Dataset d(H5Dcreate2(at, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "dataset");
  hdf5::check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write a dataset");
}

template <class F>
Eigen::VectorXd each(const Modes& m, F&& f) {
  return Eigen::VectorXd::NullaryExpr(m.size(), [&](Eigen::Index k) { return f(k); });
}

}  // namespace

void write_modes_hdf5(const Modes& m, const io::Problem& p, const std::string& path) {
  try {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hdf5::Properties access(hdf5::careful_access(), "driver");
    const hdf5::File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "create the file");
    hdf5::put_text(file, "title", p.model.title);
    hdf5::put_text(file, "problem", p.text);
    hdf5::put_text(file, "problem_path", p.path);
    hdf5::put_text(file, "version", version());
    hdf5::put_text(file, "not_proved", m.not_proved);
    hdf5::put_number(file, "rigid", static_cast<double>(m.rigid));
    hdf5::put_number(file, "growing", static_cast<double>(m.growing));
    hdf5::put_names(file, "coordinates", m.coordinates);
    put_row(file, "omega", m.omega);
    put_row(file, "frequency", each(m, [&](long k) { return m.frequency(k); }));
    put_row(file, "period", each(m, [&](long k) { return m.period(k); }));
    put_row(file, "growth", m.growth);
    put_row(file, "residual", m.residual);
    put_rows(file, "shape", m.shape);
    const auto count = static_cast<long>(m.directions.size());
    std::vector<std::string> names;
    Eigen::VectorXd mass(count);
    Eigen::MatrixXd participation(count, m.size()), effective(count, m.size());
    for (long d = 0; d < count; ++d) {
      const Direction& of = m.directions[static_cast<std::size_t>(d)];
      names.push_back(of.name);
      mass[d] = of.mass;
      participation.row(d) = of.participation;
      effective.row(d) = of.effective_mass;
    }
    if (count > 0) {
      hdf5::put_names(file, "directions", names);
      put_row(file, "mass", mass);
      put_rows(file, "participation", participation);
      put_rows(file, "effective_mass", effective);
    }
    hdf5::check(H5Fflush(file, H5F_SCOPE_GLOBAL), "write the file");
    if (const int code = hdf5::failed_write(file); code != 0) throw hdf5::Error(std::strerror(code));
  } catch (const hdf5::Error& e) { throw core::InputError(fmt::format("cannot write \"{}\": {}", path, e.what())); }
}

}  // namespace actio::session
