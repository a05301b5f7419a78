#include "io/output/zstd_matcher.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/bytes.hpp"

namespace sortie {
namespace {

constexpr unsigned kLongHashBits = 17;
constexpr unsigned kShortHashBits = 16;

/// Bytes that are read at a position to look it up there and at the next one.
constexpr std::size_t kLookBytes = 9;

/// Where bytes were seen last, in distances from the first of all.
class Tables {
 public:
  explicit Tables(std::uint32_t* tables) : long_(tables), short_(tables + (std::size_t{1} << kLongHashBits)) {}

  static constexpr std::size_t kEntries = (std::size_t{1} << kLongHashBits) + (std::size_t{1} << kShortHashBits);

  std::uint32_t& by_eight(std::uint64_t bytes) const {
    return long_[bytes * 0xcf1bbcdcb7a56463 >> (64 - kLongHashBits)];
  }
  std::uint32_t& by_five(std::uint64_t bytes) const {
    return short_[(bytes << 24) * 0xcf1bbcdcbb >> (64 - kShortHashBits)];
  }

 private:
  std::uint32_t* long_;
  std::uint32_t* short_;
};

/// How many bytes from `from` to before `end` are the same as those from `earlier`.
inline std::size_t common_bytes(const std::byte* from, const std::byte* earlier, const std::byte* end) {
  const std::byte* at = from;
  for (; end - at >= 8; at += 8, earlier += 8) {
    const std::uint64_t difference = load_as<std::uint64_t>(at) ^ load_as<std::uint64_t>(earlier);
    if (difference != 0) return static_cast<std::size_t>(at - from + std::countr_zero(difference) / 8);
  }
  while (at < end && *at == *earlier) ++at, ++earlier;
  return static_cast<std::size_t>(at - from);
}

class BlockSearch {
 public:
  BlockSearch(const std::byte* base, Tables tables, std::span<const std::byte> block, ZSTD_Sequence* sequences)
      : base_(base),
        tables_(tables),
        end_(block.data() + block.size()),
        at_(block.data()),
        literals_(at_),
        first_(sequences),
        next_(sequences) {}

  std::span<const ZSTD_Sequence> run() {
    while (end_ - at_ >= static_cast<std::ptrdiff_t>(kLookBytes)) {
      if (!take_match()) at_ += ((at_ - literals_) >> 8) + 1;  // faster and faster through what repeats nothing
    }
    return {first_, next_};
  }

 private:
  static constexpr std::size_t kFirstOffsets = 3;

  bool take_match() {
    const std::byte* const begin = at_;
    const auto bytes = load_as<std::uint64_t>(at_);
    const std::uint32_t position = position_of(at_);
    const std::uint32_t far = std::exchange(tables_.by_eight(bytes), position);
    const std::uint32_t near = std::exchange(tables_.by_five(bytes), position);
    if (repeats(at_ + 1, last_offset_)) {
      ++at_;
      store(last_offset_, common_bytes(at_, at_ - last_offset_, end_));
    } else if (!take_found<std::uint64_t>(far)) {
      if (!is_match<std::uint32_t>(at_, near)) return false;
      // Eight bytes from the next position on are worth more than fewer from here.
      const std::uint32_t next = std::exchange(tables_.by_eight(load_as<std::uint64_t>(at_ + 1)), position + 1);
      ++at_;
      if (!take_found<std::uint64_t>(next)) {
        --at_;
        if (!take_found<std::uint32_t>(near)) return false;
      }
    }
    learn_around(begin);
    take_repeats();
    return true;
  }

  template <class Word>
  bool is_match(const std::byte* at, std::uint32_t position) const {
    return position < position_of(at) && load_as<Word>(base_ + position) == load_as<Word>(at);
  }

  /// Takes what is found at `position`, if its first bytes, a `Word` of them, are the same.
  template <class Word>
  bool take_found(std::uint32_t position) {
    if (!is_match<Word>(at_, position)) return false;
    std::uint32_t offset = position_of(at_) - position;
    if (first_count_ < kFirstOffsets && is_reserved(offset)) offset = multiple_of<Word>(offset);
    if (offset == 0) return false;
    const std::byte* earlier = at_ - offset;
    while (at_ > literals_ && earlier > base_ && at_[-1] == earlier[-1]) --at_, --earlier;
    store(offset, common_bytes(at_, earlier, end_));
    use(offset);
    return true;
  }

  static bool is_reserved(std::uint32_t offset) { return offset == 1 || offset == 4 || offset == 8; }

  /// What has a short period repeats at its multiples, too. Returns one that was not used yet; 0 if there is none.
  template <class Word>
  std::uint32_t multiple_of(std::uint32_t period) const {
    const std::uint32_t most = std::min(6 * period, position_of(at_));
    for (std::uint32_t offset = 2 * period; offset <= most; offset += period) {
      const auto used_end = first_offsets_ + first_count_;
      if (is_reserved(offset) || std::find(first_offsets_, used_end, offset) != used_end) continue;
      if (is_match<Word>(at_, position_of(at_) - offset)) return offset;
    }
    return 0;
  }

  /// Offsets are repeated as soon as three are known.
  void use(std::uint32_t offset) {
    if (first_count_ < kFirstOffsets) {
      const auto used_end = first_offsets_ + first_count_;
      if (std::find(first_offsets_, used_end, offset) == used_end) first_offsets_[first_count_++] = offset;
      if (first_count_ < kFirstOffsets) return;
    }
    offset_before_ = std::exchange(last_offset_, offset);
  }

  bool repeats(const std::byte* at, std::uint32_t offset) const {
    return offset != 0 && load_as<std::uint32_t>(at) == load_as<std::uint32_t>(at - offset);
  }

  /// Takes what begins right behind a match, at the offset before the last one.
  void take_repeats() {
    while (end_ - at_ >= static_cast<std::ptrdiff_t>(kLookBytes) && repeats(at_, offset_before_)) {
      std::swap(last_offset_, offset_before_);
      learn(at_);
      store(last_offset_, common_bytes(at_, at_ - last_offset_, end_));
    }
  }

  void store(std::uint32_t offset, std::size_t bytes) {
    *next_++ = {offset, static_cast<std::uint32_t>(at_ - literals_), static_cast<std::uint32_t>(bytes), 0};
    at_ += bytes;
    literals_ = at_;
  }

  void learn(const std::byte* at) {
    const auto bytes = load_as<std::uint64_t>(at);
    tables_.by_eight(bytes) = tables_.by_five(bytes) = position_of(at);
  }

  /// Only a few positions near the ends of a match are looked up later.
  void learn_around(const std::byte* begin) {
    if (end_ - at_ < static_cast<std::ptrdiff_t>(kLookBytes)) return;
    learn(begin + 2);
    learn(at_ - 2);
  }

  std::uint32_t position_of(const std::byte* at) const { return static_cast<std::uint32_t>(at - base_); }

  const std::byte* base_;
  Tables tables_;
  const std::byte* end_;
  const std::byte* at_;
  const std::byte* literals_;  // the first byte behind the last match
  ZSTD_Sequence* first_;
  ZSTD_Sequence* next_;
  std::uint32_t last_offset_ = 0;    // 0: none yet
  std::uint32_t offset_before_ = 0;  // another one
  std::uint32_t first_offsets_[kFirstOffsets] = {};
  std::size_t first_count_ = 0;
};

}  // namespace

ZstdMatcher::ZstdMatcher()
    : tables_(Tables::kEntries),
      sequences_(std::make_unique_for_overwrite<ZSTD_Sequence[]>(kMostBlockBytes / kLeastMatchBytes)) {}

void ZstdMatcher::begin(std::span<const std::byte> dictionary) {
  constexpr std::size_t kStep = 3;  // each of the places takes its time, and most have a neighbour that does as well
  base_ = dictionary.data();
  std::ranges::fill(tables_, 0);
  const Tables tables(tables_.data());
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= dictionary.size(); at += kStep) {
    const auto bytes = load_as<std::uint64_t>(base_ + at);
    tables.by_eight(bytes) = tables.by_five(bytes) = static_cast<std::uint32_t>(at);
  }
}

std::span<const ZSTD_Sequence> ZstdMatcher::find(std::span<const std::byte> block) {
  return BlockSearch(base_, Tables(tables_.data()), block, sequences_.get()).run();
}

}  // namespace sortie
