#include "option/value.hpp"

#include "base/size.hpp"

namespace sortie::option {

std::uint64_t count_in(std::string_view text, const Value& value) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  // No input has as many records as a number that is too large, so the largest one says the same.
  const std::uint64_t count = is_number ? parse_count(text, value.name()) : 0;
  if (count == 0) value.refuse(std::string(text), "give 1 or more");
  return count;
}

void refuse_word(const Value& value, bool is_ambiguous, const std::string& known) {
  throw WordError((is_ambiguous ? "ambiguous argument " : "invalid argument ") + quote_word(value.as_text()) + " for " +
                  quote_word(value.name()) + "\nValid arguments are:" + known);
}

}  // namespace sortie::option
