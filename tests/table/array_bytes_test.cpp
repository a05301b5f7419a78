// Dictionaries that come again are known without a look at each value, whatever the type of their values.
#include "table/array_bytes.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "table/table_support.hpp"
#include "table/table_type.hpp"

namespace sortie::test {
namespace {

const std::string kLong = "a text that does not fit a view";

table::TableType type_of(const HandBuilt& built) {
  return table::read_schema(*schema_of(batch_of({built}))).columns[0];
}

/// Whether `built` is known behind `kept`.
bool is_known(const HandBuilt& kept, const HandBuilt& built) {
  const table::TableType type = type_of(kept);
  table::ArrayBytes bytes;
  ArrowArray first = array_of(kept);
  bytes.keep(type, first);
  first.release(&first);  // what is kept is a copy
  ArrowArray second = array_of(built);
  const bool is_known = bytes.are_of(type, second);
  second.release(&second);
  return is_known;
}

/// Columns of four values by what their last one is.
using Maker = std::function<HandBuilt(bool is_other)>;

const std::vector<std::pair<std::string, Maker>>& makers() {
  static const std::vector<std::pair<std::string, Maker>> all = {
      {"integers",
       [](bool other) {
         return int64_column("x", {1, 2, 3, other ? 5 : 4});
       }},
      {"nulls",
       [](bool other) {
         return int64_column("x", {1, std::nullopt, 3, other ? 5 : 4});
       }},
      {"bools",
       [](bool other) {
         return bool_column("x", {true, false, std::nullopt, other});
       }},
      {"texts",
       [](bool other) {
         return text_column("x", "u", {"a", kLong, "", other ? "b" : "c"});
       }},
      {"texts and a null",
       [](bool other) {
         return text_column("x", "U", {"a", std::nullopt, "", other ? "b" : "c"});
       }},
      {"views",
       [](bool other) {
         return text_column("x", "vu", {"a", kLong, "", kLong + (other ? "b" : "c")});
       }},
      {"views and a null",
       [](bool other) {
         return text_column("x", "vz", {"a", std::nullopt, kLong, kLong + (other ? "b" : "c")});
       }},
      {"lists",
       [](bool other) {
         return list_column("x", "+l", {1, 1, std::nullopt, 1}, int64_column("item", {1, 2, other ? 5 : 4}));
       }},
      {"structs",
       [](bool other) {
         return struct_column("x", {int64_column("a", {1, 2, 3, 4}), bool_column("b", {true, true, true, other})});
       }},
  };
  return all;
}

TEST(ArrayBytes, AreThoseOfTheSameValuesAlone) {
  for (const auto& [name, maker] : makers()) {
    const HandBuilt built = maker(false);
    EXPECT_TRUE(is_known(built, built)) << name;
    EXPECT_FALSE(is_known(built, maker(true))) << name;
    EXPECT_FALSE(is_known(maker(true), built)) << name;
    EXPECT_FALSE(is_known(built, sliced(built, 0, 3))) << name;
    EXPECT_FALSE(is_known(sliced(built, 0, 3), built)) << name;
    EXPECT_FALSE(is_known(sliced(built, 0, 3), sliced(built, 1, 3))) << name;
  }
}

TEST(ArrayBytes, AreNothingUntilAnArrayIsKept) {
  const table::ArrayBytes bytes;
  ArrowArray array = array_of(int64_column("x", {1}));
  EXPECT_FALSE(bytes.are_of(type_of(int64_column("x", {})), array));
  array.release(&array);
}

TEST(ArrayBytes, TellANullFromAnEmptyText) {
  EXPECT_FALSE(is_known(text_column("x", "u", {"a", ""}), text_column("x", "u", {"a", std::nullopt})));
  EXPECT_FALSE(is_known(text_column("x", "vu", {"a", ""}), text_column("x", "vu", {"a", std::nullopt})));
}

TEST(ArrayBytes, TellTextsApartThatBeginElsewhere) {
  EXPECT_FALSE(is_known(text_column("x", "u", {"ab", "c"}), text_column("x", "u", {"a", "bc"})));
  EXPECT_FALSE(is_known(text_column("x", "vu", {kLong, kLong + "a"}), text_column("x", "vu", {kLong + "a", kLong})));
}

TEST(ArrayBytes, AreOfLargeBuffersWhatViewsName) {
  Texts many(10'000, kLong);
  many[0] = kLong + "!";
  const HandBuilt views = text_column("x", "vu", many);
  EXPECT_TRUE(is_known(sliced(views, 0, 4), sliced(views, 0, 4)));
  EXPECT_FALSE(is_known(sliced(views, 0, 4), sliced(views, 1, 4)));
  EXPECT_TRUE(is_known(sliced(views, 1, 4), sliced(views, 2, 4)));
}

TEST(ArrayBytes, AreNoneWithoutValuesOrOrderOfBytes) {
  EXPECT_FALSE(is_known(int64_column("x", {}), int64_column("x", {})));
  const HandBuilt views = list_column("x", "+vl", {1}, int64_column("item", {1}));
  EXPECT_FALSE(is_known(views, views));
}

}  // namespace
}  // namespace sortie::test
