#include "record/text/key_type.hpp"

#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/time/time_pattern.hpp"

namespace sortie {
namespace {

constexpr std::string_view kTime = "time";
constexpr std::string_view kTimeFormat = "time(";

/// Cuts off and returns a word that follows a colon. The format of a time may hold colons.
std::string_view take_type_word(std::string_view& rest, std::string_view whole, const char* syntax) {
  if (!rest.starts_with(':'))
    throw Error("key " + quote_word(whole) + " lacks a colon in front of " + quote_word(rest) + ": " + syntax);
  rest.remove_prefix(1);
  std::size_t size = rest.find(':');
  if (rest.starts_with(kTimeFormat)) {
    const std::size_t closing = rest.rfind(')');
    if (closing == std::string_view::npos) {
      throw Error("key " + quote_word(whole) + " lacks a closing parenthesis: " + syntax);
    }
    size = closing + 1;
  }
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(word.size());
  return word;
}

/// The time that FORMAT of `time(FORMAT)` describes.
TimeType time_type(std::string_view format) {
  if (format == "s") return {TimeForm::kSeconds};
  if (format == "ms") return {TimeForm::kMilliseconds};
  if (format == "us") return {TimeForm::kMicroseconds};
  if (format == "ns") return {TimeForm::kNanoseconds};
  if (format.find('%') == std::string_view::npos) {
    throw Error("unknown format " + quote_word(format) +
                " of a time: write s, ms, us or ns for a number since 1970, or letters as for strftime(), for example "
                "time(%d.%m.%Y %H:%M)");
  }
  validate_time_pattern(format);
  return {TimeForm::kPattern, std::string(format)};
}

void set_type(OrderingOptions& options, std::string_view word, std::string_view whole) {
  if (word == kTime) {
    options.time.emplace();
    return;
  }
  if (word.starts_with(kTimeFormat)) {
    options.time = time_type(word.substr(kTimeFormat.size(), word.size() - kTimeFormat.size() - 1));
    return;
  }
  bool known = !word.empty();
  for (const char letter : word) known = known && options.set(letter);
  if (known) return;
  throw Error(
      "unknown type " + quote_word(word) + " in key " + quote_word(whole) +
      ": it is made of the letters bdfgiMhnRrV, or is time, or desc; a name with a colon stands in double quotes");
}

}  // namespace

void parse_key_type(std::string_view rest, std::string_view whole, const char* syntax, OrderingOptions& options) {
  if (rest.empty()) return;
  std::string_view word = take_type_word(rest, whole, syntax);
  if (word != "desc") {
    set_type(options, word, whole);
    if (rest.empty()) return;
    word = take_type_word(rest, whole, syntax);
  }
  if (word != "desc" || !rest.empty()) {
    throw Error(quote_word(word != "desc" ? word : rest) + " is too much in key " + quote_word(whole) + ": " + syntax);
  }
  options.descending = true;
}

}  // namespace sortie
