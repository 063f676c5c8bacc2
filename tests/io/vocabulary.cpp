#include <gtest/gtest.h>

#include <actio/io/vocabulary.hpp>
#include <actio/run/event.hpp>
#include <actio/run/observable.hpp>
#include <actio/system/fast_part.hpp>
#include <actio/system/mesh.hpp>
#include <actio/system/model.hpp>
#include <actio/system/thermostat.hpp>
#include <algorithm>
#include <set>

namespace actio {
namespace {

template <class Types>
std::vector<std::string> names_in(const Types& types) {
  std::vector<std::string> out;
  for (const auto& type : types) out.emplace_back(type.name);
  return out;
}

TEST(Vocabulary, explains_every_word_that_a_reader_takes) {
  EXPECT_EQ(io::kinds_of("reduction"), names_in(run::reduce_types()));
  EXPECT_EQ(io::kinds_of("combination"), names_in(run::combine_types()));
  EXPECT_EQ(io::kinds_of("event direction"), names_in(run::event_directions()));
  EXPECT_EQ(io::kinds_of("event action"), names_in(run::event_actions()));
  EXPECT_EQ(io::kinds_of("quantity"), names_in(run::quantities_of(system::Model{})));
  const std::vector<std::string> schemes(std::begin(system::scheme_names), std::end(system::scheme_names));
  EXPECT_EQ(io::kinds_of("thermostat scheme"), schemes);
  const std::vector<std::string> fast(std::begin(system::fast_names), std::end(system::fast_names));
  EXPECT_EQ(io::kinds_of("fast part"), fast);
  std::set<std::string> cells;
  for (int cell = 0; cell <= static_cast<int>(system::Cell::hexahedron27); ++cell)
    cells.emplace(system::name_of(static_cast<system::Cell>(cell)));
  const std::vector<std::string> elements = io::kinds_of("element");
  EXPECT_EQ(std::set<std::string>(elements.begin(), elements.end()), cells);
}

TEST(Vocabulary, has_a_sentence_for_each_key_and_each_kind) {
  for (const io::KeyTable& table : io::key_tables()) {
    EXPECT_TRUE(table.meaning.ends_with('.')) << table.name;
    std::set<std::string_view> seen;
    for (const io::KeyEntry& key : table.keys) {
      EXPECT_TRUE(key.meaning.ends_with('.')) << table.name << '.' << key.name;
      EXPECT_FALSE(key.type.empty()) << table.name << '.' << key.name;
      EXPECT_TRUE(seen.insert(key.name).second) << table.name << '.' << key.name << " stands twice";
    }
  }
  for (const io::KindEntry& kind : io::all_kinds()) EXPECT_TRUE(kind.summary.ends_with('.')) << kind.name;
}

TEST(Vocabulary, gives_kinds_only_keys_that_their_table_has) {
  for (const io::KindEntry& kind : io::all_kinds()) {
    const auto of_table = [&](const io::KeyTable& table) { return kind.key == table.name; };
    const auto of_key = [&](const io::KeyTable& table) {
      return kind.key.size() > table.name.size() && kind.key.starts_with(table.name) &&
             std::ranges::find(table.keys, kind.key.substr(table.name.size() + 1), &io::KeyEntry::name) != table.keys.end();
    };
    auto found = std::ranges::find_if(io::key_tables(), of_table);
    if (found == io::key_tables().end())
      found = std::ranges::find_if(io::key_tables(), [&](const auto& table) { return !table.name.empty() && of_key(table); });
    ASSERT_NE(found, io::key_tables().end()) << kind.key;
    for (const std::string_view key : kind.keys)
      EXPECT_NE(std::ranges::find(found->keys, key, &io::KeyEntry::name), found->keys.end()) << kind.name << ' ' << key;
  }
}

}  // namespace
}  // namespace actio
