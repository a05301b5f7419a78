// Dictionaries that come again are known without a look at each value, whatever the type of their values.
#include "table/array_fingerprint.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "table/schema_reader.hpp"
#include "table/table_support.hpp"

namespace sortie::test {
namespace {

const std::string kLong = "a text that does not fit a view";

std::optional<Checksum> fingerprint_of(const HandBuilt& built) {
  const table::TableSchema schema = table::read_schema(*schema_of(batch_of({built})));
  ArrowArray array = array_of(built);
  const std::optional<Checksum> fingerprint = table::array_fingerprint(schema.columns[0], array);
  array.release(&array);
  return fingerprint;
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

TEST(ArrayFingerprint, IsTheSameForTheSameValuesAlone) {
  for (const auto& [name, maker] : makers()) {
    const auto fingerprint = fingerprint_of(maker(false));
    ASSERT_TRUE(fingerprint.has_value()) << name;
    EXPECT_EQ(fingerprint, fingerprint_of(maker(false))) << name;
    EXPECT_NE(fingerprint, fingerprint_of(maker(true))) << name;
    EXPECT_NE(fingerprint, fingerprint_of(sliced(maker(false), 0, 3))) << name;
    EXPECT_NE(fingerprint_of(sliced(maker(false), 0, 3)), fingerprint_of(sliced(maker(false), 1, 3))) << name;
  }
}

TEST(ArrayFingerprint, TellsANullFromAnEmptyText) {
  EXPECT_NE(fingerprint_of(text_column("x", "u", {"a", ""})),
            fingerprint_of(text_column("x", "u", {"a", std::nullopt})));
  EXPECT_NE(fingerprint_of(text_column("x", "vu", {"a", ""})),
            fingerprint_of(text_column("x", "vu", {"a", std::nullopt})));
}

TEST(ArrayFingerprint, ReadsOfLargeBuffersWhatViewsName) {
  Texts many(10'000, kLong);
  many[0] = kLong + "!";
  const HandBuilt views = text_column("x", "vu", many);
  const auto first = fingerprint_of(sliced(views, 0, 4));
  EXPECT_EQ(first, fingerprint_of(sliced(views, 0, 4)));
  EXPECT_NE(first, fingerprint_of(sliced(views, 1, 4)));
  EXPECT_EQ(fingerprint_of(sliced(views, 1, 4)), fingerprint_of(sliced(views, 2, 4)));
}

TEST(ArrayFingerprint, IsNoneWithoutValuesOrOrderOfBytes) {
  EXPECT_FALSE(fingerprint_of(int64_column("x", {})).has_value());
  EXPECT_FALSE(fingerprint_of(list_column("x", "+vl", {1}, int64_column("item", {1}))).has_value());
}

}  // namespace
}  // namespace sortie::test
