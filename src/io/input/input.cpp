#include "io/input/input.hpp"

#include <algorithm>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie {

void Input::skip(std::uint64_t bytes) {
  constexpr std::uint64_t kSkippedAtOnceBytes = 1 << 20;
  std::vector<std::byte> passed(static_cast<std::size_t>(std::min(bytes, kSkippedAtOnceBytes)));
  while (bytes > 0) {
    const std::size_t got =
        read(std::span(passed).first(static_cast<std::size_t>(std::min(bytes, kSkippedAtOnceBytes))));
    if (got == 0) throw Error("input " + quote_path(path()) + " ends before the place where the sort is to continue");
    bytes -= got;
  }
}

}  // namespace sortie
