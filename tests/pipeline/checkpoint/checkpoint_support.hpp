// Sorts with a checkpoint on a disk in memory, whose power can be cut.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/files/private_directory.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/pipeline_support.hpp"
#include "pipeline/sort_job.hpp"
#include "support/power_cut_file_system.hpp"

namespace sortie::test {

inline constexpr const char* kCheckpointPath = "/checkpoint";

/// A sort of many runs, with as little memory as is allowed.
class CheckpointedSort {
 public:
  CheckpointedSort(const Format& format, const std::vector<std::string>& contents) {
    options.format = format;
    options.output = "/output/sorted";
    options.checkpoint_directory = kCheckpointPath;
    options.memory_bytes = kMinMemoryBytes;
    options.engine = EngineChoice::kCpu;
    options.threads = 2;
    disk.directory("/output");
    for (std::size_t i = 0; i < contents.size(); ++i) {
      options.inputs.push_back("/input/" + std::to_string(i));
      disk.add_file(options.inputs.back(), contents[i]);
    }
  }

  /// Returns nothing if the power was cut or, with `comes_back`, one operation failed. Throws Error if the sort ended
  /// in another way.
  std::optional<SortReport> attempt(std::uint64_t cut_at = PowerCutFileSystem::kNever, bool comes_back = false) {
    PowerCutFileSystem files(disk, cut_at, comes_back);
    try {
      SortReport report = SortJob(files, options, {}, {.run_later = execute_later_sort}).run();
      operations = files.operations();
      return files.is_cut() ? std::nullopt : std::optional(std::move(report));
    } catch (const Error&) {
      if (!files.is_cut()) throw;
      return std::nullopt;
    }
  }

  /// Interrupts the sort when about `share` of all its operations are done. Then the power is back, and only data that
  /// had not been written is lost.
  void interrupt_at(double share) {
    CheckpointedSort whole = *this;
    ASSERT_TRUE(whole.attempt());
    ASSERT_FALSE(attempt(static_cast<std::uint64_t>(share * static_cast<double>(whole.operations))));
    disk.cut_power(PowerCutDisk::Loss::kNone, random);
  }

  /// The bytes of the output; nothing if there is none.
  std::optional<std::string> output() {
    const auto node = disk.find(options.output);
    return node ? std::optional(node->contents) : std::nullopt;
  }

  /// The output of the same sort without a checkpoint.
  std::string expected() {
    CheckpointedSort plain = *this;
    plain.options.checkpoint_directory.clear();
    EXPECT_TRUE(plain.attempt());
    return plain.output().value_or("");
  }

  /// The message of the Error that the next attempt throws.
  std::string refusal() {
    return error_of([&] { attempt(); });
  }

  std::vector<std::string> kept_names() {
    std::vector<std::string> names;
    if (!disk.has_directory(kCheckpointPath)) return names;
    for (const auto& [name, node] : disk.directory(kCheckpointPath).names) names.push_back(name);
    return names;
  }
  PowerCutDisk::NodePointer kept_file(const std::string& name) {
    return disk.find(std::string(kCheckpointPath) + "/" + name);
  }
  /// The first run in the checkpoint.
  PowerCutDisk::NodePointer kept_run() {
    for (const auto& [name, node] : disk.directory(kCheckpointPath).names) {
      if (name.starts_with("sortie-run-")) return node;
    }
    return nullptr;
  }
  PowerCutDisk::NodePointer manifest() { return kept_file("sortie-manifest"); }

  PowerCutDisk disk;
  SortOptions options;
  std::mt19937_64 random{1};
  std::uint64_t operations = 0;  ///< those of the last attempt that was not interrupted
};

inline CheckpointedSort sort_of_lines() {
  const Format format = parsed("lines");
  return {format, {make_records(format, Distribution::kUniform, 20'000)}};
}

inline CheckpointedSort sort_of_records() {
  const Format format = parsed("gensort");
  return {format, {make_records(format, Distribution::kUniform, 8000)}};
}

}  // namespace sortie::test
