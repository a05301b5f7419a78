#include "record/text/key_writer.hpp"

#include <bit>
#include <cstdint>

namespace sortie {
namespace {

constexpr std::size_t kBlockBytes = 16;
constexpr std::size_t kHalfBytes = kBlockBytes / 2;

// Writes 16 bytes at once, as if all stood for themselves, and returns whether they do.
class BlockWriter {
 public:
  BlockWriter(unsigned char low_bound, std::uint64_t pair, std::uint64_t complement)
      : greatest_low_(std::bit_cast<Bytes>(twice(every_byte(static_cast<unsigned char>(low_bound - 1))))),
        pair_(std::bit_cast<Bytes>(twice(pair))),
        complement_(twice(complement)) {}

  // The halves may overlap.
  bool operator()(const char* first, const char* second, std::byte* first_out, std::byte* second_out) const {
    const Words block = {load_as<std::uint64_t>(first), load_as<std::uint64_t>(second)};
    const Words written = block ^ complement_;
    store_as(first_out, written[0]);
    store_as(second_out, written[1]);
    const auto bytes = std::bit_cast<Bytes>(block);
    const auto escaped = std::bit_cast<Words>((bytes <= greatest_low_) | ((bytes & 0xFE) == pair_));
    return (escaped[0] | escaped[1]) == 0;
  }

 private:
  // In vector registers, where the processor has such.
  using Bytes [[gnu::vector_size(kBlockBytes)]] = std::uint8_t;
  using Words [[gnu::vector_size(kBlockBytes)]] = std::uint64_t;

  static Words twice(std::uint64_t word) { return Words{word, word}; }

  Bytes greatest_low_;  // of the bytes that are escaped because they are low
  Bytes pair_;
  Words complement_;
};

/// Writes the first `count` < 8 bytes of a word, and returns their end.
std::byte* store_few(std::uint64_t word, std::size_t count, std::byte* out) {
  if (count >= 4) {
    store_as(out, static_cast<std::uint32_t>(word));
    store_as(out + count - 4, static_cast<std::uint32_t>(word >> (8 * (count - 4))));
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(word >> (8 * i));
  }
  return out + count;
}

}  // namespace

KeyWriter::KeyWriter(char delimiter, bool descending, const TextFilter* filter)
    : manner_(manner_for(filter)), complement_(descending ? ~std::uint64_t{0} : 0) {
  forbidden_ = static_cast<unsigned char>(static_cast<unsigned char>(delimiter) ^ (complement_ & 0xFF));
  const unsigned char end = forbidden_ == 0 ? 1 : 0;
  low_bound_ = static_cast<unsigned char>(end + 2);
  pair_ = every_byte(forbidden_ & 0xFE);
  end_mark_ = static_cast<std::byte>(end ^ (complement_ & 0xFF));
  for (std::size_t byte = 0; byte < codes_.size(); ++byte) {
    codes_[byte] = escape(filter == nullptr ? static_cast<unsigned>(byte) : filter->counts_as[byte]);
    if (filter != nullptr && !filter->counts[byte]) codes_[byte].count = 0;
  }
}

KeyWriter::Manner KeyWriter::manner_for(const TextFilter* filter) {
  if (filter == nullptr || !filter->active) return Manner::kWords;
  return filter->folds_ascii_only() ? Manner::kFoldedWords : Manner::kBytes;
}

KeyWriter::Code KeyWriter::escape(unsigned byte) const {
  const auto code = [this](unsigned count, unsigned first, unsigned second) {
    const auto mask = static_cast<unsigned>(complement_ & 0xFF);
    return Code{static_cast<unsigned char>(count),
                {static_cast<unsigned char>(first ^ mask), static_cast<unsigned char>(second ^ mask)}};
  };
  const unsigned lead = low_bound_ - 1U;
  if (byte <= lead) return code(2, lead, lead + byte);
  if ((byte | 1U) == (forbidden_ | 1U)) return code(2, forbidden_ ^ 1U, 1 + (byte & 1U));
  return code(1, byte, 0);
}

std::byte* KeyWriter::write_bytes(std::string_view key, std::byte* out) const {
  for (const char byte : key) {
    const Code& code = codes_[static_cast<unsigned char>(byte)];
    std::memcpy(out, code.bytes.data(), 2);
    out += code.count;
  }
  return out;
}

std::size_t KeyWriter::write_blocks(std::string_view key, std::byte* out) const {
  const std::size_t size = key.size();
  const char* const text = key.data();
  const BlockWriter write(low_bound_, pair_, complement_);
  if (size < kBlockBytes) {
    const std::size_t second = size - kHalfBytes;
    return size >= kHalfBytes && write(text, text + second, out, out + second) ? size : 0;
  }
  std::size_t at = 0;
  for (; size - at >= kBlockBytes; at += kBlockBytes) {
    if (!write(text + at, text + at + kHalfBytes, out + at, out + at + kHalfBytes)) return at;
  }
  if (at == size) return size;
  // The last block writes some bytes again. They are read again, too, and may have changed: they do not count yet.
  const std::size_t last = size - kBlockBytes;
  return write(text + last, text + last + kHalfBytes, out + last, out + last + kHalfBytes) ? size : last;
}

template <bool kFold>
std::byte* KeyWriter::write_words(std::string_view key, std::byte* out) const {
  const auto folded = [](std::uint64_t word) { return kFold ? upper_case_ascii(word) : word; };
  // Not members: the compiler would load these again behind every store of a key.
  const auto needs_escape = [pair = pair_, low_bound = low_bound_](std::uint64_t word) {
    return (any_byte_below(word, low_bound) | any_byte_below((word & every_byte(0xFE)) ^ pair, 1)) != 0;
  };
  const std::uint64_t complement = complement_;
  std::size_t at = 0;
  for (; key.size() - at >= 8; at += 8) {
    const std::uint64_t word = folded(load_as<std::uint64_t>(key.data() + at));
    if (needs_escape(word)) [[unlikely]] {
      out = write_bytes(key.substr(at, 8), out);
    } else {
      store_as(out, word ^ complement);
      out += 8;
    }
  }
  const std::size_t rest = key.size() - at;
  // Spaces fill up the word: no scheme escapes them.
  const std::uint64_t word =
      folded(load_last(key.data() + key.size(), rest, key.size())) | (every_byte(' ') & ~low_bytes(rest));
  if (needs_escape(word)) [[unlikely]] {
    return write_bytes(key.substr(at), out);
  }
  store_as(out, word ^ complement);
  return out + rest;
}

std::byte* KeyWriter::restore(const std::byte* begin, const std::byte* end, std::byte* out) const {
  const auto mask = static_cast<unsigned>(complement_ & 0xFF);
  for (const std::byte* at = begin; at < end;) {
    const auto left = static_cast<std::size_t>(end - at);
    if (left >= 8) {
      const std::uint64_t word = load_as<std::uint64_t>(at) ^ complement_;
      if (!has_lead(word)) [[likely]] {
        store_as(out, word);
        out += 8;
        at += 8;
        continue;
      }
    } else {
      const std::uint64_t word = load_few(reinterpret_cast<const char*>(at), left) ^ complement_;
      // No scheme has the space for a lead.
      if (!has_lead((word & low_bytes(left)) | (every_byte(' ') & ~low_bytes(left)))) [[likely]] {
        return store_few(word, left, out);
      }
    }
    unsigned byte = std::to_integer<unsigned>(*at++) ^ mask;
    if (is_lead(byte) && at < end) {
      const unsigned second = std::to_integer<unsigned>(*at++) ^ mask;
      byte = byte == low_bound_ - 1U ? second - byte : (forbidden_ & 0xFEU) | (second - 1);
    }
    *out++ = static_cast<std::byte>(byte);
  }
  return out;
}

std::size_t KeyWriter::restored_bytes(const std::byte* begin, const std::byte* end) const {
  const auto mask = static_cast<unsigned>(complement_ & 0xFF);
  std::size_t bytes = 0;
  for (const std::byte* at = begin; at < end; ++bytes) at += is_lead(std::to_integer<unsigned>(*at) ^ mask) ? 2 : 1;
  return bytes;
}

template std::byte* KeyWriter::write_words<false>(std::string_view key, std::byte* out) const;
template std::byte* KeyWriter::write_words<true>(std::string_view key, std::byte* out) const;

}  // namespace sortie
