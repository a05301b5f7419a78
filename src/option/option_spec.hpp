// One entry of the catalogue of options: all that anybody has to know of an option. The parser of the command line, the
// help text, the manual page, the completions of shells, Python's arguments with their types, the options of a cluster
// and the checks of contradictions are made from these entries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>

namespace sortie::option {

struct Request;
class Value;

enum class Group : std::uint8_t { kAction, kJoin, kOrder, kRecords, kResources, kObservation, kShards, kOther };

/// Where an option comes from. If a word could mean several options, those of GNU sort go first.
enum class Origin : std::uint8_t { kSortie, kGnu };

// Functions of Python, as bits: which of them take an argument.
inline constexpr unsigned kOfFiles = 1;           ///< sort_files(), plan_files()
inline constexpr unsigned kOfRecords = 2;         ///< Sorter of records
inline constexpr unsigned kOfJoins = 4;           ///< join_files(), plan_join_files()
inline constexpr unsigned kOfTables = 8;          ///< sort_table(), Sorter of rows, sort_parquet()
inline constexpr unsigned kOfArrays = 16;         ///< sort()
inline constexpr unsigned kOfClusters = 32;       ///< cluster.sort_files()
inline constexpr unsigned kOfClusterTables = 64;  ///< cluster.sort_parquet()
inline constexpr unsigned kOfChecks = 128;        ///< check_files()
inline constexpr unsigned kOfAllClusters = kOfClusters | kOfClusterTables;
inline constexpr unsigned kSorts = kOfFiles | kOfRecords;
inline constexpr unsigned kSortsAndChecks = kSorts | kOfChecks;
inline constexpr unsigned kAllSorts = kSorts | kOfJoins | kOfTables | kOfArrays;
inline constexpr unsigned kAllJobs = kAllSorts | kOfChecks;

// What an option is about, as bits.
inline constexpr unsigned kOrders = 1;   ///< it says how records are ordered: a shuffle leaves nothing to say
inline constexpr unsigned kOfLines = 2;  ///< applies to lines only
inline constexpr unsigned kOfTimes = 4;  ///< applies to written times only
inline constexpr unsigned kDropsRecords =
    8;  ///< of records that are read, so that their number is known only in the output

/// A type of Python: one of the words in Spec::values.
inline constexpr std::string_view kOneOfTheValues = "Literal";

/// The argument of Python's functions that an option is.
struct PythonArgument {
  std::string_view name = {};  ///< empty: there is none
  std::string_view type = {};  ///< as stub files have it, without None
  unsigned functions = 0;      ///< bits, as above
  std::string_view help = {};
  /// How messages name the option if it is no argument of its own, but the value of another.
  std::string_view spelling = {};
};

/// An option may have a name for the command line, one for Python, or both.
struct Spec {
  std::string_view long_name = {};  ///< without dashes; empty if there is none
  char short_name = '\0';           ///< '\0' if there is none
  Origin origin = Origin::kSortie;
  std::string_view argument = {};  ///< "FILE"; "[=HOW]" where it may be left out; empty if there is none
  std::string_view values = {};  ///< offered by shells for the argument: words; "FILE", "DIR" or "COMMAND"; or nothing
  std::string_view help = {};    ///< up to its first ':', ';' or '(' it says the main thing
  PythonArgument python = {};
  /// Why a job of a cluster does not take it; empty if its commands get it.
  std::string_view not_on_clusters = {};
  unsigned about = 0;  ///< bits, as above
  /// Whether options have it, with another value than the default. Null: only the request that asks for it knows.
  bool (*is_set)(const SortOptions& options) = nullptr;
  /// Puts the value into a request. Throws Error, and for a command line UsageError.
  void (*set)(Request& request, const Value& value) = nullptr;

  bool is_of_command() const { return !long_name.empty() || short_name != '\0'; }
  /// The main thing about the option, for lists that have little room.
  std::string_view brief() const;
  bool takes_value() const { return !argument.empty(); }
  bool value_is_optional() const { return argument.starts_with('['); }
  /// "HOW" of "[=HOW]".
  std::string_view value_name() const {
    return value_is_optional() ? argument.substr(2, argument.size() - 3) : argument;
  }
};

/// Some options of one group, in the order in which the help text shows them.
struct GroupOfSpecs {
  Group group;
  std::span<const Spec> specs;
};

/// The whole catalogue. Names that begin alike stand in the order in which GNU sort lists them when a shortened name is
/// ambiguous.
std::span<const GroupOfSpecs> catalogue();

Group group_of(const Spec& spec);

struct GroupTitle {
  Group group;
  std::string_view title;
};

/// The groups in the order in which the help text shows them.
std::span<const GroupTitle> group_titles();

/// Calls `visit(spec)` for every option of the catalogue.
template <class Visit>
void for_each_spec(const Visit& visit) {
  for (const GroupOfSpecs& part : catalogue()) {
    for (const Spec& spec : part.specs) visit(spec);
  }
}

/// Calls `visit(spec)` for every option of the command, or for those of one group.
template <class Visit>
void for_each_option(const Visit& visit, std::optional<Group> group = std::nullopt) {
  for (const GroupOfSpecs& part : catalogue()) {
    if (group && part.group != *group) continue;
    for (const Spec& spec : part.specs) {
      if (spec.is_of_command()) visit(spec);
    }
  }
}

/// Whether an option has this long name, is "-t" of this letter, or is an argument of Python of this name alone. What
/// follows "=" does not count.
bool is_called(const Spec& spec, std::string_view name);

/// The option that is called so; null if there is none.
const Spec* find_spec(std::string_view name);

/// The options that have another value than their default.
std::vector<const Spec*> given_in(const SortOptions& options);

/// "-k", "--key" or "-k, --key", depending on which names there are.
std::string display_name(const Spec& spec, std::string_view separator = ", ");

}  // namespace sortie::option
