#include "cli/options/order_warnings.hpp"

#include <algorithm>
#include <clocale>
#include <limits>
#include <string_view>
#include <utility>

#include "base/quote.hpp"
#include "option/locale_use.hpp"

namespace sortie::cli {
namespace {

bool is_number(const OrderingOptions& options) {
  return options.number || options.general_number || options.human_number;
}

/// Index of the field in which a key ends.
std::size_t last_field(const KeyDefinition& key) {
  if (!key.end) return std::numeric_limits<std::size_t>::max();
  return key.end->byte == 0 ? key.end->field - 1 : key.end->field;
}

bool has_no_width(const KeyDefinition& key) { return last_field(key) < key.begin.field; }

bool spans_fields(const KeyDefinition& key) { return last_field(key) > key.begin.field; }

/// Whether blanks in front of a field shift the positions in it, which is seldom meant.
bool counts_leading_blanks(const KeyDefinition& key, const OrderingOptions& options) {
  const bool only_line_offsets = key.end && key.end->field == 0 && key.end->byte != 0;
  if (only_line_offsets) return false;
  const bool kind_skips_blanks = is_number(options) || options.month || options.time;
  const bool at_begin = !options.skip_blanks_at_begin && (!kind_skips_blanks || key.begin.byte != 0);
  const bool at_end = !options.skip_blanks_at_end && key.end && key.end->byte != 0;
  return at_begin || at_end;
}

/// The number of a field, counted from 1. That of the last field that can be named is the greatest number.
std::string number_of_field(std::size_t index) {
  return std::to_string(index == std::numeric_limits<std::size_t>::max() ? index : index + 1);
}

std::string obsolete_key_warning(const KeyDefinition& key) {
  std::string used = "+" + std::to_string(key.begin.field);
  std::string instead = "-k " + number_of_field(key.begin.field);
  if (key.end) {
    const std::string last = number_of_field(last_field(key));
    used += " -" + last;
    instead += "," + last;
  }
  return "obsolescent key " + quote_word(used) + " used; consider " + quote_word(instead) + " instead";
}

class OrderWarnings {
 public:
  OrderWarnings(const option::OrderRequest& request, bool unique) : request_(request), unique_(unique) {}

  std::vector<std::string> make() {
    say_how_text_is_compared();
    for (std::size_t i = 0; i < request_.keys.size(); ++i) warn_of_key(request_.keys[i], std::to_string(i + 1));
    warn_of_separator();
    say_decimal_point();
    warn_of_wide_group_separator();
    warn_of_unused_options();
    return std::move(messages_);
  }

 private:
  void say(std::string message) { messages_.push_back(std::move(message)); }

  const OrderingOptions& options_of(const KeyDefinition& key) const { return effective_options(key, request_.global); }

  template <class Predicate>
  bool any_key(Predicate predicate) const {
    return std::ranges::any_of(request_.keys, predicate);
  }

  void say_how_text_is_compared() {
    say(option::has_collation_rules()
            ? "text ordering performed using " + quote_word(std::setlocale(LC_COLLATE, nullptr)) + " sorting rules"
            : "text ordering performed using simple byte comparison");
  }

  void warn_of_key(const KeyDefinition& key, const std::string& number) {
    const OrderingOptions& options = options_of(key);
    if (key.obsolete) say(obsolete_key_warning(key));
    if (has_no_width(key)) {
      say("key " + number + " has zero width and will be ignored");
    } else if (request_.separator.empty() && counts_leading_blanks(key, options)) {
      say("leading blanks are significant in key " + number + "; consider also specifying 'b'");
    }
    if (is_number(options) && spans_fields(key)) say("key " + number + " is numeric and spans multiple fields");
  }

  /// Whether a key that is read as a number of this kind spans several fields.
  bool number_spans_fields(bool OrderingOptions::*kind) const {
    return any_key([&](const KeyDefinition& key) { return options_of(key).*kind && spans_fields(key); });
  }

  /// A point of several bytes is not known to numbers: they have a dot then.
  static std::string decimal_point() {
    const std::string point = std::localeconv()->decimal_point;
    return point.size() == 1 ? point : ".";
  }

  /// Whether `mark` is the separator of fields, or a blank if blanks separate them.
  bool separates_fields(std::string_view mark) const {
    if (mark.size() != 1) return false;
    return !request_.separator.empty() ? request_.separator == mark
                                       : std::isblank(static_cast<unsigned char>(mark.front())) != 0;
  }

  void warn_of_separator() {
    const bool general = number_spans_fields(&OrderingOptions::general_number);
    const bool decimal =
        number_spans_fields(&OrderingOptions::number) || number_spans_fields(&OrderingOptions::human_number);
    const std::lconv* conventions = std::localeconv();
    if (decimal) warn_of_mark(conventions->thousands_sep, "a group separator", true);
    if (!decimal && !general) return;
    warn_of_mark(decimal_point(), "a decimal point", true);
    if (request_.separator.empty()) return;
    warn_of_mark("-", "a minus sign", false);
    if (general) warn_of_mark("+", "a plus sign", false);
  }

  void warn_of_mark(std::string_view mark, std::string_view meaning, bool of_locale) {
    if (!separates_fields(mark)) return;
    say("field separator " + quote_word(mark) + " is treated as " + std::string(meaning) + " in numbers");
    numbers_of_locale_named_ |= of_locale;
  }

  /// Whether a key, or the whole line without keys, is read as a number of these kinds.
  template <class Kinds>
  bool reads_numbers(Kinds kinds) const {
    if (request_.keys.empty()) return kinds(request_.global);
    return any_key([&](const KeyDefinition& key) { return kinds(options_of(key)); });
  }

  void warn_of_wide_group_separator() {
    const auto has_groups = [](const OrderingOptions& options) { return options.number || options.human_number; };
    if (std::string_view(std::localeconv()->thousands_sep).size() < 2 || !reads_numbers(has_groups)) return;
    say("the multi-byte number group separator in this locale is not supported");
  }

  void say_decimal_point() {
    if (!reads_numbers(is_number)) return;
    if (numbers_of_locale_named_) return;
    const std::string point = decimal_point();
    say((separates_fields(point) ? "numbers use " : "note numbers use ") + quote_word(point) +
        " as a decimal point in this locale");
  }

  /// Whether equal keys keep the order of the input by themselves: see has_last_resort().
  bool has_own_keys() const {
    const bool is_of_own_form =
        request_.csv || request_.tsv || request_.jsonl || request_.genome || request_.lines.record_start;
    return is_of_own_form || any_key([&](const KeyDefinition& key) { return options_of(key).time.has_value(); });
  }

  void warn_of_unused_options() {
    if (request_.keys.empty()) return;
    OrderingOptions unused = request_.global;
    for (const KeyDefinition& key : request_.keys) unused = unused.without(options_of(key));
    const bool last_resort = !request_.stable && !unique_ && !has_own_keys();
    const bool reverses_last_resort = unused.descending && last_resort;
    if (last_resort) unused.descending = false;
    const std::string letters = unused.letters();
    if (letters.size() == 1) say("option '-" + letters + "' is ignored");
    if (letters.size() > 1) say("options '-" + letters + "' are ignored");
    if (reverses_last_resort) say("option '-r' only applies to last-resort comparison");
  }

  const option::OrderRequest& request_;
  const bool unique_;
  bool numbers_of_locale_named_ = false;
  std::vector<std::string> messages_;
};

}  // namespace

std::vector<std::string> order_warnings(const option::OrderRequest& request, bool unique) {
  return OrderWarnings(request, unique).make();
}

}  // namespace sortie::cli
