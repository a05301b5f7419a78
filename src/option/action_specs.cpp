// Options that say what is done in place of a sort, or with which inputs.
#include <array>

#include "option/catalogue_parts.hpp"
#include "option/field_setters.hpp"
#include "option/request.hpp"

namespace sortie::option {
namespace {

void set_check(Request& request, CheckMode mode) {
  if (request.check != CheckMode::kNo && request.check != mode) throw Error("options '-cC' are incompatible");
  request.check = mode;
}

constexpr std::array kCheckWords = std::to_array<Word<CheckMode>>(
    {{"quiet", CheckMode::kQuiet}, {"silent", CheckMode::kQuiet}, {"diagnose-first", CheckMode::kDiagnose}});
constexpr std::array kJoinWords = std::to_array<Word<JoinKind>>({{"inner", JoinKind::kInner},
                                                                 {"left", JoinKind::kLeft},
                                                                 {"right", JoinKind::kRight},
                                                                 {"full", JoinKind::kFull},
                                                                 {"anti", JoinKind::kAnti}});

constexpr std::string_view kChecksOnClusters = "a check reads one input in turn";

constexpr std::array kActionSpecs = std::to_array<Spec>({
    {.python = {.name = "inputs", .type = "_Path | Iterable[_Path]"},
     .set = [](Request& request, const Value& value) { request.options.inputs = value.as_paths(); }},
    {.long_name = "merge",
     .short_name = 'm',
     .origin = Origin::kGnu,
     .help = "merge inputs that are sorted already, as they come; one that is not is merged as it stands",
     .python = {"merge_only", "bool", kOfFiles | kOfJoins, "the inputs are sorted already"},
     .not_on_clusters = "inputs that are sorted already need no cluster",
     .is_set = is_given<&SortOptions::merge_only>,
     .set = set_flag<&SortOptions::merge_only>},
    {.short_name = 'c',
     .origin = Origin::kGnu,
     .help = "say where the input is out of order; do not sort",
     .not_on_clusters = kChecksOnClusters,
     .set = [](Request& request, const Value&) { set_check(request, CheckMode::kDiagnose); }},
    {.short_name = 'C',
     .origin = Origin::kGnu,
     .help = "like -c, but say nothing: the exit status tells",
     .not_on_clusters = kChecksOnClusters,
     .set = [](Request& request, const Value&) { set_check(request, CheckMode::kQuiet); }},
    {.long_name = "check",
     .origin = Origin::kGnu,
     .argument = "[=HOW]",
     .values = kJoinedWords<kCheckWords>,
     .help = "say whether the input is in order: diagnose-first, like -c (default); quiet or silent, like -C",
     .not_on_clusters = kChecksOnClusters,
     .set =
         [](Request& request, const Value& value) {
           set_check(request, value.is_text() ? shortened_choice(value, kCheckWords) : CheckMode::kDiagnose);
         }},
    {.long_name = "files0-from",
     .origin = Origin::kGnu,
     .argument = "F",
     .values = "FILE",
     .help = "read the files whose names stand in file F, each ended by NUL; of standard input if F is -",
     .set = [](Request& request, const Value& value) { request.input_names = value.as_path(); }},
    {.long_name = "plan",
     .help = "print what a sort would do and the scratch space it needs; do nothing",
     .not_on_clusters = "sortie-cluster plan says what a job would do",
     .set = [](Request& request, const Value&) { request.plan = true; }},
    {.long_name = "explain",
     .help =
         "say in words what the options order by; underline in the first lines of the first FILE what the keys are; "
         "do not sort",
     .not_on_clusters = "it is of one sort",
     .set = [](Request& request, const Value&) { request.explain = true; }},
    {.long_name = "columns",
     .help = "list the columns of CSV: of each the number, and the name as keys have it; do not sort",
     .not_on_clusters = "sortie --columns names them",
     .set = [](Request& request, const Value&) { request.columns = true; }},
});

constexpr std::array kJoinSpecs = std::to_array<Spec>({
    {.long_name = "join",
     .argument = "KIND",
     .values = kJoinedWords<kJoinWords>,
     .help =
         "join two FILEs, lines or CSV, by keys: inner, each record of the left with each of the right that has equal "
         "keys; left, right, full, also what has no partner on that side or on any; anti, only what of the left has "
         "none",
     .python = {.name = "how", .type = kOneOfTheValues},
     .set = [](Request& request, const Value& value) { request.join.kind = value.as_choice(kJoinWords); }},
    {.long_name = "right-key",
     .argument = "KEYDEF",
     .help = "the key of the right file, if it is another than that of -k; repeat it for each -k",
     .python = {.name = "right_keys", .type = "str | Iterable[str]"},
     .set =
         [](Request& request, const Value& value) {
           for (std::string& word : value.as_texts()) request.join.right_keys.push_back(std::move(word));
         }},
    {.long_name = "select",
     .argument = "LIST",
     .help = "write these columns: 0 for the keys, 1.N or 2.N for field N of the left or right file, of CSV also NAME, "
             "left.NAME or right.NAME (default: the keys and what else both have)",
     .python = {.name = "select", .type = "str"},
     .set = [](Request& request, const Value& value) { request.join.columns = value.as_text(); }},
    {.long_name = "empty",
     .argument = "TEXT",
     .help = "write TEXT for fields that are empty or missing",
     .python = {.name = "empty", .type = "str"},
     .set = [](Request& request, const Value& value) { request.join.empty = value.as_text(); }},
});

}  // namespace

std::span<const Spec> action_specs() { return kActionSpecs; }
std::span<const Spec> join_specs() { return kJoinSpecs; }

}  // namespace sortie::option
