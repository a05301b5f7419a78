#include "pipeline/number_arrays.hpp"

#include <cstdint>
#include <functional>
#include <string>

#include <sortie/error.hpp>

namespace sortie {

KeyPart number_field(FieldKind kind, unsigned number_bytes, bool descending) {
  Format format;
  format.kind = RecordKind::kArray;
  format.record_bytes = number_bytes;
  format.fields = {{kind, ByteOrder::kLittle, 0, number_bytes, descending}};
  validate(format);
  return make_key_plan(format).parts[0];
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

}  // namespace sortie
