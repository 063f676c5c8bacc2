#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "hdf5.hpp"

// What every file of results has: texts, numbers and names.
namespace actio::run::hdf5 {

inline Type text_type(H5T_cset_t characters = H5T_CSET_UTF8) {
  Type type(H5Tcopy(H5T_C_S1), "type");
  check(H5Tset_size(type, H5T_VARIABLE), "type");  // kept in the heap: no limit on its length
  check(H5Tset_cset(type, characters), "type");
  return type;
}

inline void put_text(hid_t at, const std::string& name, const std::string& value, H5T_cset_t characters = H5T_CSET_UTF8) {
  const Type type = text_type(characters);
  const Space scalar(H5Screate(H5S_SCALAR), "space");
  if (H5Aexists(at, name.c_str()) > 0) check(H5Adelete(at, name.c_str()), "attribute");
  const Attribute a(H5Acreate2(at, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  const char* text = value.c_str();
  check(H5Awrite(a, type, &text), "attribute");
}

inline void put_number(hid_t at, const char* name, double value) {
  const Space scalar(H5Screate(H5S_SCALAR), "space");
  const Attribute a(H5Acreate2(at, name, H5T_IEEE_F64LE, scalar, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  check(H5Awrite(a, H5T_NATIVE_DOUBLE, &value), "attribute");
}

inline void put_names(hid_t at, const char* of, const std::vector<std::string>& names) {
  const hsize_t n = names.size();
  const Type type = text_type();
  const Space space(H5Screate_simple(1, &n, nullptr), "space");
  const Dataset d(H5Dcreate2(at, of, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "dataset");
  std::vector<const char*> text(names.size());
  std::transform(names.begin(), names.end(), text.begin(), [](const std::string& s) { return s.c_str(); });
  if (n > 0) check(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "names");
}

}  // namespace actio::run::hdf5
