// The parts of a record of BCF, one behind the other: what reads, renumbers and writes records walks over them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <sortie/error.hpp>

#include "base/bytes.hpp"

namespace sortie::formats::variants {

/// What is in front of the fields of a record: two lengths.
inline constexpr std::size_t kBcfLengthBytes = 8;

// Where the fields with fixed places are.
inline constexpr std::size_t kContigAt = 8;
inline constexpr std::size_t kPositionAt = 12;
inline constexpr std::size_t kBasesAt = 16;
inline constexpr std::size_t kCountsAt = 24;
inline constexpr std::size_t kSamplesAt = 28;
inline constexpr std::size_t kFieldsAt = 32;

/// Types of values.
enum class BcfType : unsigned char { kMissing, kInt8, kInt16, kInt32, kFloat = 5, kText = 7 };

inline std::size_t bytes_of(BcfType type) {
  switch (type) {
    case BcfType::kMissing:
      return 0;
    case BcfType::kInt8:
    case BcfType::kText:
      return 1;
    case BcfType::kInt16:
      return 2;
    case BcfType::kInt32:
    case BcfType::kFloat:
      return 4;
  }
  throw Error("has a value of a type that BCF does not have");
}

inline bool is_whole(BcfType type) {
  return type == BcfType::kInt8 || type == BcfType::kInt16 || type == BcfType::kInt32;
}

struct BcfValue {
  BcfType type = BcfType::kMissing;
  std::size_t count = 0;
  std::span<const std::byte> bytes;

  /// The number at `i`. Precondition: it is of whole numbers.
  std::int32_t number(std::size_t i) const {
    const std::byte* const at = bytes.data() + i * bytes_of(type);
    if (type == BcfType::kInt8) return load_as<std::int8_t>(at);
    return type == BcfType::kInt16 ? load_as<std::int16_t>(at) : load_as<std::int32_t>(at);
  }
};

/// Takes the parts of a record from its front.
class BcfParts {
 public:
  explicit BcfParts(std::span<const std::byte> bytes) : rest_(bytes) {}

  /// A value with its type and count. `times`: so many of it follow, one for each sample.
  BcfValue take(std::size_t times = 1) {
    const auto mark = std::to_integer<unsigned>(take_bytes(1).front());
    BcfValue value{static_cast<BcfType>(mark & 15), mark >> 4, {}};
    if (value.count == 15) value.count = static_cast<std::size_t>(take_count());
    const std::size_t bytes = bytes_of(value.type);
    if (bytes != 0 && value.count > rest_.size() / bytes / std::max<std::size_t>(times, 1)) refuse();
    value.bytes = take_bytes(value.count * bytes * times);
    return value;
  }
  std::int32_t take_number() {
    const BcfValue value = take();
    if (value.count != 1 || !is_whole(value.type)) throw Error("has a number that is none");
    return value.number(0);
  }
  std::size_t left() const { return rest_.size(); }

 private:
  [[noreturn]] static void refuse() { throw Error("has a value that goes beyond its end"); }
  std::span<const std::byte> take_bytes(std::size_t bytes) {
    if (bytes > rest_.size()) refuse();
    const auto taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
  }
  std::int32_t take_count() {
    const auto mark = std::to_integer<unsigned>(take_bytes(1).front());
    BcfValue value{static_cast<BcfType>(mark & 15), 1, {}};
    if (mark >> 4 != 1 || !is_whole(value.type)) throw Error("has a count that is none");
    value.bytes = take_bytes(bytes_of(value.type));
    const std::int32_t count = value.number(0);
    if (count < 0) throw Error("has a count below 0");
    return count;
  }

  std::span<const std::byte> rest_;
};

/// What a record says of its parts.
struct BcfCounts {
  explicit BcfCounts(std::span<const std::byte> record) {
    const auto both = load_as<std::uint32_t>(record.data() + kCountsAt);
    const auto samples_and_formats = load_as<std::uint32_t>(record.data() + kSamplesAt);
    infos = both & 0xffff;
    alleles = both >> 16;
    samples = samples_and_formats & 0xffffff;
    formats = samples_and_formats >> 24;
  }

  std::size_t infos;
  std::size_t alleles;
  std::size_t samples;
  std::size_t formats;
};

inline std::size_t shared_bytes(std::span<const std::byte> record) { return load_as<std::uint32_t>(record.data()); }

inline BcfParts shared_parts(std::span<const std::byte> record) {
  return BcfParts(record.first(kBcfLengthBytes + shared_bytes(record)).subspan(kFieldsAt));
}
inline BcfParts sample_parts(std::span<const std::byte> record) {
  return BcfParts(record.subspan(kBcfLengthBytes + shared_bytes(record)));
}

}  // namespace sortie::formats::variants
