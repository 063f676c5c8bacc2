#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a problem file may say: its tables with their keys, and the words that some keys take. The reader of a file checks each
// table against these lists, `actio list keys` and `actio list kinds` print them, and the manual's reference is made from them.
namespace actio::io {

struct KeyEntry {
  std::string_view name;      // "step"; "<parameter>" where the file itself names the keys of a table
  std::string_view type;      // "number or expression"
  std::string_view unit;      // "time", "energy", "1/time": in the units of the file; "" where there is none
  std::string_view standard;  // what holds where the key is not given; "required"; "" where that is nothing
  std::string_view meaning;   // one sentence
};
struct KeyTable {
  std::string_view name;     // "run", "system.joint"; "" is the file itself
  std::string_view heading;  // as it stands in a file: "[run]", "[[system.joint]]", "rayleigh = { }"
  std::string_view meaning;
  std::string_view page;  // of the manual: "bodies.md"
  std::vector<KeyEntry> keys;
};
// In the order of the manual. The fields of a method are those of its own declaration (method/spec.hpp), not here.
const std::vector<KeyTable>& key_tables();
// Throws std::out_of_range where there is none of that name.
const KeyTable& key_table(std::string_view name);
// The keys that a file may write in a table, less those that it names itself.
std::vector<std::string> keys_of_table(std::string_view name);

// A word that a key takes, which says what the thing is.
struct KindEntry {
  std::string_view group;  // "joint", "material", "reduction"
  std::string_view name;   // as the key takes it: "revolute"
  std::string_view key;    // that takes it: "system.joint.type"; or the table that is the thing: "system.load"
  std::string_view summary;
  std::string_view formula;
  std::vector<std::string_view> keys{};  // of the table, that belong to this kind alone
  std::string_view citation{};
};
const std::vector<KindEntry>& all_kinds();
// The names of a group, in order.
std::vector<std::string> kinds_of(std::string_view group);
// Throws std::out_of_range where there is none of that name.
const KindEntry& kind_named(std::string_view group, std::string_view name);

}  // namespace actio::io
