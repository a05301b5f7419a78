// Takes any texts as numbers, which must be the same once they have been shown or stored, and whose sum must not depend
// on their order; and any bytes as the state of a group, which is refused or taken, and then stays the same.
//
//   | text, ended by NUL | text, ended by NUL | state |
#include <string>

#include <sortie/error.hpp>

#include "fuzz/fuzz_target.hpp"
#include "record/aggregate/group_state.hpp"

namespace sortie {
namespace {

using enum AggregateKind;
using fuzz::require;

std::string shown(const ExactDecimal& number) {
  std::string text;
  number.append_to(text);
  return text;
}

std::string stored(const auto& value) {
  StateWriter state;
  value.write(state);
  return {state.bytes().begin(), state.bytes().end()};
}

bool check_number(std::string_view text, ExactDecimal& number) {
  if (number.read(text) != ExactDecimal::Reading::kNumber) return false;
  ExactDecimal other;
  require(other.read(shown(number)) == ExactDecimal::Reading::kNumber, "what is shown is a number");
  require(other.compare(number) == 0, "what is shown is the number");
  const std::string bytes = stored(number);
  StateReader state(bytes);
  other.read(state);
  require(state.at_end() && shown(other) == shown(number), "what is stored is the number");
  return true;
}

void check_sum(std::string_view first, std::string_view second) {
  ExactDecimal a;
  ExactDecimal b;
  if (!check_number(first, a) || !check_number(second, b)) return;
  const int order = a.compare(b);
  require(order == 0 ? b.compare(a) == 0 : (order < 0) == (b.compare(a) > 0), "the order is one");
  ExactDecimal sum;
  sum.add(a);
  sum.add(b);
  b.add(a);
  require(shown(sum) == shown(b) && stored(sum) == stored(b), "the sum does not depend on the order");
  std::string mean;
  sum.append_mean_to(mean, 3);
  require(a.read(mean) == ExactDecimal::Reading::kNumber || mean.size() > ExactDecimal::kMostDigits,
          "a mean is a number");
}

void check_state(std::string_view bytes) {
  static const GroupShape shape{{kSum, kCount, kMin, kFirst, kMean, kMax, kLast}, 2, false};
  GroupState group(shape);
  try {
    group.add(bytes);
    const std::string once = stored(group);
    GroupState again(shape);
    again.add(once);
    require(stored(again) == once, "a state is read as it was written");
    again.add(once);
    std::string text(again.key_text(1));
    for (std::size_t i = 0; i < shape.aggregates.size(); ++i) again.append_value(i, text);
  } catch (const Error&) {
    return;
  }
}

void check(fuzz::InputReader input) {
  const std::string_view first = input.take_until('\0');
  const std::string_view second = input.take_until('\0');
  check_sum(first, second);
  check_state(input.rest());
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({data, size});
  return 0;
}
