// Options that say which records the output has: without duplicates, sets, groups, the first ones, samples.
#include <array>

#include "option/catalogue_parts.hpp"
#include "option/field_setters.hpp"
#include "option/request.hpp"

namespace sortie::option {
namespace {

void set_key_filter(Request& request, KeyFilter filter) {
  if (request.options.key_filter != KeyFilter::kAll && request.options.key_filter != filter) {
    refuse_together(request.door, "repeated", "only-once");
  }
  request.options.key_filter = filter;
  request.options.unique = true;
}

void set_operation(Request& request, SetOperation operation) {
  if (request.options.set_operation != SetOperation::kNone && request.options.set_operation != operation) {
    request.refuse("options {union}, {intersect}, {except} and {symmetric} are incompatible: give one of them");
  }
  request.options.set_operation = operation;
  request.options.unique = true;
}

template <SetOperation kOperation>
bool is_set_operation(const SortOptions& options) {
  return options.set_operation == kOperation;
}

template <SetOperation kOperation>
void set_operation(Request& request, const Value&) {
  set_operation(request, kOperation);
}

// On a command line the options are called as their aggregates are.
template <AggregateKind kKind>
void add_aggregate(Request& request, const Value& value) {
  request.aggregates.push_back({kKind, value.as_text()});
}

/// "N" or "N,SEED" on a command line.
void set_sample(Request& request, const Value& value) {
  if (!value.is_word()) {
    request.options.sample_records = value.as_count("all records");
    return;
  }
  const std::string word = value.as_text();
  const std::size_t comma = word.find(',');
  const std::string_view count = std::string_view(word).substr(0, comma);
  constexpr std::string_view kDigits = "0123456789";
  if (count.find_first_of(kDigits) == 0 && count.find_first_not_of(kDigits) != std::string_view::npos) {
    value.refuse(word, "give how many records, or that and a seed: 1000 or 1000,seed");
  }
  request.options.sample_records = count_in(count, value);
  request.sample_seed.reset();
  if (comma != std::string::npos) request.sample_seed = word.substr(comma + 1);
}

/// Python's count is never an aggregate.
void set_count(Request& request, const Value& value) {
  if (value.is_word()) {
    request.aggregates.push_back({AggregateKind::kCount, ""});
  } else if (value.as_flag()) {
    request.options.count = request.options.unique = true;
  }
}

/// A command line has each aggregate as an option of its own, Python all of them as words.
void set_group(Request& request, const Value& value) {
  request.groups = true;
  if (value.is_word()) return;
  for (std::string& word : value.as_texts()) request.aggregates.push_back({std::nullopt, std::move(word)});
}

void set_shuffle(Request& request, const Value& value) {
  request.order.shuffle = value.is_text() || value.as_flag("True, False or a str");
  if (!value.is_text()) return;
  request.order.shuffle_seed = value.as_text();
  if (request.order.shuffle_seed->empty()) value.refuse("", "give a seed of one character at least");
}

constexpr std::array kKeepWords = std::to_array<Word<bool>>({{"first", false}, {"last", true}});

/// "max:KEY" or "min:KEY". `reason`: what else may be said.
BestWord best_word(const Value& value, const std::string& reason) {
  const std::string word = value.as_text();
  const bool is_greatest = word.starts_with("max:");
  if ((!is_greatest && !word.starts_with("min:")) || word.size() == 4) value.refuse(word, reason);
  return {is_greatest, word.substr(4)};
}

/// Python has a name for the best.
void set_keep(Request& request, const Value& value) {
  request.keep_best.reset();
  request.options.keep_last = false;
  const bool is_simple = !value.is_word() || value.as_text() == "first" || value.as_text() == "last";
  if (is_simple) {
    request.options.keep_last = value.as_switch(kKeepWords);
  } else {
    request.keep_best = best_word(value, "known are first, last, max:KEY and min:KEY");
  }
}
constexpr std::array kOrderWords =
    std::to_array<Word<OutputOrder>>({{"keys", OutputOrder::kKeys}, {"input", OutputOrder::kInput}});
constexpr std::array kSetWords = std::to_array<Word<SetOperation>>({{"union", SetOperation::kUnion},
                                                                    {"intersect", SetOperation::kIntersect},
                                                                    {"except", SetOperation::kExcept},
                                                                    {"symmetric", SetOperation::kSymmetric}});

constexpr std::array kSelectionSpecs = std::to_array<Spec>({
    {.long_name = "unique",
     .short_name = 'u',
     .origin = Origin::kGnu,
     .help = "of lines or records with equal keys write only the first; with -c, check that no two are equal",
     .python = {"unique", "bool", kSortsAndChecks | kOfTables | kOfAllClusters,
                "only the first of records with equal keys"},
     .about = kDropsRecords,
     .is_set = is_given<&SortOptions::unique>,
     .set = [](Request& request, const Value& value) { request.options.unique |= value.as_flag(); }},
    {.long_name = "keep",
     .argument = "WHICH",
     .values = kJoinedWords<kKeepWords>,
     .help = "of lines or records with equal keys keep the first (default) or the last, or of lines, with max:KEY or "
             "min:KEY, the one with the greatest or least KEY, as for -k; with -u or --count",
     .python = {"keep_last", "bool", kSorts | kOfTables | kOfAllClusters, "with unique and its like, the last of them"},
     .is_set = is_given<&SortOptions::keep_last>,
     .set = set_keep},
    {.python = {"keep_best", "str", kSorts | kOfClusters,
                "with unique or count, of lines with equal keys the one with the greatest or least value of a key: "
                "\"max:.score\", \"min:price:n\""},
     .set = [](Request& request,
               const Value& value) { request.keep_best = best_word(value, "write max:KEY or min:KEY"); }},
    {.long_name = "dropped",
     .argument = "LIST",
     .values = "FILE",
     .help = "write to LIST what was dropped, each with the record that was kept for it: TSV, with file and number of "
             "both; with -u or --count",
     .python = {"dropped", "_Path", kOfFiles,
                "path for a list of the records that unique or count dropped, and for which"},
     .not_on_clusters = "commands of a job see parts of the files: find duplicates on one machine to list them",
     .is_set = is_given<&SortOptions::dropped_path>,
     .set = set_path<&SortOptions::dropped_path>},
    {.long_name = "count",
     .help = "like -u, with the number of lines that have the same keys in front: as uniq -c does; with --group, this "
             "number as a column",
     .python = {"count", "bool", kSorts | kOfClusters, "lines only: how often each came, in front of it"},
     .about = kDropsRecords,
     .is_set = is_given<&SortOptions::count>,
     .set = set_count},
    {.long_name = "repeated",
     .help = "like -u, but only of lines or records whose keys come several times: as uniq -d does",
     .python = {"repeated", "bool", kSorts | kOfTables | kOfAllClusters,
                "only the first of records whose keys several records have"},
     .about = kDropsRecords,
     .is_set = [](const SortOptions& options) { return options.key_filter == KeyFilter::kRepeated; },
     .set =
         [](Request& request, const Value& value) {
           if (value.as_flag()) set_key_filter(request, KeyFilter::kRepeated);
         }},
    {.long_name = "only-once",
     .help = "write only lines or records whose keys no other has: as uniq -u does",
     .python = {"only_once", "bool", kSorts | kOfTables | kOfAllClusters, "only records whose keys no other has"},
     .about = kDropsRecords,
     .is_set = [](const SortOptions& options) { return options.key_filter == KeyFilter::kOnce; },
     .set =
         [](Request& request, const Value& value) {
           if (value.as_flag()) set_key_filter(request, KeyFilter::kOnce);
         }},
    {.long_name = "union",
     .help = "write lines or records that any FILE has, each once: FILEs are sets, told apart by keys",
     .python = {.spelling = "set_operation=\"union\""},
     .about = kDropsRecords,
     .is_set = is_set_operation<SetOperation::kUnion>,
     .set = set_operation<SetOperation::kUnion>},
    {.long_name = "intersect",
     .help = "write lines or records that every FILE has, each once",
     .python = {.spelling = "set_operation=\"intersect\""},
     .about = kDropsRecords,
     .is_set = is_set_operation<SetOperation::kIntersect>,
     .set = set_operation<SetOperation::kIntersect>},
    {.long_name = "except",
     .help = "write lines or records of the first FILE that no other has, each once",
     .python = {.spelling = "set_operation=\"except\""},
     .about = kDropsRecords,
     .is_set = is_set_operation<SetOperation::kExcept>,
     .set = set_operation<SetOperation::kExcept>},
    {.long_name = "symmetric",
     .help = "write lines or records that exactly one FILE has, each once",
     .python = {.spelling = "set_operation=\"symmetric\""},
     .about = kDropsRecords,
     .is_set = is_set_operation<SetOperation::kSymmetric>,
     .set = set_operation<SetOperation::kSymmetric>},
    {.values = kJoinedWords<kSetWords>,
     .python = {"set_operation", kOneOfTheValues, kOfFiles | kOfClusters,
                "each input is a set, told apart by keys; of those that any has, all have, the first has and no other, "
                "or exactly one has, the first record is kept"},
     .set = [](Request& request, const Value& value) { set_operation(request, value.as_choice(kSetWords)); }},
    {.long_name = "order",
     .argument = "WHICH",
     .values = kJoinedWords<kOrderWords>,
     .help =
         "write what is kept of equal lines or records in the order of the keys (default) or of the input; with -u, "
         "--count, --repeated, --only-once, --sample or sets",
     .python = {"order", kOneOfTheValues, kSorts | kOfTables | kOfClusters,
                "\"input\": what is kept of equal records, or a sample, comes as it stood in the input"},
     .is_set = [](const SortOptions& options) { return options.output_order == OutputOrder::kInput; },
     .set = set_choice<kOrderWords, &SortOptions::output_order>},
    {.long_name = "group",
     .help = "write one line for each group of equal keys: the keys, then the aggregates that are asked for, in the "
             "order of their options, of which --count is one; repeat them as you like",
     .python = {"group", "str | Iterable[str]", kSorts | kOfClusters,
                "one line for each group of equal keys, of the keys and of aggregates: \"count\", \"sum:2\", "
                "\"mean:price\", \"min:.user.n\", also max, first, last; a str or several, or none"},
     .about = kDropsRecords,
     .is_set = is_given<&SortOptions::grouping>,
     .set = set_group},
    {.long_name = "sum",
     .argument = "COL",
     .help =
         "with --group, the exact sum of a column: the number of a field, the name or number of a column of CSV, or "
         "the path of a value of JSON; nothing and null do not count",
     .set = add_aggregate<AggregateKind::kSum>},
    {.long_name = "min",
     .argument = "COL",
     .help = "with --group, the least number of a column, as it is written",
     .set = add_aggregate<AggregateKind::kMin>},
    {.long_name = "max",
     .argument = "COL",
     .help = "with --group, the greatest number of a column, as it is written",
     .set = add_aggregate<AggregateKind::kMax>},
    {.long_name = "mean",
     .argument = "COL",
     .help = "with --group, the mean of a column, rounded to 17 digits",
     .set = add_aggregate<AggregateKind::kMean>},
    {.long_name = "first",
     .argument = "COL",
     .help = "with --group, the text of a column in the first line, by the order of the input",
     .set = add_aggregate<AggregateKind::kFirst>},
    {.long_name = "last",
     .argument = "COL",
     .help = "with --group, the text of a column in the last line",
     .set = add_aggregate<AggregateKind::kLast>},
    {.long_name = "top",
     .argument = "N",
     .help = "write only the first N lines or records of the sorted output; takes little more than reading the input",
     .python = {"top", "int", kSorts | kOfTables | kOfAllClusters, "only the first so many records of the result"},
     .about = kDropsRecords,
     .is_set = is_given<&SortOptions::top_records>,
     .set = [](Request& request, const Value& value) { request.options.top_records = value.as_count("all records"); }},
    {.long_name = "sample",
     .argument = "N[,SEED]",
     .help = "sort only N of the lines or records, drawn at random; every set of N is equally likely; SEED, any text, "
             "draws the same again (default: others each time)",
     .python = {"sample", "int", kSorts | kOfTables | kOfClusters, "only so many records, drawn at random, are sorted"},
     .is_set = is_given<&SortOptions::sample_records>,
     .set = set_sample},
    {.python = {"sample_seed", "str", kSorts | kOfTables | kOfClusters, "draws the same sample again"},
     .set = [](Request& request, const Value& value) { request.sample_seed = value.as_text(); }},
    {.long_name = "shuffle",
     .argument = "[=SEED]",
     .help = "write the lines or records in random order, every order being equally likely; equal ones do not stay "
             "together, as with -R; SEED, any text, gives the same order again (default: another one each time)",
     .python = {"shuffle", "bool | str", kSorts | kOfClusters,
                "records in random order, of any format; a str gives the same order again"},
     .is_set = is_given<&SortOptions::format, &Format::shuffle>,
     .set = set_shuffle},
});

}  // namespace

std::span<const Spec> selection_specs() { return kSelectionSpecs; }

}  // namespace sortie::option
