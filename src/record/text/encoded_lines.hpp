// A buffer of encoded lines, one behind the other, which RecordCodec fills. Its memory grows without being cleared
// first. Each thread that encodes has one: it also has the scratch memory in which a key is made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/guess_counts.hpp"
#include "record/aggregate/state_bytes.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/json/json_finder.hpp"

namespace sortie {

class EncodedLines {
 public:
  /// The bytes so far; between calls of RecordCodec::encode() they are whole lines.
  std::span<const std::byte> bytes() const { return {bytes_.get(), size_}; }
  std::size_t size() const { return size_; }
  /// Bytes of memory that this holds: lines, and scratch for long ones.
  std::size_t held_bytes() const {
    return capacity_ + field_scratch.capacity() + key_scratch.capacity() + value_scratch.capacity();
  }

  /// Drops the lines, keeps the memory.
  void clear() {
    size_ = 0;
    unreadable_ = {};
    guesses_.clear();
    lacks_name_ = false;
  }

  /// The end of the bytes, with room for `count` more behind it. Valid until the next call.
  std::byte* room(std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    return bytes_.get() + size_;
  }

  /// Appends the bytes that were written behind the old end, up to `end`. Precondition: `end` lies within the last
  /// room().
  void extend_to(const std::byte* end) { size_ = static_cast<std::size_t>(end - bytes_.get()); }

  /// Drops what is behind the first `size` bytes.
  void cut_to(std::size_t size) { size_ = size; }

  /// Scratch of the codec: a field whose characters are filtered, and the bytes of a key before they are escaped.
  std::string field_scratch;
  std::string key_scratch;
  /// A record of CSV whose fields are quoted.
  UnquotedRecord unquoted;
  /// The values of a line of JSON, and the text of one.
  std::vector<JsonValue> values;
  std::string value_scratch;
  /// The texts of a grouped line, and the state made of them.
  std::vector<std::string_view> group_texts;
  StateWriter state;

  /// A line that has not the form that it must have. It gets a key all the same; the reader throws the error.
  struct Unreadable {
    const std::byte* line = nullptr;  ///< null: there is none
    std::string reason = {};          ///< goes on behind the name of the line
    Remedy remedy = Remedy::kOther;
  };
  /// The first unreadable line.
  const Unreadable& unreadable() const { return unreadable_; }
  /// Marks the line that is being encoded as unreadable.
  void refuse(Unreadable reason) {
    if (!unreadable_.reason.empty()) return;
    unreadable_ = std::move(reason);
    lacks_name_ = true;
  }

  /// What had to be assumed of the keys of these lines.
  const GuessCounts& guesses() const { return guesses_; }
  /// Counts a guess about the line that is being encoded: see GuessCounts.
  void guess(GuessKind kind, std::size_t subject, std::string_view text) {
    if (guesses_.add(kind, subject, text)) lacks_name_ = true;
  }

  /// Call after each line: `line` is the one to name if something was counted or refused.
  void name_line(const std::byte* line) {
    if (!lacks_name_) return;
    lacks_name_ = false;
    guesses_.name_line(line);
    if (unreadable_.line == nullptr && !unreadable_.reason.empty()) unreadable_.line = line;
  }

 private:
  void grow(std::size_t count) {
    const std::size_t spare = capacity_ < kMuch ? capacity_ : capacity_ / 4;
    const std::size_t capacity = std::max(size_ + count, capacity_ + spare);
    void* const bytes = std::realloc(bytes_.get(), capacity);
    if (bytes == nullptr) throw std::bad_alloc();
    static_cast<void>(bytes_.release());
    bytes_.reset(static_cast<std::byte*>(bytes));
    capacity_ = capacity;
  }

  struct Free {
    void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
  };

  /// The system moves as much or more to larger memory without a copy.
  static constexpr std::size_t kMuch = 1 << 20;

  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  Unreadable unreadable_;
  GuessCounts guesses_;
  bool lacks_name_ = false;  // the first line of some of these
};

}  // namespace sortie
