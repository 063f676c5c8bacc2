#include "vtu_arrays.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "number.hpp"
#include "place.hpp"
#include "text.hpp"

namespace actio::io {
namespace {

constexpr unsigned as_written = pugi::parse_minimal | pugi::parse_escapes;  // offsets in values are offsets in the file

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// For a message.
std::string name_of(pugi::xml_node array) {
  const char* name = array.attribute("Name").value();
  return *name == '\0' ? std::string("the array") : fmt::format("\"{}\"", printable(name));
}

// Calls f with a value of VTK's type; false where there is no such type.
template <class F>
bool with_type(std::string_view type, F&& f) {
  if (type == "Int8") return f(std::int8_t{}), true;
  if (type == "UInt8") return f(std::uint8_t{}), true;
  if (type == "Int16") return f(std::int16_t{}), true;
  if (type == "UInt16") return f(std::uint16_t{}), true;
  if (type == "Int32") return f(std::int32_t{}), true;
  if (type == "UInt32") return f(std::uint32_t{}), true;
  if (type == "Int64") return f(std::int64_t{}), true;
  if (type == "UInt64") return f(std::uint64_t{}), true;
  if (type == "Float32") return f(float{}), true;
  if (type == "Float64") return f(double{}), true;
  return false;
}

}  // namespace

VtuDocument::VtuDocument(const std::string& bytes, std::string path, const std::string& type)
    : text_(bytes), path_(std::move(path)) {
  // Bytes appended raw are no XML: it ends before them.
  constexpr std::string_view tag = "<AppendedData", end_tag = "</AppendedData";
  const std::size_t from = bytes.find(tag);
  std::string_view xml(bytes);
  std::string cut;
  pugi::xml_document appended;
  if (from != std::string::npos) {
    cut = bytes.substr(0, from) + "</VTKFile>";
    xml = cut;
    const std::size_t close = std::min(bytes.find('>', from), bytes.size());
    const std::string opening = bytes.substr(from, close - from) + "/>";
    if (!appended.load_buffer(opening.data(), opening.size(), as_written, pugi::encoding_utf8))
      throw core::InputError(place_in(bytes, path_, from, tag.size()), "this is not XML");
    appended_as_ = appended.first_child().attribute("encoding").value();
    if (appended_as_ != "raw" && appended_as_ != "base64")
      throw core::InputError(place_in(bytes, path_, from, tag.size()),
                             fmt::format("appended data in the encoding \"{}\"", printable(appended_as_)),
                             "raw and base64 can be read");
    std::size_t begin = std::min(close + 1, bytes.size());
    while (begin < bytes.size() && blank(bytes[begin])) ++begin;
    const std::size_t end = bytes.rfind(end_tag);
    if (begin == bytes.size() || bytes[begin] != '_' || end == std::string::npos || end < begin)
      throw core::InputError(place_in(bytes, path_, from, tag.size()), "the file ends within the appended data",
                             "they begin with _ and end with </AppendedData>");
    appended_ = std::string_view(bytes).substr(begin + 1, end - begin - 1);
  }
  const auto result = document_.load_buffer(xml.data(), xml.size(), as_written, pugi::encoding_utf8);
  if (!result)
    throw core::InputError(place_in(bytes, path_, static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), 1),
                           fmt::format("this is not XML: {}", result.description()));
  root_ = document_.document_element();
  if (std::string_view(root_.name()) != "VTKFile") fail(root_, "<VTKFile expected");
  if (const std::string_view is = root_.attribute("type").value(); is != type)
    fail(root_, fmt::format("the file is of type \"{}\"; only {} can be read", printable(is), type));
  const std::string_view order = root_.attribute("byte_order").as_string("LittleEndian");
  if (order != "LittleEndian" && order != "BigEndian") fail(root_, fmt::format("unknown byte_order \"{}\"", printable(order)));
  encoding_.swapped = (order == "BigEndian") != (std::endian::native == std::endian::big);
  const std::string_view header = root_.attribute("header_type").as_string("UInt32");
  if (header != "UInt32" && header != "UInt64") fail(root_, fmt::format("unknown header_type \"{}\"", printable(header)));
  encoding_.header_bytes = header == "UInt64" ? 8 : 4;
  const std::string_view compressor = root_.attribute("compressor").value();
  if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
    fail(root_, fmt::format("data compressed by \"{}\"", printable(compressor)), "vtkZLibDataCompressor can be read");
  encoding_.zlib = !compressor.empty();
}

pugi::xml_node VtuDocument::child(pugi::xml_node of, const char* name) const {
  const pugi::xml_node found = of.child(name);
  if (!found) fail(of, fmt::format("<{}> has no <{}>", printable(of.name()), name));
  return found;
}

pugi::xml_node VtuDocument::array(pugi::xml_node of, const char* name) {
  return name == nullptr ? of.child("DataArray") : of.find_child_by_attribute("DataArray", "Name", name);
}

std::int64_t VtuDocument::count(pugi::xml_node at, const char* attribute, std::int64_t most) const {
  const auto n = to_number<std::int64_t>(at.attribute(attribute).value());
  if (!n || *n < 0 || *n > most) fail(at, fmt::format("{} must be an integer from 0 to {}", attribute, most));
  return *n;
}

bool VtuDocument::has_integers(pugi::xml_node array) {
  const std::string_view type = array.attribute("type").value();
  return type.starts_with("Int") || type.starts_with("UInt");
}

std::vector<std::int64_t> VtuDocument::integers(pugi::xml_node array, std::int64_t count) const {
  if (!has_integers(array)) fail(array, fmt::format("{} must be integers", name_of(array)));
  return numbers<std::int64_t>(array, count);
}

std::vector<double> VtuDocument::reals(pugi::xml_node array, std::int64_t count) const { return numbers<double>(array, count); }

template <class T>
std::vector<T> VtuDocument::numbers(pugi::xml_node array, std::int64_t count) const {
  if (count == 0) return {};
  if (static_cast<std::uint64_t>(count) / most_inflated > text_.size())
    fail(array, fmt::format("{} needs {} numbers; the file cannot hold them", name_of(array), count));
  const std::string_view type = array.attribute("type").value(), format = array.attribute("format").as_string("ascii");
  std::vector<T> out;
  const bool known = with_type(type, [&]<class From>(From) {
    if (format == "ascii") {
      out = words<T>(array, count);
      return;
    }
    const std::string raw = bytes(array, count, sizeof(From));
    out.resize(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < out.size(); ++k) {
      From x;
      std::memcpy(&x, raw.data() + k * sizeof(From), sizeof(From));
      if constexpr (std::is_same_v<From, std::uint64_t>)
        if (x > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
          fail(array, fmt::format("value {} of {} is {}, too large", k + 1, name_of(array), x));
      out[k] = static_cast<T>(x);
    }
  });
  if (!known) fail(array, fmt::format("unknown type \"{}\"", printable(type)));
  return out;
}

template <class T>
std::vector<T> VtuDocument::words(pugi::xml_node array, std::int64_t count) const {
  const pugi::xml_node content = array.first_child();
  const std::string_view text = content.value();
  const auto place = [&](std::size_t at, std::size_t length) {
    return place_in(text_, path_, static_cast<std::size_t>(std::max<std::ptrdiff_t>(content.offset_debug(), 0)) + at, length);
  };
  if (count > static_cast<std::int64_t>(text.size() / 2 + 1))
    fail(array, fmt::format("{} needs {} numbers; {} bytes cannot hold them", name_of(array), count, text.size()));
  std::vector<T> out;
  out.reserve(static_cast<std::size_t>(count));
  for (std::size_t at = 0;;) {
    while (at < text.size() && blank(text[at])) ++at;
    if (at == text.size()) break;
    std::size_t end = at;
    while (end < text.size() && !blank(text[end])) ++end;
    const auto x = to_number<T>(text.substr(at, end - at));
    if (!x) throw core::InputError(place(at, end - at), std::is_same_v<T, double> ? "a number expected" : "an integer expected");
    if (static_cast<std::int64_t>(out.size()) == count)
      throw core::InputError(place(at, end - at), fmt::format("{} has more than {} numbers", name_of(array), count));
    out.push_back(*x);
    at = end;
  }
  if (static_cast<std::int64_t>(out.size()) < count)
    fail(array, fmt::format("{} has {} numbers; {} expected", name_of(array), out.size(), count));
  return out;
}

std::string VtuDocument::bytes(pugi::xml_node array, std::int64_t count, int width) const {
  const std::string_view format = array.attribute("format").value();
  VtkEncoding encoding = encoding_;
  std::string_view data;
  if (format == "binary") {
    encoding.base64 = true;
    data = array.first_child().value();
    while (!data.empty() && blank(data.front())) data.remove_prefix(1);
  } else if (format == "appended") {
    if (appended_as_.empty()) fail(array, fmt::format("{} is appended data; the file has none", name_of(array)));
    encoding.base64 = appended_as_ == "base64";
    const std::int64_t offset = this->count(array, "offset", std::numeric_limits<std::int64_t>::max());
    if (offset >= static_cast<std::int64_t>(appended_.size()))
      fail(array, fmt::format("offset {} of {} bytes of appended data", offset, appended_.size()));
    data = appended_.substr(static_cast<std::size_t>(offset));
  } else {
    fail(array, fmt::format("unknown format \"{}\"", printable(format)));
  }
  try {
    std::string out = vtk_bytes(data, encoding, static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(width));
    if (encoding.swapped && width > 1)
      for (std::size_t k = 0; k < out.size(); k += static_cast<std::size_t>(width))
        std::reverse(out.begin() + static_cast<std::ptrdiff_t>(k), out.begin() + static_cast<std::ptrdiff_t>(k) + width);
    return out;
  } catch (const VtkComplaint& complaint) {
    const std::string where =
        format == "appended" ? fmt::format(", at byte {} of the file", data.data() - text_.data()) : std::string();
    fail(array, fmt::format("{}{}: {}", name_of(array), where, complaint.message));
  }
}

void VtuDocument::fail(pugi::xml_node at, const std::string& message, const std::string& hint) const {
  const std::ptrdiff_t offset = at ? at.offset_debug() : 0;
  throw core::InputError(
      place_in(text_, path_, static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), std::string_view(at.name()).size()),
      message, hint);
}

}  // namespace actio::io
