// Options of trust and observation, and those about the command itself.
#include <array>

#include "option/catalogue_parts.hpp"
#include "option/field_setters.hpp"
#include "option/request.hpp"

namespace sortie::option {
namespace {

constexpr std::array kVerifyWords = std::to_array<Word<bool>>({{"on", true}, {"off", false}});
constexpr std::array kProgressWords = std::to_array<Word<ProgressMode>>(
    {{"auto", ProgressMode::kAuto}, {"always", ProgressMode::kAlways}, {"never", ProgressMode::kNever}});
constexpr std::array kHelpWords = std::to_array<Word<HelpForm>>(
    {{"man", HelpForm::kMan}, {"bash", HelpForm::kBash}, {"zsh", HelpForm::kZsh}, {"fish", HelpForm::kFish}});

// GNU sort has this option, and lists it in front of others that begin alike.
constexpr std::array kDebugSpecs = std::to_array<Spec>({
    {.long_name = "debug",
     .origin = Origin::kGnu,
     .help = "underline in every line what its keys are; warn of doubtful options on standard error",
     .not_on_clusters = "it is for one sort",
     .set = [](Request& request, const Value&) { request.debug = true; }},
});

constexpr std::array kObservationSpecs = std::to_array<Spec>({
    {.long_name = "verify",
     .argument = "on|off",
     .values = kJoinedWords<kVerifyWords>,
     .help = "compare counts, checksums and order of input and output (default: on)",
     .python = {"verify", "bool", kAllJobs | kOfAllClusters, "False: do not compare count, checksum and order"},
     .is_set = is_given<&SortOptions::verify>,
     .set = set_switch<kVerifyWords, &SortOptions::verify>},
    {.long_name = "strict",
     .help = "refuse to assume anything: what would be a warning of a time or number that cannot be read, a year or a "
             "value that is missing, ends the sort with status 2, and the output stays as it was",
     .python =
         {"strict", "bool", kAllJobs | kOfAllClusters,
          "True: raise Error rather than assume anything, such as the year of a time or the place of a record whose "
          "key cannot be read, and leave the output as it was; else assumptions are warned of, and in the report"},
     .is_set = is_given<&SortOptions::strict>,
     .set = set_flag<&SortOptions::strict>},
    {.long_name = "progress",
     .argument = "WHEN",
     .values = kJoinedWords<kProgressWords>,
     .help = "show progress on standard error: auto (default; if it is a terminal), always or never",
     .set = set_choice<kProgressWords, &SortOptions::progress>},
    {.long_name = "stats",
     .help = "say on standard error what was done, how fast, and what was the bottleneck",
     .not_on_clusters = "a report comes in the end",
     .set = [](Request& request, const Value&) { request.print_stats = true; }},
    {.long_name = "stats-json",
     .argument = "FILE",
     .values = "FILE",
     .help = "write the same to FILE as JSON",
     .python = {"stats_json", "_Path", kAllSorts, "path for the report as JSON"},
     .not_on_clusters = "a report comes in the end",
     .is_set = is_given<&SortOptions::stats_json_path>,
     .set = set_path<&SortOptions::stats_json_path>},
    {.long_name = "report",
     .argument = "FILE",
     .values = "FILE",
     .help =
         "write the same to FILE as a page for a browser: pictures of what was busy when, memory and scratch space, "
         "and what would help",
     .python = {"report", "_Path", kAllSorts, "path for the report as a page for a browser, with pictures"},
     .not_on_clusters = "--trace writes a timeline",
     .is_set = is_given<&SortOptions::report_path>,
     .set = set_path<&SortOptions::report_path>},
    {.long_name = "trace",
     .argument = "FILE",
     .values = "FILE",
     .help = "write a timeline of all threads and GPUs to FILE, for ui.perfetto.dev or chrome://tracing",
     .python = {"trace", "_Path", kAllJobs, "path for a Chrome trace"},
     .is_set = is_given<&SortOptions::trace_path>,
     .set = set_path<&SortOptions::trace_path>},
});

constexpr std::array kOtherSpecs = std::to_array<Spec>({
    {.long_name = "self-test",
     .help =
         "test this installation: sort made-up records in all formats and orders, on each engine that there is, and "
         "compare the results with a plain sort; takes no files, and of the options those of resources alone",
     .not_on_clusters = "sortie --self-test tests an installation",
     .set = [](Request& request, const Value&) { request.self_test = true; }},
    {.long_name = "help",
     .origin = Origin::kGnu,
     .argument = "[=FORM]",
     .values = kJoinedWords<kHelpWords>,
     .help = "show this help; man: as a manual page; bash, zsh, fish: as a script that completes options in that shell",
     .set = [](Request& request,
               const Value& value) { request.help = value.is_text() ? value.as_choice(kHelpWords) : HelpForm::kText; }},
    {.long_name = "version",
     .origin = Origin::kGnu,
     .help = "show the version",
     .not_on_clusters = "sortie-cluster --version shows it",
     .set = [](Request& request, const Value&) { request.version = true; }},
});

}  // namespace

std::span<const Spec> debug_specs() { return kDebugSpecs; }
std::span<const Spec> observation_specs() { return kObservationSpecs; }
std::span<const Spec> other_specs() { return kOtherSpecs; }

}  // namespace sortie::option
