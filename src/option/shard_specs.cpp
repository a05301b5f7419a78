// Options of one sort by several processes, as sortie-cluster runs it.
#include <array>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "option/catalogue_parts.hpp"
#include "option/request.hpp"
#include "option/value.hpp"

namespace sortie::option {
namespace {

constexpr std::string_view kOfTheJob = "a job gives it to its commands itself";
constexpr std::uint64_t kMostPlaces = (std::uint64_t{1} << 56) - 1;
constexpr std::uint64_t kMostSamples = 1'000'000;
constexpr std::uint64_t kMostSetInputs = std::uint64_t{1} << 32;

/// "A-B" or "A-".
ByteRange parse_byte_range(std::string_view word) {
  const std::size_t dash = word.find('-');
  const std::optional<std::uint64_t> begin = whole_number<std::uint64_t>(word.substr(0, dash));
  ByteRange range;
  if (dash != std::string_view::npos && begin) {
    range.begin = *begin;
    if (dash + 1 == word.size()) return range;
    range.end = whole_number<std::uint64_t>(word.substr(dash + 1));
    if (range.end && *range.end >= range.begin) return range;
  }
  throw Error("--bytes: " + quote_word(word) + " is no range of bytes: write A-B, or A- up to the end");
}

std::uint64_t number_in(const Value& value, std::uint64_t least, std::uint64_t most) {
  return value.as_number(least, most, "give a number from " + std::to_string(least) + " to " + std::to_string(most));
}

constexpr std::array kSideWords =
    std::to_array<Word<JoinSide>>({{"left", JoinSide::kLeft}, {"right", JoinSide::kRight}});

constexpr std::array kShardSpecs = std::to_array<Spec>({
    {.long_name = "form",
     .argument = "DIR",
     .values = "DIR",
     .help =
         "sort a shard, one file or several, into runs in DIR, made when they are complete; say as JSON what they are",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.directory = value.as_path(); }},
    {.long_name = "bytes",
     .argument = "A-B",
     .help = "the shard: records that begin in bytes A to B - 1 of the only input, or of all files of a --format, one "
             "behind "
             "the other; without B, up to the end (default: 0-)",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.bytes = parse_byte_range(value.as_text()); }},
    {.long_name = "place",
     .argument = "P",
     .help = "with --form, the place of the shard's first byte among those of all records; headers are none; with "
             "--cut, the number of the run among all runs (default: 0)",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.place = number_in(value, 0, kMostPlaces); }},
    {.long_name = "samples",
     .argument = "N",
     .help = "tell at most N keys of the shard's runs (default: 256)",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.samples = number_in(value, 1, kMostSamples); }},
    {.long_name = "side",
     .argument = "SIDE",
     .values = kJoinedWords<kSideWords>,
     .help = "with --join and --form or --cut, the file of the join that the shard is of: left or right",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.side = value.as_choice(kSideWords); }},
    {.long_name = "shared-header",
     .argument = "[=FILE]",
     .values = "FILE",
     .help =
         "say as JSON which header all files together have, as a sort of them finds out; with --form, and FILE that "
         "holds what was said: the header of the shard's files counts for nothing beside that",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request,
               const Value& value) { request.shards.shared_header = value.is_text() ? value.as_path() : ""; }},
    {.long_name = "set-inputs",
     .argument = "N",
     .help =
         "with --intersect and its like, how many sets all files together are; this command has some of them, which "
         "follow each other; with --form, --place=P says which, by its highest bits",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request,
               const Value& value) { request.options.set_inputs = number_in(value, 2, kMostSetInputs); }},
    {.long_name = "by-place",
     .help = "with --form, --cut and --merge-runs, a second sort, by the places of records: of files that merges of "
             "the first one of --order=input or --sample have written",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.by_place = value.as_flag(); }},
    {.long_name = "of-job",
     .help = "with --form, --cut and --merge-runs, a sort of what an earlier one has written: files have no header, "
             "are not packed, and nothing is said of places in them",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.of_job = value.as_flag(); }},
    {.long_name = "cut",
     .argument = "BOUNDS",
     .values = "FILE",
     .help =
         "say as JSON what of a run lies in front of each bound in the file BOUNDS; with -o FILE, cut all runs of a "
         "shard, and write that to FILE",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.bounds = value.as_path(); }},
    {.long_name = "merge-runs",
     .argument = "PLAN",
     .values = "FILE",
     .help =
         "merge the slices of runs that the file PLAN lists; -o FILE@OFFSET writes them into FILE from OFFSET on; with "
         "--join and both files, join them",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.slice_plan = value.as_path(); }},
    {.long_name = "split-ranges",
     .argument = "PLAN",
     .values = "FILE",
     .help =
         "write files as --split-by and its like say (with --format=bam and its like the output of the input files) of "
         "records that --merge-runs has written, where the file PLAN says",
     .not_on_clusters = kOfTheJob,
     .set = [](Request& request, const Value& value) { request.shards.ranges_plan = value.as_path(); }},
});

}  // namespace

std::span<const Spec> shard_specs() { return kShardSpecs; }

}  // namespace sortie::option
