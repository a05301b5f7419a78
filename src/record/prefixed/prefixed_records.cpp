#include "record/prefixed/prefixed_records.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/size.hpp"

namespace sortie {
namespace {

std::uint32_t as_length(std::size_t bytes) {
  if (bytes <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(bytes);
  throw Error("a record of " + std::to_string(bytes) +
              " bytes is too long to be passed on between sorts and to parts: less than 4 GiB can be");
}

/// The longest section is walked over in about a millisecond.
constexpr std::size_t kMostSectionBytes = 4 << 20;
constexpr std::size_t kLeastSectionBytes = 256 << 10;
constexpr std::size_t kSectionsOfThread = 2;
/// A record is guessed where as many follow one another, none longer than this. Those without key and payload prove
/// nothing: any zeros look like them.
constexpr std::size_t kProvingRecords = 16;
constexpr std::size_t kMostProvingSteps = 64;
constexpr std::size_t kPlausibleBytes = 1 << 20;
/// One is looked for at the positions of this share of a section. A section that has none there is walked over from the
/// one before.
constexpr std::size_t kGuessedShare = 64;

struct Walk {
  std::vector<std::size_t> begins;  // of records, about as far apart as ranges are to be
  std::size_t end = 0;              // of the last record that begins in the section
};

/// A walk over records, which notes where ranges begin.
class Walker {
 public:
  Walker(std::span<const std::byte> bytes, std::size_t begin, std::size_t range_bytes)
      : bytes_(bytes), range_bytes_(range_bytes) {
    walk_.end = begin;
  }

  std::size_t at() const { return walk_.end; }

  /// Walks over the next record. Returns false if it is not there as a whole.
  bool step() {
    const std::size_t size = front_prefixed_record(bytes_.subspan(walk_.end)).size();
    if (size > 0) note(walk_.end);
    walk_.end += size;
    return size > 0;
  }

  /// Goes on behind another walk that begins where this one is, or ahead of it.
  void join(const Walk& other) {
    for (const std::size_t begin : other.begins) {
      if (begin >= walk_.end) note(begin);
    }
    walk_.end = other.end;
  }

  const Walk& walk() const { return walk_; }

 private:
  void note(std::size_t begin) {
    if (walk_.begins.empty() || begin - walk_.begins.back() >= range_bytes_) walk_.begins.push_back(begin);
  }

  std::span<const std::byte> bytes_;
  std::size_t range_bytes_;
  Walk walk_;
};

bool may_be_record(std::span<const std::byte> bytes) {
  std::size_t proofs = 0;
  for (std::size_t i = 0; i < kMostProvingSteps && proofs < kProvingRecords && !bytes.empty(); ++i) {
    const std::size_t size = front_prefixed_record(bytes).size();
    if (size == 0 || size > kPlausibleBytes) return false;
    if (size > PrefixedHeader::kBytes) ++proofs;
    bytes = bytes.subspan(size);
  }
  return proofs == kProvingRecords || bytes.empty();
}

/// Empty if no walk from a guessed position leads to the end of the section.
Walk walk_section(std::span<const std::byte> bytes, std::size_t begin, std::size_t end, std::size_t range_bytes) {
  const std::size_t last = begin + divide_up(end - begin, kGuessedShare);
  while (begin < last) {
    if (!may_be_record(bytes.subspan(begin))) {
      ++begin;
      continue;
    }
    Walker walker(bytes, begin, range_bytes);
    while (walker.at() < end && walker.step()) {
    }
    if (walker.at() >= end) return walker.walk();
    begin = walker.at() + 1;
  }
  return {};
}

// Walks over the section that ends at `end`, until it meets the walk that was guessed. Returns false if a record is not
// whole.
bool join_walks(Walker& walker, const Walk& guessed, std::size_t end) {
  throw_if_stopped();
  auto next = guessed.begins.begin();
  while (walker.at() < end) {
    next = std::find_if(next, guessed.begins.end(), [&](std::size_t begin) { return begin >= walker.at(); });
    if (next != guessed.begins.end() && *next == walker.at()) {
      walker.join(guessed);
      return true;
    }
    if (!walker.step()) return false;
  }
  return true;
}

std::vector<std::span<const std::byte>> ranges_of(const Walk& walk, std::span<const std::byte> bytes) {
  std::vector<std::span<const std::byte>> ranges;
  for (std::size_t i = 0; i < walk.begins.size(); ++i) {
    const std::size_t end = i + 1 < walk.begins.size() ? walk.begins[i + 1] : walk.end;
    ranges.push_back(bytes.subspan(walk.begins[i], end - walk.begins[i]));
  }
  return ranges;
}

}  // namespace

PrefixedHeader PrefixedHeader::of(std::size_t key_bytes, std::size_t payload_bytes) {
  return {as_length(key_bytes), as_length(payload_bytes)};
}

std::size_t whole_prefixed_records(std::span<const std::byte> bytes) {
  std::size_t whole = 0;
  while (true) {
    const std::size_t size = front_prefixed_record(bytes.subspan(whole)).size();
    if (size == 0) return whole;
    whole += size;
  }
}

std::vector<std::span<const std::byte>> find_prefixed_records(std::span<const std::byte> bytes,
                                                              std::size_t range_bytes) {
  const std::size_t section_bytes = std::clamp(divide_up(bytes.size(), kSectionsOfThread * parallel_threads()),
                                               kLeastSectionBytes, kMostSectionBytes);
  const std::size_t count = divide_up(bytes.size(), section_bytes);
  const auto begin_of = [&](std::size_t section) { return std::min(section * section_bytes, bytes.size()); };
  std::vector<Walk> guessed(count);
  parallel_for(0, count,
               [&](std::size_t i) { guessed[i] = walk_section(bytes, begin_of(i), begin_of(i + 1), range_bytes); });
  Walker walker(bytes, 0, range_bytes);
  for (std::size_t i = 0; i < count && join_walks(walker, guessed[i], begin_of(i + 1)); ++i) {
  }
  return ranges_of(walker.walk(), bytes);
}

}  // namespace sortie
