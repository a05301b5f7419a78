#include "cli/explain/order_sentence.hpp"

#include <algorithm>
#include <clocale>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quote.hpp"
#include "record/text/byte_words.hpp"
#include "record/text/guess_subjects.hpp"

namespace sortie::cli {
namespace {

constexpr const char* kEqualOnes = "; equal ones keep their order";

std::string number(std::size_t from_zero) { return std::to_string(from_zero + 1); }

/// A key that may be a name, read as a position.
TextKey as_position(TextKey key) {
  key.column.clear();
  key.may_be_position = false;
  return key;
}

/// "field 2", "fields 2 to 4", "field 2 and all behind it", "character 3 of field 2 to ...".
std::string position_of(const TextKey& key, bool json) {
  if (key.may_be_position) {
    if (std::ranges::all_of(key.column, is_digit)) return "column or field " + quote_word(key.column);
    return position_of(as_position(key), json);
  }
  if (!key.column.empty()) return (json ? "value " : "column ") + quote_word(key.column);
  const TextPosition& begin = key.begin;
  if (begin == TextPosition{} && !key.end) return "the whole line";
  const std::string field = "field " + number(begin.field);
  std::string position = begin.byte == 0 ? field : "character " + number(begin.byte) + " of " + field;
  if (!key.end) return position + " and all behind it";
  // A position at byte 0 of a field is the end of the field before.
  const bool ends_field = key.end->byte == 0;
  if (ends_field && begin.byte == 0 && key.end->field > begin.field) {
    return key.end->field == begin.field + 1 ? field
                                             : "fields " + number(begin.field) + " to " + number(key.end->field - 1);
  }
  if (ends_field) return position + " to the end of field " + std::to_string(key.end->field);
  return position + " to character " + std::to_string(key.end->byte) + " of field " + number(key.end->field);
}

constexpr std::pair<TextKind, std::string_view> kKinds[] = {
    {TextKind::kText, "as text"},
    {TextKind::kNumber, "as a number"},
    {TextKind::kGeneralNumber, "as a number as programs write it"},
    {TextKind::kHumanNumber, "as a number with a unit"},
    {TextKind::kMonth, "as a month"},
    {TextKind::kVersion, "as a version"},
    {TextKind::kTime, "as a time"},
    {TextKind::kKaryotype, "as a chromosome of a karyotype"},
    {TextKind::kListed, "as a chromosome of the header's list"},
    {TextKind::kAlleles, "as alleles"},
    {TextKind::kRandom, "in a random order that keeps equal ones together"},
    {TextKind::kHash, "by a hash with a seed, which keeps equal ones together"},
    {TextKind::kShare, "by the share that a hash of it falls into"},
};

constexpr std::pair<AggregateKind, std::string_view> kAggregates[] = {
    {AggregateKind::kCount, "the count"},          {AggregateKind::kSum, "the sum of "},
    {AggregateKind::kMin, "the least number of "}, {AggregateKind::kMax, "the greatest number of "},
    {AggregateKind::kMean, "the mean of "},        {AggregateKind::kFirst, "the first text of "},
    {AggregateKind::kLast, "the last text of "},
};

template <class Kind, std::size_t kCount>
std::string_view said_of(Kind kind, const std::pair<Kind, std::string_view> (&words)[kCount]) {
  return std::ranges::find(words, kind, &std::pair<Kind, std::string_view>::first)->second;
}

std::string normal_form_of(const NormalForm& form) {
  if (!form.is_wanted()) return "";
  std::string parts;
  const auto add = [&](bool is_wanted, std::string_view part) {
    if (is_wanted) parts.append(parts.empty() ? "" : ", ").append(part);
  };
  add(form.nfkc, "NFKC");
  add(form.case_fold, "case folded");
  add(form.punctuation, "no punctuation");
  add(form.space, "runs of white space as one blank");
  return ", in a normal form: " + parts;
}

std::string words_of(const TextKey& key, bool json) {
  std::string words = position_of(key, json);
  if (key.begin.skip_blanks) words += " without the blanks in front";
  const bool reads_text = key.kind != TextKind::kText || key.dictionary || key.ignore_nonprinting || key.fold_case ||
                          key.normal.is_wanted();
  words.append(" ").append(json && !reads_text ? "as JSON orders it" : said_of(key.kind, kKinds));
  if (key.dictionary) words += ", of which blanks, letters and digits count";
  if (key.ignore_nonprinting && !key.dictionary) words += ", of which printable characters count";
  if (key.fold_case) words += ", whatever the case";
  words += normal_form_of(key.normal);
  return words + (key.descending ? ", falling" : "");
}

std::string words_of(Field field, bool) {
  const bool falls = field.descending;
  field.descending = false;
  return to_string(field) + (falls ? ", falling" : "");
}

/// "a; then by b; then by c".
template <class Part>
std::string in_turn(const std::vector<Part>& parts, bool json = false) {
  std::string words;
  for (const Part& part : parts) words.append(words.empty() ? "" : "; then by ").append(words_of(part, json));
  return words;
}

std::string order_of_lines(const TextOrder& order, bool descending, bool unique) {
  const bool are_entries = static_cast<bool>(order.record_start);
  const std::string what = order.csv ? "Records of CSV" : are_entries ? "Entries" : "Lines";
  const std::string without_keys = order.csv ? "their bytes without quotes" : "their bytes";
  if (order.keys.empty()) return what + " are ordered by " + without_keys + (descending ? ", falling" : "");
  std::string words = what + " are ordered by " + in_turn(order.keys, order.json);
  if (unique) return words;
  if (!has_last_resort(order)) return words + kEqualOnes;
  return words + "; equal ones by their bytes" + (order.last_resort_descending ? ", falling" : "");
}

std::string order_of(const Format& format, bool unique) {
  if (format.shuffle) return "Records come in random order, every order being equally likely";
  const std::string equal_ones = unique ? "" : kEqualOnes;
  const std::string falling = format.descending ? ", falling" : "";
  switch (format.kind) {
    case RecordKind::kLines:
      return order_of_lines(format.text, format.descending, unique);
    case RecordKind::kPrefixed:
      return "Length-prefixed records are ordered by the bytes of their keys" + falling + equal_ones;
    case RecordKind::kArray:
      return "Numbers, " + to_string(format) + ", are ordered by their value" + falling;
    case RecordKind::kFixed:
      break;
  }
  const std::string words = "Records of " + std::to_string(format.record_bytes) + " bytes are ordered by ";
  if (format.fields.empty()) return words + "all their bytes" + falling;
  return words + in_turn(format.fields) + (format.descending ? "; all of it reversed" : "") + equal_ones;
}

std::string kept_of_sets(SetOperation operation) {
  switch (operation) {
    case SetOperation::kUnion:
      return " Those that any input has are kept";
    case SetOperation::kIntersect:
      return " Those that every input has are kept";
    case SetOperation::kExcept:
      return " Those that the first input has and no other are kept";
    default:
      return " Those that exactly one input has are kept";
  }
}

/// The zone of times, if one is given.
std::string zone_of_times(const Format& format) {
  if (format.shuffle || format.text.zone.empty()) return "";
  return " Times that name no zone are in that of " + format.text.zone + ".";
}

/// In which order all records come, or those of the sample.
std::string order_of_all(const SortOptions& options, bool keeps_some) {
  std::string order = order_of(options.format, keeps_some) + "." + zone_of_times(options.format);
  if (options.sample_records == 0) return order;
  const bool is_sorted = keeps_some || options.output_order == OutputOrder::kKeys;
  return "A random sample of " + std::to_string(options.sample_records) + " is drawn." + (is_sorted ? " " + order : "");
}

std::string groups_of_equal_ones(const Grouping& grouping, bool json) {
  std::string words = " Equal ones become one record: their keys";
  for (const Aggregate& aggregate : grouping.aggregates) {
    words.append(", ").append(said_of(aggregate.kind, kAggregates));
    if (aggregate.kind != AggregateKind::kCount) words += position_of(aggregate.field, json);
  }
  return words + ".";
}

/// Which of records with equal keys are kept.
std::string kept_of_equal_ones(const SortOptions& options) {
  if (options.grouping) return groups_of_equal_ones(*options.grouping, options.format.text.json);
  const std::string which = options.keep_best   ? "first by " + words_of(*options.keep_best, options.format.text.json)
                            : options.keep_last ? "last"
                                                : "first";
  const std::string end = options.count ? ", with their number in front." : ".";
  if (options.set_operation != SetOperation::kNone) {
    return kept_of_sets(options.set_operation) + ", only the " + which + " of equal ones" + end;
  }
  if (options.key_filter == KeyFilter::kOnce) return " Only those that no other equals are kept" + end;
  if (options.key_filter == KeyFilter::kRepeated) {
    return " Only those that come several times are kept, the " + which + " of equal ones" + end;
  }
  return options.unique ? " Only the " + which + " of equal ones is kept" + end : "";
}

/// How the output is cut.
std::string parts_of(const Parts& parts) {
  if (!parts.are_wanted()) return "";
  std::string text = " The output is cut into ";
  if (parts.count != 0) text += std::to_string(parts.count) + " files of about equal bytes";
  if (parts.most_bytes != 0) text += "files of at most " + std::to_string(parts.most_bytes) + " bytes";
  if (parts.most_records != 0) text += "files of " + std::to_string(parts.most_records) + " records";
  if (parts.most_weight != 0) text += "files whose weights add up to at most " + std::to_string(parts.most_weight);
  if (parts.by_first_key)
    text += std::string(parts.are_limited() ? ", " : "") + "a file for each value of the first key";
  return text + (parts.together ? "; those with equal keys are in one of them." : ".");
}

}  // namespace

std::string order_sentence(const SortOptions& options) {
  const bool keeps_some = options.unique || options.key_filter != KeyFilter::kAll || options.grouping;
  std::string text = order_of_all(options, keeps_some) + kept_of_equal_ones(options);
  if (options.output_order == OutputOrder::kInput) text += " What is kept comes as it stood in the input.";
  if (options.top_records != 0) text += " Only the first " + std::to_string(options.top_records) + " of all are kept.";
  if (!options.format.text.missing_words.empty()) {
    text += " Where numbers are read, these words stand for missing values, which come last:";
    for (const std::string& word : options.format.text.missing_words) text.append(" ").append(quote_word(word));
    text += ".";
  }
  text += parts_of(options.parts);
  if (options.merge_only) text += " The inputs are taken to be in that order.";
  if (options.format.text.locale) {
    text.append(" Text is compared as the locale ").append(std::setlocale(LC_COLLATE, nullptr)).append(" has it.");
  }
  return text;
}

std::string join_sentence(const JoinOptions& options) {
  std::string text;
  if (!options.right_keys.empty())
    text = " The right input has its keys elsewhere: " + in_turn(options.right_keys) + ".";
  const std::string pairs = " Each left one is written with each right one that has equal keys";
  switch (options.kind) {
    case JoinKind::kInner:
      return text + pairs + ".";
    case JoinKind::kLeft:
      return text + pairs + "; so are left ones without a partner.";
    case JoinKind::kRight:
      return text + pairs + "; so are right ones without a partner.";
    case JoinKind::kFull:
      return text + pairs + "; so are those without a partner.";
    case JoinKind::kAnti:
      return text + " Left ones are written whose keys no right one has.";
  }
  return text;
}

}  // namespace sortie::cli
