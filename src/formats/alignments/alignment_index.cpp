#include "formats/alignments/alignment_index.hpp"

#include <algorithm>
#include <limits>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "formats/alignments/byte_appends.hpp"

namespace sortie::formats::alignments {
namespace {

/// Bases of the smallest bin, as a power of two.
constexpr unsigned kWindowBits = 14;
constexpr unsigned kBaiDepth = 5;
constexpr std::uint64_t kUnset = std::numeric_limits<std::uint64_t>::max();
/// What readers of an index take a reference to have behind its end.
constexpr std::uint64_t kSlack = 256;

std::uint64_t bases_of(unsigned depth) { return std::uint64_t{1} << (kWindowBits + 3 * depth); }

void append_count(std::size_t count, std::vector<std::byte>& bytes) {
  append_number(static_cast<std::uint32_t>(count), bytes);
}

}  // namespace

IndexKind parse_index_kind(std::string_view word) {
  if (word.empty() || word == "bai") return IndexKind::kBai;
  if (word == "csi") return IndexKind::kCsi;
  throw Error("unknown index " + quote_word(std::string(word)) + " for --index: known are bai and csi");
}

std::string_view suffix_of(IndexKind kind) { return kind == IndexKind::kBai ? ".bai" : ".csi"; }

AlignmentIndex::AlignmentIndex(IndexKind kind, std::span<const Reference> references)
    : kind_(kind), references_(references.size()) {
  std::uint64_t longest = 0;
  for (const Reference& reference : references) {
    longest = std::max<std::uint64_t>(longest, reference.length);
    if (kind == IndexKind::kBai && reference.length > bases_of(kBaiDepth)) {
      throw Error("reference " + quote_word(reference.name) + " has " + std::to_string(reference.length) +
                  " bases, and an index of kind bai has places for 2^29: take --index=csi");
    }
  }
  if (kind == IndexKind::kBai) return;
  depth_ = 0;
  while (bases_of(depth_) < longest + kSlack) ++depth_;
}

// The smallest bin that holds all of [begin, end).
std::uint32_t AlignmentIndex::bin_of(std::int64_t begin, std::int64_t end) const {
  const auto first = static_cast<std::uint64_t>(std::max<std::int64_t>(begin, 0));
  const auto last = static_cast<std::uint64_t>(std::max<std::int64_t>(end - 1, 0));
  for (unsigned level = depth_; level > 0; --level) {
    const unsigned shift = kWindowBits + 3 * (depth_ - level);
    if (first >> shift == last >> shift && first >> shift < std::uint64_t{1} << 3 * level) {
      return bins_above(level) + static_cast<std::uint32_t>(first >> shift);
    }
  }
  return 0;
}

std::uint64_t AlignmentIndex::window_of_bin(std::uint32_t bin) const {
  unsigned level = 0;
  while (level < depth_ && bin >= bins_above(level + 1)) ++level;
  return std::uint64_t{bin - bins_above(level)} << 3 * (depth_ - level);
}

void AlignmentIndex::add_chunk(std::vector<Chunk>& chunks, std::uint64_t begin, std::uint64_t end) {
  if (!chunks.empty() && chunks.back().end == begin) {
    chunks.back().end = end;
  } else {
    chunks.push_back({begin, end});
  }
}

void AlignmentIndex::add(const AlignmentRecord& record, std::uint64_t begin, std::uint64_t end) {
  if (record.reference() < 0) {
    ++without_place_;
    return;
  }
  OfReference& reference = references_[static_cast<std::size_t>(record.reference())];
  if (reference.is_empty()) reference.all.begin = begin;
  reference.all.end = end;
  const std::int64_t last = record.end();
  add_chunk(reference.bins[bin_of(record.position(), last)], begin, end);
  if (record.has(kUnmapped)) {
    ++reference.unmapped;
    return;
  }
  ++reference.mapped;
  const auto first_window = static_cast<std::size_t>(std::max(record.position(), 0)) >> kWindowBits;
  const auto last_window = static_cast<std::size_t>(std::max<std::int64_t>(last - 1, 0)) >> kWindowBits;
  if (reference.windows.size() <= last_window) reference.windows.resize(last_window + 1, kUnset);
  for (std::size_t window = first_window; window <= last_window; ++window) {
    reference.windows[window] = std::min(reference.windows[window], begin);
  }
}

// A window that no record reaches into has the place of the one in front of it.
std::vector<std::byte> AlignmentIndex::bytes(const std::function<std::uint64_t(std::uint64_t)>& virtual_offset) const {
  const bool is_bai = kind_ == IndexKind::kBai;
  std::vector<std::byte> bytes;
  append_text(is_bai ? "BAI\1" : "CSI\1", bytes);
  if (!is_bai) {
    append_count(kWindowBits, bytes);
    append_count(depth_, bytes);
    append_count(0, bytes);
  }
  append_count(references_.size(), bytes);
  for (const OfReference& reference : references_) {
    std::vector<std::uint64_t> windows = reference.windows;
    std::uint64_t before = reference.is_empty() ? 0 : reference.all.begin;
    for (std::uint64_t& window : windows) before = window = window == kUnset ? before : window;
    append_count(reference.bins.size() + (reference.is_empty() ? 0 : 1), bytes);
    for (const auto& [bin, chunks] : reference.bins) {
      append_number(bin, bytes);
      if (!is_bai) {
        const std::uint64_t window = window_of_bin(bin);
        append_number(
            virtual_offset(window < windows.size() ? windows[static_cast<std::size_t>(window)] : chunks[0].begin),
            bytes);
      }
      append_count(chunks.size(), bytes);
      for (const Chunk& chunk : chunks) {
        append_number(virtual_offset(chunk.begin), bytes);
        append_number(virtual_offset(chunk.end), bytes);
      }
    }
    if (!reference.is_empty()) {
      // What is known of the whole reference is in a bin behind all others.
      append_number(bins_above(depth_ + 1) + 1, bytes);
      if (!is_bai) append_number(std::uint64_t{0}, bytes);
      append_count(2, bytes);
      append_number(virtual_offset(reference.all.begin), bytes);
      append_number(virtual_offset(reference.all.end), bytes);
      append_number(reference.mapped, bytes);
      append_number(reference.unmapped, bytes);
    }
    if (!is_bai) continue;
    append_count(windows.size(), bytes);
    for (const std::uint64_t window : windows) append_number(virtual_offset(window), bytes);
  }
  append_number(without_place_, bytes);
  return bytes;
}

}  // namespace sortie::formats::alignments
