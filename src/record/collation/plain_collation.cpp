#include "record/collation/plain_collation.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.hpp"
#include "record/collation/foretold_runs.hpp"

namespace sortie {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kUsualBytes = 512;  // of a text whose kinds find room on the stack

constexpr std::size_t padded(std::size_t bytes) { return (bytes + kWordBits - 1) / kWordBits * kWordBits; }

/// The first `size` bits, at most 64.
constexpr std::uint64_t low_bits(std::size_t size) {
  return size < kWordBits ? (std::uint64_t{1} << size) - 1 : ~std::uint64_t{0};
}

/// Of the first `size` bytes, at most 64 of the 64 that are there, which ones have the bit `kind`; from the lowest up.
std::uint64_t bits_of(const std::uint8_t* kinds, PlainByte::Kind kind, std::size_t size) {
  const int shift = std::countr_zero(static_cast<unsigned>(kind));
  std::uint64_t bits = 0;
  for (int i = 0; i < 64; i += 8) {
    const std::uint64_t low_bit_of_each = load_as<std::uint64_t>(kinds + i) >> shift & 0x0101010101010101;
    bits |= (low_bit_of_each * 0x0102040810204080 >> 56) << i;
  }
  return bits & low_bits(size);
}

/// The kinds of all bytes of a text, and of its weighted bytes alone.
struct Kinds {
  std::uint8_t* all;
  std::uint8_t* weighted;
  std::size_t count;
  std::size_t weighted_count = 0;
};

/// Writes the first level and fills `kinds`; null if a byte is strange. Without branches, as letters and signs change
/// often.
char* put_first_level(const CollationTable& table, std::string_view text, Kinds& kinds, char* out) {
  std::uint8_t* const all = kinds.all;
  std::uint8_t* const of_weighted = kinds.weighted;
  std::size_t weighted = 0;
  unsigned any_kind = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const PlainByte& byte = table.bytes[static_cast<unsigned char>(text[i])];
    const std::uint8_t kind = byte.kind;
    out[weighted] = static_cast<char>(byte.first);
    of_weighted[weighted] = kind;
    all[i] = kind;
    any_kind |= kind;
    weighted += kind & PlainByte::kWeighted;
  }
  kinds.weighted_count = weighted;
  out[weighted] = WeightCode::kEnd;
  return (any_kind & PlainByte::kStrange) == 0 ? out + weighted + 1 : nullptr;
}

/// How many weights of the second level strcoll() passes over: see UnseenWeights.
std::size_t count_unseen(const Kinds& kinds) {
  std::size_t unseen = 0;
  std::uint64_t backward_before = 0;
  std::uint64_t weighted_before = 0;
  for (std::size_t begin = 0; begin < kinds.count; begin += kWordBits) {
    const std::size_t size = std::min(kinds.count - begin, kWordBits);
    const std::uint64_t backward = bits_of(kinds.all + begin, PlainByte::kBackward, size);
    const std::uint64_t weighted = backward & bits_of(kinds.all + begin, PlainByte::kWeighted, size);
    const std::uint64_t one_back = backward << 1 | backward_before >> 63;
    const std::uint64_t two_back = weighted << 2 | weighted_before >> 62;
    unseen += static_cast<std::size_t>(std::popcount(~backward & low_bits(size) & one_back & two_back));
    backward_before = backward;
    weighted_before = weighted;
  }
  return unseen;
}

char* put_second_level(const Kinds& kinds, char* out) {
  ForetoldRuns runs(out);
  runs.put(kinds.weighted_count - count_unseen(kinds), Turn::kEnd);
  return runs.next();
}

char* put_third_level(const Kinds& kinds, char* out) {
  ForetoldRuns runs(out);
  std::uint64_t upper_before = 0;
  std::size_t done = 0;
  for (std::size_t begin = 0; begin < kinds.weighted_count; begin += kWordBits) {
    const std::size_t size = std::min(kinds.weighted_count - begin, kWordBits);
    const std::uint64_t upper = bits_of(kinds.weighted + begin, PlainByte::kUpper, size);
    std::uint64_t changes = (upper ^ (upper << 1 | upper_before >> 63)) & low_bits(size);
    for (; changes != 0; changes &= changes - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(changes));
      runs.put(begin + bit - done, (upper >> bit & 1) != 0 ? Turn::kAbove2 : Turn::kBelow2);
      done = begin + bit + 1;
    }
    upper_before = upper;
  }
  runs.put(kinds.weighted_count - done, Turn::kEnd);
  return runs.next();
}

/// Weighted bytes are foretold by the levels before; the others are less than any weighted one.
char* put_last_level(const CollationTable& table, std::string_view text, const Kinds& kinds, char* out) {
  std::size_t done = 0;
  for (std::size_t begin = 0; begin < kinds.count; begin += kWordBits) {
    const std::size_t size = std::min(kinds.count - begin, kWordBits);
    std::uint64_t signs = ~bits_of(kinds.all + begin, PlainByte::kWeighted, size) & low_bits(size);
    for (; signs != 0; signs &= signs - 1) {
      const std::size_t place = begin + static_cast<unsigned>(std::countr_zero(signs));
      const std::uint8_t sign = table.bytes[static_cast<unsigned char>(text[place])].last;
      out = table.sign_runs.put_sign(place - done, sign, out);
      done = place + 1;
    }
  }
  return table.sign_runs.put_end(kinds.count - done, out);
}

char* put_levels(const CollationTable& table, std::string_view text, Kinds& kinds, char* out) {
  out = put_first_level(table, text, kinds, out);
  if (out != nullptr) {
    out = put_second_level(kinds, out);
    out = put_third_level(kinds, out);
    out = put_last_level(table, text, kinds, out);
  }
  return out;
}

}  // namespace

bool append_plain_collation(const CollationTable& table, std::string_view text, std::string& out) {
  std::uint8_t usual_room[2 * kUsualBytes];
  std::unique_ptr<std::uint8_t[]> long_room;
  const std::size_t room = padded(text.size());
  if (room > kUsualBytes) {
    long_room.reset(new std::uint8_t[2 * room]);
  }
  std::uint8_t* const kinds_room = long_room ? long_room.get() : usual_room;
  Kinds kinds{.all = kinds_room, .weighted = kinds_room + room, .count = text.size()};

  const std::size_t begin = out.size();
  out.resize(begin + 4 * text.size() + 2 * kLevels);  // at most one byte on each level, two on the last, and the ends
  const char* const end = put_levels(table, text, kinds, out.data() + begin);
  out.resize(end == nullptr ? begin : static_cast<std::size_t>(end - out.data()));
  return end != nullptr;
}

}  // namespace sortie
