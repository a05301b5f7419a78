// Counts the memory that long records take beyond their shares of the plan. Whoever keeps such records has a claim,
// which says how much memory they take. If all claims together exceed the limit, the job must do with less: merge fewer
// inputs at once, or form runs. Used by the merge of inputs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

namespace sortie {

class Resources {
 public:
  struct Limit {
    std::uint64_t bytes = 0;         ///< available in any case
    std::uint64_t long_records = 0;  ///< so many times the longest record are available, however small the budget
  };

  explicit Resources(const Limit& limit) : limit_(limit) {}
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;

  /// Precondition: no other thread uses this.
  void set_limit(const Limit& limit) { limit_ = limit; }

  /// Reports a record that is longer than its share, with its length as it was read. Thread-safe, as all below.
  void meet_record(std::uint64_t record_bytes) {
    std::uint64_t known = longest_record_bytes_;
    while (known < record_bytes && !longest_record_bytes_.compare_exchange_weak(known, record_bytes)) {
    }
  }

  std::uint64_t held_bytes() const { return held_bytes_; }
  /// Upper bound for all claims together.
  std::uint64_t most_bytes() const { return std::max(limit_.bytes, limit_.long_records * longest_record_bytes_); }
  /// True if the claims exceed that. `most_holders`: so many claims are granted in any case.
  bool are_short(std::uint64_t most_holders) const { return holders_ > most_holders && held_bytes() > most_bytes(); }

 private:
  friend class Claim;

  Limit limit_;
  std::atomic<std::uint64_t> longest_record_bytes_ = 0;
  std::atomic<std::uint64_t> held_bytes_ = 0;
  std::atomic<std::uint64_t> holders_ = 0;  // claims that hold anything
};

/// The memory of one holder of records; given back when this is destroyed.
class Claim {
 public:
  /// `resources` must outlive this.
  explicit Claim(Resources& resources) : resources_(&resources) {}
  ~Claim() { set(0); }
  Claim(Claim&& other) noexcept : resources_(other.resources_), bytes_(std::exchange(other.bytes_, 0)) {}
  Claim& operator=(Claim&&) = delete;
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  Resources& resources() const { return *resources_; }
  std::uint64_t bytes() const { return bytes_; }

  /// Sets the memory that the holder takes now.
  void set(std::uint64_t bytes) {
    resources_->held_bytes_ += bytes - bytes_;
    if (bytes > 0 && bytes_ == 0) ++resources_->holders_;
    if (bytes == 0 && bytes_ > 0) --resources_->holders_;
    bytes_ = bytes;
  }

 private:
  Resources* resources_;
  std::uint64_t bytes_ = 0;
};

}  // namespace sortie
