#include "pipeline/setup/option_fields.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <sortie/shard.hpp>

#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/keyed_lines.hpp"
#include "pipeline/setup/chain_shape.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "pipeline/sort_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using namespace test;

// Another value than the default.
void change(bool& value) { value = !value; }
void change(std::string& value) { value += "x"; }
void change(std::optional<std::string>& value) { value = "cat"; }
void change(std::vector<std::string>& value) { value.emplace_back("x"); }
void change(std::vector<int>& value) { value.push_back(1); }
void change(std::optional<RandomSeed>& value) { value.emplace(); }
void change(Format& value) { value = parsed("fixed:4"); }
void change(Parts& value) { value.most_records = 5; }
void change(std::optional<TextKey>& value) { value.emplace().begin.field = 1; }
void change(std::optional<Grouping>& value) { value.emplace().aggregates = {{AggregateKind::kCount, {}}}; }
void change(std::optional<IndexOptions>& value) { value.emplace(); }
void change(RecordSource& value) {
  value = [](std::span<std::byte>) { return std::size_t{0}; };
}
void change(SourcePlaces& value) {
  value = [](std::uint64_t) { return SourcePlace(); };
}
void change(RecordSink& value) {
  value = [](std::span<const std::byte>) {};
}
void change(std::function<void()>& value) {
  value = [] {};
}
void change(std::function<void(const Progress&)>& value) {
  value = [](const Progress&) {};
}
void change(std::function<void(const Warning&)>& value) {
  value = [](const Warning&) {};
}
void change(TemporaryNames*& value) {
  static TemporaryNames names;
  value = &names;
}
void change(std::stop_token& value) {
  static std::stop_source source;
  value = source.get_token();
}
template <class Number>
requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
void change(Number& value) { value = static_cast<Number>(1 - static_cast<int>(value)); }

/// Whether the field has its value by default.
template <class Value>
bool is_default(const Value& value, const Value& usual) {
  if constexpr (requires { static_cast<bool>(value != usual); }) {
    return !(value != usual);
  } else if constexpr (requires { value.has_value(); }) {
    return value.has_value() == usual.has_value();
  } else if constexpr (std::is_same_v<Value, Parts>) {
    return !value.are_wanted();
  } else if constexpr (std::is_same_v<Value, Format>) {
    return to_string(value) == to_string(usual);
  } else {
    return static_cast<bool>(value) == static_cast<bool>(usual);
  }
}

// A new field of SortOptions does not compile here: for_each_option() must have it, with its role, before a name for it
// is added.
TEST(OptionFields, AreAllThere) {
  SortOptions options;
  auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24,
         a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46,
         a47, a48, a49, a50, a51, a52, a53, a54] = options;
  constexpr std::size_t kFields = 54;
  static_cast<void>(a54);
  std::set<const void*> fields;
  std::set<std::string> names;
  for_each_option([&](const auto& option) {
    fields.insert(&(options.*option.field));
    names.insert(option.name);
  });
  EXPECT_EQ(fields.size(), kFields);
  EXPECT_EQ(names.size(), kFields);
}

TEST(OptionFields, TellOneJobFromAnotherIfTheySaySo) {
  SortOptions usual;
  usual.format = format_of({{{1}}});
  usual.inputs = {"-"};
  const Checksum identity = identify_options(resolve(usual));
  for_each_option([&](const auto& option) {
    SCOPED_TRACE(option.name);
    SortOptions changed = usual;
    change(changed.*option.field);
    EXPECT_EQ(identify_options(resolve(changed)) != identity, option.identifies);
  });
}

TEST(OptionFields, AreInheritedByTheirRoles) {
  using enum OptionRole;
  SortOptions whole;
  for_each_option([&](const auto& option) { change(whole.*option.field); });
  const SortOptions part = part_of_job(whole, {kRecords, kMachine});
  for_each_option([&](const auto& option) {
    SCOPED_TRACE(option.name);
    const bool inherits = option.role == kRecords || option.role == kMachine;
    EXPECT_EQ(!is_default(part.*option.field, SortOptions().*option.field), inherits);
  });
}

// The others say how records are sorted, which a shard does as any sort does, or what becomes of an output, which it
// has not.
TEST(OptionFields, AreRefusedByShardsIfOnlyAWholeSortCanServeThem) {
  const std::set<std::string> refused{"sample_records",       "parts",           "source", "merge_only",
                                      "checkpoint_directory", "compress_program"};
  std::set<std::string> seen;
  const TemporaryDirectory directory;
  for_each_option([&](const auto& option) {
    if (!refused.contains(option.name)) return;
    SCOPED_TRACE(option.name);
    seen.insert(option.name);
    SortOptions options;
    options.inputs = write_inputs(directory, {"b 1\na 2\n"});
    change(options.*option.field);
    if (std::string(option.name) == "parts") options.output = directory / "part-{}";
    ShardRequest request;
    request.directory = directory / "shard";
    EXPECT_THROW(form_shard(options, request), Error);
  });
  EXPECT_EQ(seen, refused);
}

// Each would make up one of its own.
TEST(OptionFields, ARandomOrderNeedsASeedInShards) {
  const TemporaryDirectory directory;
  SortOptions options;
  options.inputs = write_inputs(directory, {"b 1\na 2\n"});
  options.format.shuffle = true;
  ShardRequest request;
  request.directory = directory / "shard";
  EXPECT_THROW(form_shard(options, request), Error);
  options.format.text.random_seed.emplace();
  EXPECT_EQ(form_shard(options, request).input.records, 2U);
}

}  // namespace
}  // namespace sortie
