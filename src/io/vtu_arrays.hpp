#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "vtk_bytes.hpp"

namespace actio::io {

// The XML of a VTK file, without the bytes appended to it, and its arrays.
class VtuDocument {
 public:
  // Throws core::InputError where it is no XML, or not a VTKFile of this type.
  VtuDocument(const std::string& bytes, std::string path, const std::string& type);

  pugi::xml_node root() const { return root_; }
  // The element of this name. Throws where there is none.
  pugi::xml_node child(pugi::xml_node of, const char* name) const;
  // The DataArray of this name below `of`, or the first one where it is null; it may be none.
  static pugi::xml_node array(pugi::xml_node of, const char* name);
  // A count from 0 to `most`.
  std::int64_t count(pugi::xml_node at, const char* attribute, std::int64_t most) const;

  // `count` numbers of a DataArray.
  std::vector<std::int64_t> integers(pugi::xml_node array, std::int64_t count) const;
  std::vector<double> reals(pugi::xml_node array, std::int64_t count) const;
  static bool has_integers(pugi::xml_node array);

  [[noreturn]] void fail(pugi::xml_node at, const std::string& message, const std::string& hint = {}) const;

 private:
  template <class T>
  std::vector<T> numbers(pugi::xml_node array, std::int64_t count) const;
  template <class T>
  std::vector<T> words(pugi::xml_node array, std::int64_t count) const;
  // `count` numbers of `width` bytes, in this machine's byte order
  std::string bytes(pugi::xml_node array, std::int64_t count, int width) const;

  const std::string& text_;
  std::string path_;
  pugi::xml_document document_;
  pugi::xml_node root_;
  VtkEncoding encoding_;
  std::string_view appended_;  // behind the _
  std::string appended_as_;    // "raw", "base64", or "" where nothing is appended
};

}  // namespace actio::io
