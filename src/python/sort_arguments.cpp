#include "python/sort_arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include <sortie/text_keys.hpp>

namespace sortie::python {
namespace {

OutputOrder output_order_in(const OptionValue& value) {
  return value.as_choice<OutputOrder>({{"keys", OutputOrder::kKeys}, {"input", OutputOrder::kInput}});
}

void set_compression(SortTarget& target, const OptionValue& value) {
  constexpr std::string_view kLevelPrefix = "zstd:";
  const std::string word = value.as_text();
  if (!word.starts_with(kLevelPrefix)) {
    target.options.compression = value.as_choice<Compression>({{"auto", Compression::kAuto},
                                                               {"none", Compression::kNone},
                                                               {"zstd", Compression::kZstd},
                                                               {"zstd:LEVEL", Compression::kZstd}});
    return;
  }
  const char* const end = word.data() + word.size();
  int level = 0;
  const auto [stop, status] = std::from_chars(word.data() + kLevelPrefix.size(), end, level);
  if (status != std::errc() || stop != end || level < kLowestCompressionLevel || level > kHighestCompressionLevel) {
    value.refuse(word, "the level is from " + std::to_string(kLowestCompressionLevel) + " to " +
                           std::to_string(kHighestCompressionLevel));
  }
  target.options.compression = Compression::kZstd;
  target.options.compression_level = level;
}

void set_devices(SortTarget& target, const OptionValue& value) {
  if (!value.is_text()) {
    target.options.devices = value.as_numbers();
    return;
  }
  target.options.all_devices = value.as_choice<bool>({{"all", true}});
}

void set_random_seed(SortTarget& target, const OptionValue& value) {
  const std::string bytes = value.as_bytes();
  std::array<std::byte, 16>& seed = target.order.random_seed.emplace();
  if (bytes.size() != seed.size()) value.refuse(bytes, "give 16 bytes");
  std::memcpy(seed.data(), bytes.data(), seed.size());
}

void set_key_filter(SortTarget& target, const OptionValue& value, KeyFilter filter) {
  if (!value.as_flag()) return;
  if (target.options.key_filter != KeyFilter::kAll)
    throw ArgumentError("repeated and only_once are both given: choose one");
  target.options.key_filter = filter;
  target.options.unique = true;
}

void set_operation(SortTarget& target, const OptionValue& value) {
  target.options.set_operation = value.as_choice<SetOperation>({{"union", SetOperation::kUnion},
                                                                {"intersect", SetOperation::kIntersect},
                                                                {"except", SetOperation::kExcept},
                                                                {"symmetric", SetOperation::kSymmetric}});
  target.options.unique = true;
}

/// A text gives the same order again.
void set_shuffle(SortTarget& target, const OptionValue& value) {
  target.order.shuffle = value.is_text() || value.as_flag("True, False or a str");
  if (!value.is_text()) return;
  if (value.as_text().empty()) value.refuse("", "give a seed of one character at least, or True for none");
  target.order.random_seed = seed_of_text(value.as_text());
}

void set_separator(SortTarget& target, const OptionValue& value) {
  target.order.separator = value.as_bytes();
  if (target.order.separator.empty()) value.refuse("", "give one character at least, or None for blanks");
}

void set_quote(SortTarget& target, const OptionValue& value) {
  target.order.quoting =
      value.as_choice<Quoting>({{"csv", Quoting::kCsv}, {"none", Quoting::kNone}, {"backslash", Quoting::kBackslash}});
}

void set_header_lines(SortTarget& target, const OptionValue& value) {
  target.header_is_told = true;
  if (!value.is_text()) {
    target.options.header_lines = value.as_count();
  } else if (value.as_text() == "auto") {
    target.options.header_prefixes = {"#"};
  } else {
    value.refuse(value.as_text(), "give a number, or auto for the lines that begin with #");
  }
}

void set_chromosomes(SortTarget& target, const OptionValue& value) {
  target.order.chromosomes = value.as_choice<ChromosomeOrder>({{"natural", ChromosomeOrder::kNatural},
                                                               {"karyotype", ChromosomeOrder::kKaryotype},
                                                               {"bytes", ChromosomeOrder::kBytes},
                                                               {"header", ChromosomeOrder::kHeader}});
}

void set_year(SortTarget& target, const OptionValue& value) {
  const std::uint64_t year = value.as_count_above_zero("the one of the last change of the inputs");
  if (year > 9999) value.refuse(std::to_string(year), "give a year from 1 to 9999");
  target.order.year = static_cast<int>(year);
}

void set_missing_words(SortTarget& target, const OptionValue& value) {
  if (!value.is_flag()) {
    target.order.missing_words = parse_missing_words("");
    for (std::string& word : value.as_texts()) {
      if (word.empty()) value.refuse(word, "what is empty is missing anyway");
      target.order.missing_words.push_back(std::move(word));
    }
  } else if (value.as_flag()) {
    target.order.missing_words = parse_missing_words("");
  }
}

void set_memory(SortTarget& target, const OptionValue& value) {
  target.options.memory_bytes = value.as_size();
  if (target.options.memory_bytes < kMinMemoryBytes) {
    value.refuse(
        std::to_string(target.options.memory_bytes),
        "that is too small; give " + std::to_string(kMinMemoryBytes) + " bytes or more, or None for the default");
  }
}

void set_merge_fan_in(SortTarget& target, const OptionValue& value) {
  target.options.merge_fan_in = value.as_count_above_zero("the default");
  if (target.options.merge_fan_in == 1) value.refuse("1", "a merge takes two runs at least; give 2 or more");
}

void set_scratch(SortTarget& target, const OptionValue& value) {
  target.options.scratch_directories = value.as_paths();
  if (std::ranges::count(target.options.scratch_directories, "") > 0) {
    value.refuse("", "give a directory, or None for the default");
  }
}

void set_entry_start(SortTarget& target, const OptionValue& value) {
  const std::string word = value.as_text();
  // The C library would take the expression to end there.
  if (word.find('\0') != std::string::npos) value.refuse(word, "no regular expression holds a NUL character");
  target.order.entry_start = parse_word_of("entry_start", word, [&] { return RecordStart(word); });
}

void set_top(SortTarget& target, const OptionValue& value) {
  target.options.top_records = value.as_count_above_zero("all records");
}

void set_split_by(SortTarget& target, const OptionValue& value) {
  target.order.split_by = value.as_text();
  target.options.parts.by_first_key = true;
}

void set_output_level(SortTarget& target, const OptionValue& value) {
  const std::uint64_t level = value.as_count_above_zero("the usual level");
  target.options.output_level = static_cast<int>(std::min<std::uint64_t>(level, std::numeric_limits<int>::max()));
}

void set_count(SortTarget& target, const OptionValue& value) {
  target.options.count = value.as_flag();
  if (target.options.count) target.options.unique = true;
}

constexpr NamedOption<SortTarget> kSortOptions[] = {
    {"inputs", [](SortTarget& t, const OptionValue& v) { t.options.inputs = v.as_paths(); }},
    {"output", [](SortTarget& t, const OptionValue& v) { t.options.output = v.as_path(); }},
    {"output_level", set_output_level},
    {"format", [](SortTarget& t, const OptionValue& v) { t.order.format = v.as_text(); }},
    {"fields", [](SortTarget& t, const OptionValue& v) { t.order.fields = v.as_texts(); }},
    {"keys", [](SortTarget& t, const OptionValue& v) { t.order.keys = v.as_texts(); }},
    {"ordering", [](SortTarget& t, const OptionValue& v) { t.order.ordering = v.as_text(); }},
    {"descending", [](SortTarget& t, const OptionValue& v) { t.order.descending = v.as_flag(); }},
    {"stable", [](SortTarget& t, const OptionValue& v) { t.order.stable = v.as_flag(); }},
    {"locale", [](SortTarget& t, const OptionValue& v) { t.order.locale = v.as_flag(); }},
    {"separator", set_separator},
    {"delimiter", [](SortTarget& t, const OptionValue& v) { t.order.delimiter = v.as_byte(); }},
    {"entry_start", set_entry_start},
    {"random_seed", set_random_seed},
    {"shuffle", set_shuffle},
    {"year", set_year},
    {"zone", [](SortTarget& t, const OptionValue& v) { t.order.zones = v.as_text(); }},
    {"na", set_missing_words},
    {"header_lines", set_header_lines},
    {"quote", set_quote},
    {"chromosomes", set_chromosomes},
    {"unique", [](SortTarget& t, const OptionValue& v) { t.options.unique |= v.as_flag(); }},
    {"keep_last", [](SortTarget& t, const OptionValue& v) { t.options.keep_last = v.as_flag(); }},
    {"count", set_count},
    {"repeated", [](SortTarget& t, const OptionValue& v) { set_key_filter(t, v, KeyFilter::kRepeated); }},
    {"only_once", [](SortTarget& t, const OptionValue& v) { set_key_filter(t, v, KeyFilter::kOnce); }},
    {"set_operation", set_operation},
    {"order", [](SortTarget& t, const OptionValue& v) { t.options.output_order = output_order_in(v); }},
    {"sample",
     [](SortTarget& t, const OptionValue& v) { t.options.sample_records = v.as_count_above_zero("all records"); }},
    {"sample_seed", [](SortTarget& t, const OptionValue& v) { t.sample_seed = seed_of_text(v.as_text()); }},
    {"group", [](SortTarget& t, const OptionValue& v) { t.group = v.as_texts(); }},
    {"top", set_top},
    {"split", [](SortTarget& t, const OptionValue& v) { t.options.parts.count = v.as_count_above_zero("one file"); }},
    {"split_size", [](SortTarget& t, const OptionValue& v) { t.options.parts.most_bytes = v.as_size(); }},
    {"split_records",
     [](SortTarget& t, const OptionValue& v) { t.options.parts.most_records = v.as_count_above_zero("one file"); }},
    {"split_by", set_split_by},
    {"together", [](SortTarget& t, const OptionValue& v) { t.options.parts.together = v.as_flag(); }},
    {"manifest", [](SortTarget& t, const OptionValue& v) { t.options.parts.manifest_path = v.as_path_or_none(); }},
    {"merge_only", [](SortTarget& t, const OptionValue& v) { t.options.merge_only = v.as_flag(); }},
    {"unpack", [](SortTarget& t, const OptionValue& v) { t.options.unpack = v.as_flag(); }},
    {"verify", [](SortTarget& t, const OptionValue& v) { t.options.verify = v.as_flag(); }},
    {"strict", [](SortTarget& t, const OptionValue& v) { t.options.strict = v.as_flag(); }},
    {"memory", set_memory},
    {"merge_fan_in", set_merge_fan_in},
    {"scratch", set_scratch},
    {"checkpoint", [](SortTarget& t, const OptionValue& v) { t.options.checkpoint_directory = v.as_path_or_none(); }},
    {"threads", [](SortTarget& t, const OptionValue& v) { t.options.threads = threads_in(v); }},
    {"engine", [](SortTarget& t, const OptionValue& v) { t.options.engine = engine_in(v); }},
    {"devices", set_devices},
    {"device_memory", [](SortTarget& t, const OptionValue& v) { t.options.device_memory_bytes = v.as_size(); }},
    {"algorithm",
     [](SortTarget& t, const OptionValue& v) {
       t.options.algorithm = v.as_choice<Algorithm>({{"auto", Algorithm::kAuto},
                                                     {"radix", Algorithm::kRadix},
                                                     {"bitonic", Algorithm::kBitonic},
                                                     {"merge", Algorithm::kMerge},
                                                     {"odd-even", Algorithm::kOddEven},
                                                     {"split-radix", Algorithm::kSplitRadix}});
     }},
    {"compression", set_compression},
    {"compress_program", [](SortTarget& t, const OptionValue& v) { t.options.compress_program = v.as_path_or_none(); }},
    {"trace", [](SortTarget& t, const OptionValue& v) { t.options.trace_path = v.as_path_or_none(); }},
    {"report", [](SortTarget& t, const OptionValue& v) { t.options.report_path = v.as_path_or_none(); }},
    {"stats_json", [](SortTarget& t, const OptionValue& v) { t.options.stats_json_path = v.as_path_or_none(); }},
};

}  // namespace

std::span<const NamedOption<SortTarget>> sort_arguments() { return kSortOptions; }

EngineChoice engine_in(const OptionValue& value) {
  return value.as_choice<EngineChoice>(
      {{"auto", EngineChoice::kAuto}, {"gpu", EngineChoice::kGpu}, {"cpu", EngineChoice::kCpu}});
}

unsigned threads_in(const OptionValue& value) {
  const std::uint64_t threads = value.as_count_above_zero("as many as there are");
  return static_cast<unsigned>(std::min<std::uint64_t>(threads, kMostThreads));
}

}  // namespace sortie::python
