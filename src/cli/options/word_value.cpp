#include "cli/options/word_value.hpp"

#include <algorithm>
#include <optional>

#include "base/size.hpp"
#include "base/whole_number.hpp"

namespace sortie::cli {

std::uint64_t WordValue::as_gnu_count() const { return parse_count(argument_.value, argument_.name); }

std::uint64_t WordValue::as_number(std::uint64_t least, std::uint64_t most, const std::string& reason) const {
  const std::optional<std::uint64_t> number = whole_number<std::uint64_t>(argument_.value);
  if (number && *number >= least && *number <= most) return *number;
  refuse(argument_.value, reason);
}

std::uint64_t WordValue::as_size(const char* example, char plain_unit) const {
  const std::string& word = argument_.value;
  const bool has_no_unit = !word.empty() && word.back() >= '0' && word.back() <= '9';
  const bool is_share = word.ends_with('%');
  const std::uint64_t bytes = is_share ? 0 : parse_size(has_no_unit ? word + plain_unit : word, argument_.name, 0);
  if (bytes == 0) refuse(word, std::string("give a size, for example ") + example);
  return bytes;
}

std::vector<int> WordValue::as_numbers() const {
  std::vector<int> numbers;
  std::string_view rest = argument_.value;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    const std::optional<int> number = whole_number<int>(rest.substr(0, comma));
    if (!number || *number < 0) refuse(argument_.value, "give all, or numbers separated by commas: 0,1");
    if (std::ranges::count(numbers, *number) != 0) refuse(argument_.value, "a device is named twice");
    numbers.push_back(*number);
    if (more) rest.remove_prefix(comma + 1);
  }
  return numbers;
}

}  // namespace sortie::cli
