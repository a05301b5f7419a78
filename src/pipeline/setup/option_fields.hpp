// Every field of SortOptions once, with its role. From the role follows what a part of a job inherits (a later sort of
// a chain, a side of a join), and whether a field tells one job from another (checkpoints, shards). A test walks the
// table and fails if a field is missing.
#pragma once

#include <algorithm>
#include <initializer_list>

#include <sortie/options.hpp>

namespace sortie {

enum class OptionRole {
  kRecords,     ///< what records and headers are, and their order
  kSelection,   ///< which records the output shows, and how
  kInputs,      ///< where records come from
  kOutput,      ///< where they go to
  kCheckpoint,  ///< runs that outlive an attempt
  kShares,      ///< memory and threads: whoever divides a job says how much of them each part gets
  kMachine,     ///< how the machine is used, and how carefully
  kEngine,      ///< what sorts
  kReports,     ///< what is told of the job as a whole
};

inline constexpr bool kIdentifies = true;
inline constexpr bool kIdentifiesNothing = false;

template <class Value>
struct OptionField {
  const char* name;
  Value SortOptions::*field;
  OptionRole role;
  /// Whether runs that were formed with one value are of no use with another. Fields of the records and of the
  /// selection do, the others say how and where, not what.
  bool identifies = role == OptionRole::kRecords || role == OptionRole::kSelection;
};
template <class Value, class... More>
OptionField(const char*, Value SortOptions::*, OptionRole, More...) -> OptionField<Value>;

/// Calls `visit(OptionField)` for each field.
template <class Visit>
void for_each_option(const Visit& visit) {
  using enum OptionRole;
  using O = SortOptions;
  visit(OptionField{"format", &O::format, kRecords});
  visit(OptionField{"header_lines", &O::header_lines, kRecords});
  visit(OptionField{"header_prefixes", &O::header_prefixes, kRecords});
  visit(OptionField{"unique", &O::unique, kSelection});
  visit(OptionField{"keep_last", &O::keep_last, kSelection});
  visit(OptionField{"keep_best", &O::keep_best, kSelection});
  visit(OptionField{"count", &O::count, kSelection});
  visit(OptionField{"key_filter", &O::key_filter, kSelection});
  visit(OptionField{"set_operation", &O::set_operation, kSelection});
  visit(OptionField{"set_inputs", &O::set_inputs, kSelection});
  visit(OptionField{"grouping", &O::grouping, kSelection});
  visit(OptionField{"top_records", &O::top_records, kSelection});
  // Told by the form of the records in runs: RecordForm::kPositioned.
  visit(OptionField{"output_order", &O::output_order, kSelection, kIdentifiesNothing});
  // A sample keeps no runs.
  visit(OptionField{"sample_records", &O::sample_records, kSelection, kIdentifiesNothing});
  visit(OptionField{"sample_seed", &O::sample_seed, kSelection, kIdentifiesNothing});
  visit(OptionField{"inputs", &O::inputs, kInputs});  // told by the state of the files, see identify_job()
  visit(OptionField{"source", &O::source, kInputs});
  visit(OptionField{"source_bytes", &O::source_bytes, kInputs});
  visit(OptionField{"source_identity", &O::source_identity, kInputs});  // identifies as the state of files does
  visit(OptionField{"source_places", &O::source_places, kInputs});      // words of a list
  visit(OptionField{"unpack", &O::unpack, kInputs, kIdentifies});
  visit(OptionField{"objects", &O::objects, kMachine});       // told by the names of the inputs
  visit(OptionField{"merge_only", &O::merge_only, kInputs});  // keeps no runs
  visit(OptionField{"output", &O::output, kOutput});
  visit(OptionField{"sink", &O::sink, kOutput});
  visit(OptionField{"sink_end", &O::sink_end, kOutput});
  visit(OptionField{"dropped_path", &O::dropped_path, kOutput, kIdentifies});
  visit(OptionField{"output_level", &O::output_level, kOutput});
  visit(OptionField{"index", &O::index, kOutput});
  visit(OptionField{"parts", &O::parts, kOutput, kIdentifies});
  visit(OptionField{"checkpoint_directory", &O::checkpoint_directory, kCheckpoint});
  visit(OptionField{"memory_bytes", &O::memory_bytes, kShares});
  visit(OptionField{"threads", &O::threads, kShares});
  visit(OptionField{"verify", &O::verify, kMachine, kIdentifies});
  visit(OptionField{"strict", &O::strict, kMachine});
  visit(OptionField{"merge_fan_in", &O::merge_fan_in, kMachine});
  visit(OptionField{"scratch_directories", &O::scratch_directories, kMachine});
  visit(OptionField{"compression", &O::compression, kMachine});
  visit(OptionField{"compression_level", &O::compression_level, kMachine});
  visit(OptionField{"compress_program", &O::compress_program, kMachine});
  visit(OptionField{"stop", &O::stop, kMachine});
  visit(OptionField{"warn", &O::warn, kMachine});
  visit(OptionField{"temporary_names", &O::temporary_names, kMachine});
  visit(OptionField{"engine", &O::engine, kEngine});
  visit(OptionField{"devices", &O::devices, kEngine});
  visit(OptionField{"all_devices", &O::all_devices, kEngine});
  visit(OptionField{"device_memory_bytes", &O::device_memory_bytes, kEngine});
  visit(OptionField{"algorithm", &O::algorithm, kEngine});
  visit(OptionField{"watch", &O::watch, kReports});
  visit(OptionField{"progress", &O::progress, kReports});
  visit(OptionField{"trace_path", &O::trace_path, kReports});
  visit(OptionField{"stats_json_path", &O::stats_json_path, kReports});
  visit(OptionField{"report_path", &O::report_path, kReports});
  visit(OptionField{"protected_files", &O::protected_files, kReports});
}

/// The options of a part of a job: fields of `inherited` roles as the whole has them, the others by default.
inline SortOptions part_of_job(const SortOptions& whole, std::initializer_list<OptionRole> inherited) {
  SortOptions part;
  for_each_option([&](const auto& option) {
    if (std::ranges::find(inherited, option.role) != inherited.end()) part.*option.field = whole.*option.field;
  });
  return part;
}

}  // namespace sortie
