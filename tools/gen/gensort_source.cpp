// The records of the sort benchmarks, byte for byte as gensort 1.5 makes them (sortbenchmark.org). R(i) is the
// generator's number after i + 1 steps.
//
//   binary   | R(i) | R(i+1) ^ mask 1 | ... | R(i+9) ^ mask 9 |      ten most significant bytes of each, big-endian
//   ASCII    | key: 10 | 2 spaces | i: 32 hex digits | 2 spaces | 13 hex digits, each four times | \r\n |
//
// Distributions other than uniform replace the ten bytes of the key and leave the rest as it is.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/bytes.hpp"
#include "tools/gen/mix.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

constexpr std::size_t kRecordBytes = 100;
constexpr std::size_t kKeyBytes = 10;
constexpr std::size_t kSharedBytes = 8;  // bytes of a key, when many begin alike
constexpr std::size_t kPieces = kRecordBytes / kKeyBytes;
constexpr std::uint64_t kBatchRecords = 1024;

/// Ten bytes in memory order.
struct Piece {
  std::uint64_t head = 0;
  std::uint16_t tail = 0;

  static Piece from_big_endian(std::uint64_t head, std::uint16_t tail) {
    return {byte_swap(head), static_cast<std::uint16_t>(tail << 8 | tail >> 8)};
  }

  void store(char* target) const {
    store_as(target, head);
    store_as(target + sizeof head, tail);
  }
};

std::array<Piece, kPieces> make_masks() {
  return {Piece{},
          Piece::from_big_endian(0xF0E8E4E2E1D8D4D2, 0xD1CC),
          Piece::from_big_endian(0xCAC9C6C5C3B8B4B2, 0xB1AC),
          Piece::from_big_endian(0xAAA9A6A5A39C9A99, 0x9695),
          Piece::from_big_endian(0x938E8D8B87787472, 0x716C),
          Piece::from_big_endian(0x6A696665635C5A59, 0x5655),
          Piece::from_big_endian(0x534E4D4B473C3A39, 0x3635),
          Piece::from_big_endian(0x332E2D2B271E1D1B, 0x170F),
          Piece::from_big_endian(0xC8C4C2C198949291, 0x8CE0),
          Piece::from_big_endian(0x170F332E2D2B271E, 0x1D1B)};
}

class GensortSource : public RecordSource {
 public:
  explicit GensortSource(const DataSet& data_set)
      : RecordSource(data_set, Layout{kRecordBytes}, kRecordBytes),
        first_record_(data_set.first_record),
        seed_(data_set.seed == 0 ? 0 : make_uint128(mix_bits(data_set.seed), mix_bits(~data_set.seed))) {}

  void generate(std::uint64_t begin, std::uint64_t count, std::string& records) const override {
    records.resize(static_cast<std::size_t>(count * kRecordBytes));
    for (std::uint64_t done = 0; done < count; done += kBatchRecords) {
      const std::uint64_t batch = std::min(kBatchRecords, count - done);
      char* const target = records.data() + done * kRecordBytes;
      generate_standard(first_record_ + begin + done, batch, target);
      if (keys().kind() != Distribution::kUniform) replace_keys(begin + done, batch, target);
    }
  }

 protected:
  /// Makes the standard records first_record to first_record + count - 1; count <= kBatchRecords.
  virtual void generate_standard(Uint128 first_record, std::uint64_t count, char* target) const = 0;

  /// Stores a key of ten bytes that rises with `code`.
  virtual void store_key(std::uint64_t code, char* target) const = 0;

  /// Stores the last two bytes of a key whose first eight are shared by many.
  virtual void store_key_end(std::uint64_t random, char* target) const = 0;

  Lcg128 generator_at(Uint128 record) const { return Lcg128(seed_, record); }

 private:
  void replace_keys(std::uint64_t begin, std::uint64_t count, char* target) const {
    std::array<std::uint64_t, kBatchRecords> codes;
    keys().fill(begin, std::span(codes).first(count));
    for (std::uint64_t i = 0; i < count; ++i) {
      char* const record = target + i * kRecordBytes;
      store_key(codes[i], record);
      if (keys().kind() == Distribution::kPrefix) store_key_end(keys().random(begin + i), record + kSharedBytes);
    }
  }

  Uint128 first_record_;
  Uint128 seed_;
};

class BinarySource final : public GensortSource {
 public:
  using GensortSource::GensortSource;

 private:
  void generate_standard(Uint128 first_record, std::uint64_t count, char* target) const override {
    // Record i + 1 shares nine of record i's ten numbers, so each number is made once.
    std::array<Piece, kBatchRecords + kPieces> pieces;
    Lcg128 generator = generator_at(first_record);
    for (std::uint64_t i = 0; i < count + kPieces - 1; ++i) {
      const Uint128 number = generator.next();
      pieces[i] = Piece::from_big_endian(static_cast<std::uint64_t>(number >> 64),
                                         static_cast<std::uint16_t>(static_cast<std::uint64_t>(number) >> 48));
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < kPieces; ++k, target += kKeyBytes) {
        const Piece& piece = pieces[i + k];
        Piece{piece.head ^ masks_[k].head, static_cast<std::uint16_t>(piece.tail ^ masks_[k].tail)}.store(target);
      }
    }
  }

  void store_key(std::uint64_t code, char* target) const override {
    Piece::from_big_endian(code, static_cast<std::uint16_t>(mix_bits(code))).store(target);
  }

  void store_key_end(std::uint64_t random, char* target) const override {
    store_as(target, static_cast<std::uint16_t>(random));
  }

  const std::array<Piece, kPieces> masks_ = make_masks();
};

class AsciiSource final : public GensortSource {
 public:
  using GensortSource::GensortSource;

 private:
  static constexpr char kHex[] = "0123456789ABCDEF";
  static constexpr std::uint64_t kPrintable = 95;  ///< ' ' to '~'
  static constexpr std::size_t kHighDigits = 8;    ///< digits of the key, from the upper half of the random number
  static constexpr std::size_t kNumberOffset = 12;
  static constexpr std::size_t kHexDigits = 16;  ///< digits of 64 bits
  static constexpr std::size_t kFillerOffset = 46;
  static constexpr std::size_t kFillerDigits = 13;
  static constexpr std::size_t kFillerRepeats = 4;

  static char printable(std::uint64_t digit) { return static_cast<char>(' ' + digit); }

  static void store_digits(std::uint64_t number, std::size_t count, char* target) {
    for (std::size_t i = 0; i < count; ++i, number /= kPrintable) target[i] = printable(number % kPrintable);
  }

  static void store_hex(std::uint64_t number, char* target) {
    for (std::size_t i = kHexDigits; i-- > 0; number >>= 4) target[i] = kHex[number & 15];
  }

  static void store_record(Uint128 record, Uint128 random, char* target) {
    const auto low = static_cast<std::uint64_t>(random);
    store_digits(static_cast<std::uint64_t>(random >> 64), kHighDigits, target);
    store_digits(low, kKeyBytes - kHighDigits, target + kHighDigits);
    std::memset(target + kKeyBytes, ' ', kFillerOffset - kKeyBytes);
    store_hex(static_cast<std::uint64_t>(record >> 64), target + kNumberOffset);
    store_hex(static_cast<std::uint64_t>(record), target + kNumberOffset + kHexDigits);
    for (std::size_t i = 0; i < kFillerDigits; ++i) {
      const char digit = kHex[low >> (4 * (kFillerDigits - 1 - i)) & 15];
      std::memset(target + kFillerOffset + i * kFillerRepeats, digit, kFillerRepeats);
    }
    std::memcpy(target + kRecordBytes - 2, "\r\n", 2);
  }

  void generate_standard(Uint128 first_record, std::uint64_t count, char* target) const override {
    Lcg128 generator = generator_at(first_record);
    for (std::uint64_t i = 0; i < count; ++i) {
      store_record(first_record + i, generator.next(), target + i * kRecordBytes);
    }
  }

  void store_key(std::uint64_t code, char* target) const override {
    // The key is the code as a fraction, most significant digit first. Since 95^10 > 2^64, no two codes give the same
    // key.
    for (std::size_t i = 0; i < kKeyBytes; ++i, code *= kPrintable) {
      target[i] = printable(scale_fraction(code, kPrintable));
    }
  }

  void store_key_end(std::uint64_t random, char* target) const override {
    store_digits(random, kKeyBytes - kSharedBytes, target);
  }
};

}  // namespace

std::unique_ptr<RecordSource> make_gensort_source(const DataSet& data_set) {
  if (data_set.ascii) return std::make_unique<AsciiSource>(data_set);
  return std::make_unique<BinarySource>(data_set);
}

}  // namespace sortie::tools
