// The catalogue of options as a whole: every option says what it is, and does something. What a checkpoint, a chain and
// a shard make of the fields that options set is tested field by field: pipeline/setup/option_fields_test.cpp.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "cli/command_line_support.hpp"
#include "cli/options/command_line.hpp"
#include "option/option_spec.hpp"
#include "pipeline/setup/option_fields.hpp"

namespace sortie::cli {
namespace {

using option::Spec;
using test::Words;

/// Words by which an option of the command does something, with others that it needs.
Words example_of(const std::string& name) {
  static const std::map<std::string, Words> kExamples = {
      {"output", {"-o", "out"}},
      {"output-level", {"--output-level=3", "-o", "out.gz"}},
      {"split", {"--split=2", "-o", "part-{}"}},
      {"split-size", {"--split-size=2M", "-o", "part-{}"}},
      {"split-records", {"--split-records=2", "-o", "part-{}"}},
      {"split-by", {"--split-by=1", "-o", "part-{}"}},
      {"together", {"--together", "--split=2", "-o", "part-{}"}},
      {"manifest", {"--manifest=list", "--split=2", "-o", "part-{}"}},
      {"keep", {"--keep=last", "-u"}},
      {"order", {"--order=input", "-u"}},
      {"union", {"--union", "left", "right"}},
      {"intersect", {"--intersect", "left", "right"}},
      {"except", {"--except", "left", "right"}},
      {"symmetric", {"--symmetric", "left", "right"}},
      {"group", {"--group", "-k1,1"}},
      {"sum", {"--sum=2", "--group", "-k1,1"}},
      {"min", {"--min=2", "--group", "-k1,1"}},
      {"max", {"--max=2", "--group", "-k1,1"}},
      {"mean", {"--mean=2", "--group", "-k1,1"}},
      {"first", {"--first=2", "--group", "-k1,1"}},
      {"last", {"--last=2", "--group", "-k1,1"}},
      {"top", {"--top=3"}},
      {"jsonl", {"--jsonl", "--key=.a"}},
      {"sample", {"--sample=3,seed"}},
      {"files0-from", {"--files0-from=/proc/self/cmdline"}},
      {"columns", {"--columns", "--csv"}},
      {"join", {"--join=left", "-k1,1", "left", "right"}},
      {"right-key", {"--right-key=2,2", "--join=left", "-k1,1", "left", "right"}},
      {"select", {"--select=0,1.2", "--join=left", "-k1,1", "left", "right"}},
      {"empty", {"--empty=none", "--join=left", "-k1,1", "left", "right"}},
      {"random-source", {"--random-source=/proc/self/exe", "-R"}},
      {"sort", {"--sort=month"}},
      {"key", {"-k2,2"}},
      {"field-separator", {"-t:"}},
      {"stable", {"-s", "-k1,1"}},
      {"year", {"--year=2001", "-k1,3:time"}},
      {"zone", {"--zone=CET", "-k1,3:time"}},
      {"chromosomes", {"--chromosomes=karyotype", "--bed"}},
      {"no-header", {"--no-header", "--csv"}},
      {"quote", {"--quote=none", "--csv"}},
      {"na", {"--na", "-n"}},
      {"entry-start", {"--entry-start=^a"}},
      {"format", {"--format=gensort"}},
      {"by", {"--by=name"}},
      {"shares", {"--shares=a=0.5,b=0.5", "--split-by=2", "-o", "part-{}"}},
      {"weight", {"--weight=2", "--split-weight=9", "-o", "part-{}"}},
      {"split-weight", {"--split-weight=9", "--weight=2", "-o", "part-{}"}},
      {"dropped", {"--dropped=list", "-u"}},
      {"index", {"--index=csi"}},
      {"token-end", {"--token-end=0"}},
      {"token-type", {"--token-type=u16"}},
      {"field", {"--field=u32@0", "--format=fixed:8"}},
      {"batch-size", {"--batch-size=4"}},
      {"buffer-size", {"-S", "5M"}},
      {"parallel", {"--parallel=3"}},
      {"compress-program", {"--compress-program=./pack"}},
      {"compress", {"--compress=zstd:3"}},
      {"engine", {"--engine=cpu"}},
      {"devices", {"--devices=0"}},
      {"device-memory", {"--device-memory=2G"}},
      {"algorithm", {"--algorithm=bitonic"}},
      {"verify", {"--verify=off"}},
      {"progress", {"--progress=always"}},
      {"form", {"--form=runs", "in"}},
      {"bytes", {"--bytes=5-", "--form=runs", "in"}},
      {"place", {"--place=5", "--form=runs", "in"}},
      {"samples", {"--samples=5", "--form=runs", "in"}},
      {"side", {"--side=right", "--join=left", "-k1,1", "--form=runs", "in"}},
      {"shared-header", {"--shared-header", "in"}},
      {"set-inputs", {"--set-inputs=3", "--intersect", "--form=runs", "in"}},
      {"by-place", {"--by-place", "--order=input", "-u", "--form=runs", "in"}},
      {"of-job", {"--of-job", "--form=runs", "--shared-header=header", "in"}},
      {"cut", {"--cut=bounds", "in"}},
      {"merge-runs", {"--merge-runs=plan", "-o", "out"}},
      {"split-ranges", {"--split-ranges=plan", "--split=2", "-o", "out-{}"}},
  };
  const auto example = kExamples.find(name);
  return example != kExamples.end() ? example->second : Words{};
}

std::string name_of(const Spec& spec) {
  return spec.long_name.empty() ? std::string{'-', spec.short_name} : std::string(spec.long_name);
}

/// Without a word for it: a flag, or an option that takes a path.
Words usual_example_of(const Spec& spec) {
  if (spec.long_name.empty()) return {name_of(spec)};
  const bool needs_value = spec.takes_value() && !spec.value_is_optional();
  return {"--" + name_of(spec) + (needs_value ? "=x" : "")};
}

Words words_of(const Spec& spec) {
  Words words = example_of(name_of(spec));
  return words.empty() ? usual_example_of(spec) : words;
}

/// The example without the option itself, which comes first.
Words rest_of(const Words& words) {
  const bool has_value_apart = words.size() > 1 && (words[0] == "-o" || words[0] == "-S");
  return {words.begin() + (has_value_apart ? 2 : 1), words.end()};
}

/// The fields of SortOptions that two command lines have otherwise.
std::set<std::string> differing_fields(const CommandLine& one, const CommandLine& other) {
  std::set<std::string> names;
  for_each_option([&](const auto& field) {
    using Value = std::decay_t<decltype(one.options.*field.field)>;
    if constexpr (requires(const Value& value) { static_cast<bool>(value != value); }) {
      if (one.options.*field.field != other.options.*field.field) names.insert(field.name);
    }
  });
  return names;
}

/// Whether they differ in what is done, in what only the command knows, or in a join.
bool differ_beside_options(const CommandLine& one, const CommandLine& other) {
  const auto join_of = [](const CommandLine& line) { return line.join.value_or(JoinOptions()); };
  const ShardTask& task = one.shard_task;
  const ShardTask& other_task = other.shard_task;
  return one.action != other.action || one.file.settings != other.file.settings ||
         one.print_stats != other.print_stats || one.warnings != other.warnings ||
         join_of(one).right_keys != join_of(other).right_keys || join_of(one).columns != join_of(other).columns ||
         join_of(one).empty != join_of(other).empty || task.shard.begin != other_task.shard.begin ||
         task.shard.position != other_task.shard.position || task.shard.most_samples != other_task.shard.most_samples ||
         task.by_place != other_task.by_place || task.shard.is_of_job != other_task.shard.is_of_job;
}

TEST(Catalogue, SaysOfEveryOptionWhatItIs) {
  option::for_each_spec([](const Spec& spec) {
    SCOPED_TRACE(spec.is_of_command() ? name_of(spec) : std::string(spec.python.name));
    EXPECT_NE(spec.set, nullptr);
    EXPECT_EQ(spec.is_of_command(), !spec.help.empty());
    EXPECT_TRUE(spec.is_of_command() || !spec.python.name.empty());
    EXPECT_EQ(spec.python.name.empty(), spec.python.type.empty());
    EXPECT_EQ(spec.python.functions != 0, !spec.python.help.empty());
    EXPECT_TRUE(spec.python.type != option::kOneOfTheValues || !spec.values.empty());
    // Programs of a cluster are refused what its commands are refused.
    EXPECT_TRUE(spec.not_on_clusters.empty() || (spec.python.functions & option::kOfAllClusters) == 0);
  });
}

TEST(Catalogue, NamesEveryArgumentOfPythonOnce) {
  std::set<std::string_view> names;
  option::for_each_spec([&](const Spec& spec) {
    const bool is_new = spec.python.name.empty() || names.insert(spec.python.name).second;
    EXPECT_TRUE(is_new) << spec.python.name;
  });
}

// An option that does nothing is refused here.
TEST(Catalogue, HasNoOptionThatDoesNothing) {
  option::for_each_option([](const Spec& spec) {
    const Words words = words_of(spec);
    SCOPED_TRACE(words.front());
    CommandLine with;
    CommandLine without;
    try {
      with = parse_command_line(words, "sortie");
    } catch (const std::exception& error) {
      FAIL() << error.what();
    }
    try {
      without = parse_command_line(rest_of(words), "sortie");
    } catch (const Error&) {
      // The rest needs the option.
    }
    EXPECT_TRUE(!differing_fields(with, without).empty() || differ_beside_options(with, without));
  });
}

// What GivenOptions finds by fields must be what has been asked for.
TEST(Catalogue, FindsWhatIsAskedForInTheOptions) {
  option::for_each_option([](const Spec& spec) {
    if (spec.is_set == nullptr) return;
    SCOPED_TRACE(name_of(spec));
    EXPECT_FALSE(spec.is_set(SortOptions()));
    EXPECT_TRUE(spec.is_set(parse_command_line(words_of(spec), "sortie").options));
  });
}

}  // namespace
}  // namespace sortie::cli
