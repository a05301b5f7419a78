// Every option the command knows, in one table: the parser, the help text and the refusal of options
// that are not built yet all read it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sortie::cli {

enum class OptionId : std::uint8_t {
  // What is done
  kMerge,
  kCheck,
  kCheckShort,
  kCheckQuietly,
  kUnique,
  kOutput,
  kPlan,
  // Order
  kReverse,
  kStable,
  // Records
  kFormat,
  kField,
  kZeroTerminated,
  // Resources
  kBufferSize,
  kTemporaryDirectory,
  kParallel,
  kCompress,
  kEngine,
  kDevices,
  kDeviceMemory,
  kAlgorithm,
  // Observation
  kVerify,
  kProgress,
  kStats,
  kStatsJson,
  kTrace,
  // Other
  kHelp,
  kVersion,
  kNotBuilt,
};

enum class OptionGroup : std::uint8_t { kAction, kRecords, kResources, kObservation, kOther, kNotBuilt };

struct OptionSpec {
  OptionId id;
  std::string_view long_name;  ///< without dashes; empty if there is none
  char short_name;             ///< '\0' if there is none
  std::string_view argument;   ///< "FILE"; "[=HOW]" where it may be left out; empty if there is none
  OptionGroup group;
  std::string_view help;

  bool takes_value() const { return !argument.empty(); }
  bool value_is_optional() const { return argument.starts_with('['); }
  /// "HOW" of "[=HOW]".
  std::string_view value_name() const {
    return value_is_optional() ? argument.substr(2, argument.size() - 3) : argument;
  }
};

/// In the order in which the help text shows them.
std::span<const OptionSpec> option_table();

/// "-k/--key", for messages.
std::string display_name(const OptionSpec& option);

}  // namespace sortie::cli
