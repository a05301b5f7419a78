#include "record/prefixed/stuffed_record.hpp"

#include "record/prefixed/byte_stuffing.hpp"

namespace sortie {
namespace {

constexpr std::byte kForbidden{static_cast<unsigned char>(kStuffedDelimiter)};

}  // namespace

std::size_t stuffed_record_room(std::size_t size) { return stuffed_room(size) + 1; }

std::byte* write_stuffed(Record bytes, std::byte* out) {
  out = stuff(bytes, kForbidden, out);
  *out = kForbidden;
  return out + 1;
}

std::size_t stuffed_record_bytes(Record stuffed) {
  return unstuffed_bytes(stuffed.first(stuffed.size() - 1), kForbidden);
}

std::span<std::byte> restore_stuffed(std::span<std::byte> stuffed) {
  return unstuff(stuffed.first(stuffed.size() - 1), kForbidden);
}

}  // namespace sortie
