#include "pipeline/arrays/number_array.hpp"

#include <cstdint>
#include <functional>
#include <string>

#include <sortie/error.hpp>

#include "base/system_limits.hpp"
#include "pipeline/setup/options_check.hpp"

namespace sortie {

KeyPart number_field(FieldKind kind, unsigned number_bytes, bool descending) {
  const bool has_size = number_bytes == 2 || number_bytes == 4 || number_bytes == 8;
  if (kind == FieldKind::kBytes || !(has_size || (number_bytes == 1 && kind != FieldKind::kFloat))) {
    throw Error("numbers have 1, 2, 4 or 8 bytes, and floats 2 at least, not " + std::to_string(number_bytes));
  }
  return {0, 0, number_bytes, kind, ByteOrder::kLittle, descending};
}

std::size_t row_bytes_of(std::size_t bytes, std::size_t row_length, unsigned number_bytes) {
  if (row_length == 0) return bytes;
  if (bytes / number_bytes % row_length != 0) {
    throw Error("an array of " + std::to_string(bytes / number_bytes) + " numbers has no whole rows of " +
                std::to_string(row_length));
  }
  return row_length * number_bytes;
}

void refuse_unaligned(const void* numbers, unsigned number_bytes, const char* name) {
  if (reinterpret_cast<std::uintptr_t>(numbers) % number_bytes == 0) return;
  throw Error(std::string(name) + " does not lie at a multiple of " + std::to_string(number_bytes) +
              " bytes, as its numbers must; copy them to where they may lie");
}

bool lie_apart(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<> before;
  return !before(b.data(), a.data() + a.size()) || !before(a.data(), b.data() + b.size());
}

unsigned threads_for(unsigned asked) {
  return ThreadTeam::most_threads(std::min(asked == 0 ? available_threads() : asked, kMostThreads));
}

}  // namespace sortie
