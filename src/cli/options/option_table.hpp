// Every option the command knows, in one table. The parser, the help text, the manual page and the completions of the
// shells all read it, so that all know the same options.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sortie::cli {

enum class OptionId : std::uint8_t {
  // Actions
  kMerge,
  kCheck,
  kCheckShort,
  kCheckQuietly,
  kUnique,
  kKeep,
  kCount,
  kRepeated,
  kOnlyOnce,
  kUnion,
  kIntersect,
  kExcept,
  kSymmetric,
  kOutputOrder,
  kGroup,
  kSum,
  kMin,
  kMax,
  kMean,
  kFirst,
  kLast,
  kTop,
  kSample,
  kShuffle,
  kOutput,
  kOutputLevel,
  kSplit,
  kSplitSize,
  kSplitRecords,
  kSplitBy,
  kTogether,
  kManifest,
  kFiles0From,
  kPlan,
  kExplain,
  kColumns,
  // Joins
  kJoin,
  kRightKey,
  kSelect,
  kEmpty,
  // Order
  kIgnoreLeadingBlanks,
  kDictionaryOrder,
  kIgnoreCase,
  kGeneralNumericSort,
  kHumanNumericSort,
  kIgnoreNonprinting,
  kMonthSort,
  kNumericSort,
  kRandomSort,
  kRandomSource,
  kReverse,
  kSort,
  kVersionSort,
  kKey,
  kFieldSeparator,
  kStable,
  kYear,
  kZone,
  kChromosomes,
  // Records
  kCsv,
  kTsv,
  kJsonl,
  kBed,
  kVcf,
  kHeader,
  kNoHeader,
  kQuote,
  kNa,
  kEntryStart,
  kFormat,
  kField,
  kZeroTerminated,
  // Resources
  kBufferSize,
  kTemporaryDirectory,
  kCheckpoint,
  kParallel,
  kBatchSize,
  kCompressProgram,
  kCompress,
  kEngine,
  kDevices,
  kDeviceMemory,
  kAlgorithm,
  // Observation
  kDebug,
  kVerify,
  kStrict,
  kProgress,
  kStats,
  kStatsJson,
  kReport,
  kTrace,
  // Shards
  kForm,
  kBytes,
  kPlace,
  kSamples,
  kSharedHeader,
  kCut,
  kMergeRuns,
  // Other
  kSelfTest,
  kHelp,
  kVersion,
};

enum class OptionGroup : std::uint8_t { kAction, kJoin, kOrder, kRecords, kResources, kObservation, kShards, kOther };

/// Where an option comes from. If a word could mean several options, those of GNU sort go first.
enum class OptionOrigin : std::uint8_t { kGnu, kSortie };

struct OptionSpec {
  OptionId id;
  OptionOrigin origin;
  std::string_view long_name;  ///< without dashes; empty if there is none
  char short_name;             ///< '\0' if there is none
  std::string_view argument;   ///< "FILE"; "[=HOW]" where it may be left out; empty if there is none
  std::string_view values;     ///< offered by shells for the argument: words; "FILE", "DIR" or "COMMAND"; or nothing
  OptionGroup group;
  std::string_view help;  ///< up to its first ':', ';' or '(' it says the main thing

  /// The main thing about the option, for lists that have little room.
  std::string_view brief() const;
  bool takes_value() const { return !argument.empty(); }
  bool value_is_optional() const { return argument.starts_with('['); }
  /// "HOW" of "[=HOW]".
  std::string_view value_name() const {
    return value_is_optional() ? argument.substr(2, argument.size() - 3) : argument;
  }
};

/// All options, each group in the order in which the help text shows it.
std::span<const OptionSpec> option_table();

struct OptionGroupTitle {
  OptionGroup group;
  std::string_view title;
};

/// The groups in the order in which the help text shows them.
std::span<const OptionGroupTitle> option_groups();

/// "-k", "--key" or "-k, --key", depending on which names there are.
std::string display_name(const OptionSpec& option, std::string_view separator = ", ");

}  // namespace sortie::cli
