#include "pipeline/output/record_shape.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/record_order.hpp"

namespace sortie {
namespace {

/// Least width of a count, without the blank that follows it.
constexpr std::size_t kCountWidth = 7;
constexpr std::size_t kLongBytes = 256 << 10;
/// A count, or the lengths of key and record.
constexpr std::size_t kMostBeside = 64;

void append_bytes(std::vector<std::byte>& text, std::span<const std::byte> bytes) {
  text.insert(text.end(), bytes.begin(), bytes.end());
}

void append_count(std::vector<std::byte>& text, std::uint64_t count) {
  char digits[24];
  const auto length = static_cast<std::size_t>(std::to_chars(digits, digits + sizeof(digits), count).ptr - digits);
  text.insert(text.end(), kCountWidth - std::min(kCountWidth, length), std::byte(' '));
  append_bytes(text, std::as_bytes(std::span(digits, length)));
  text.push_back(std::byte(' '));
}

/// Writes the lengths of a record that begins at `begin` of `text`, whose key has `key_bytes`.
void write_lengths(std::vector<std::byte>& text, std::size_t begin, std::size_t key_bytes) {
  constexpr std::size_t kShownBytes = 40;
  const std::span<const std::byte> payload = std::span(text).subspan(begin + PrefixedHeader::kBytes + key_bytes);
  if (std::max(key_bytes, payload.size()) > std::numeric_limits<std::uint32_t>::max()) {
    throw Error("a record of " + std::to_string(payload.size()) + " bytes, which begins with " +
                quote_word(as_text(payload.first(std::min(payload.size(), kShownBytes)))) +
                ", is too long to be passed on between sorts: less than 4 GiB can be");
  }
  PrefixedHeader::of(key_bytes, payload.size()).store(text.data() + begin);
}

}  // namespace

RecordShape::RecordShape(const RecordCodec& codec, const OutputOptions& options)
    : codec_(codec),
      show_count_(options.show_count),
      form_(options.form),
      inverts_keys_(codec.sorted_format().descending) {}

void RecordShape::append(Record record, std::uint64_t count, std::vector<std::byte>& text,
                         std::vector<std::byte>& scratch) const {
  append(record, codec_.original(record, scratch), count, text);
}

void RecordShape::append(Record record, Record original, std::uint64_t count, std::vector<std::byte>& text) const {
  const std::size_t begin = text.size();
  std::size_t key_bytes = 0;
  // A vector that grows by itself takes twice what a long record needs.
  const std::size_t needed = begin + record.size() + original.size() + kMostBeside;
  if (original.size() >= kLongBytes && text.capacity() < needed) text.reserve(needed);
  if (form_ != RecordForm::kPlain) {
    text.resize(begin + PrefixedHeader::kBytes);
    append_key(record, text);
    key_bytes = text.size() - begin - PrefixedHeader::kBytes;
  }
  if (show_count_) append_count(text, count);
  append_bytes(text, original);
  if (form_ != RecordForm::kPlain) write_lengths(text, begin, key_bytes);
}

// Keys are not the beginning of one another, so that memcmp() orders them the other way round when they are inverted.
void RecordShape::append_key(Record record, std::vector<std::byte>& text) const {
  if (form_ == RecordForm::kFramed) return;
  if (form_ == RecordForm::kPositioned) {
    const std::uint64_t position = byte_swap(codec_.position(record));
    return append_bytes(text, std::as_bytes(std::span(&position, 1)));
  }
  const std::size_t begin = text.size();
  append_bytes(text, codec_.keys(record));
  if (!inverts_keys_) return;
  const std::span<std::byte> keys = std::span(text).subspan(begin);
  std::ranges::transform(keys, keys.begin(), [](std::byte byte) { return ~byte; });
}

std::vector<std::byte> RecordShape::shaped_header(std::span<const std::byte> header) const {
  if (form_ == RecordForm::kPlain) return {header.begin(), header.end()};
  std::vector<std::byte> text;
  append_prefixed_record({}, header, text);
  return text;
}

}  // namespace sortie
