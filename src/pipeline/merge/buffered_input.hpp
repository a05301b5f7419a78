// One input of a merge of sorted inputs: holds what has been read of it and not been merged yet. Used by
// SortedInputsMerge and its windows.
//
//   buffer   | taken by a window, being merged | rest | free |
//
// When little is left, the rest moves to the beginning of another buffer, and more is read behind it. A buffer is
// filled again when no window needs it any more. A pipe, which can make the merge wait, is read only when nothing is
// left.
//
// The memory of a record that is longer than a buffer is claimed (plan/resources.hpp). If there is too little, windows
// end, each input keeps one buffer, and SortedInputsMerge goes on record by record (lean_merge.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <sortie/sort.hpp>

#include "base/memory_region.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/merge/window_pipeline.hpp"
#include "pipeline/plan/resources.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "pipeline/scan/sorted_scan.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

class BufferedInput {
 public:
  struct Options {
    std::size_t buffer_bytes = 0;          ///< length of each buffer; a longer record gets a larger one
    std::size_t longest_record_bytes = 0;  ///< longer records are refused
    std::uint64_t windows = 0;             ///< number of windows in use at once, including the one being loaded
    std::uint64_t planned_bytes = 0;       ///< what is held beyond these is claimed
    std::uint64_t lean_bytes = 0;          ///< the same while records are taken one by one
  };
  /// Called with the first record that is out of order.
  using DisorderSink = std::function<void(const Disorder&)>;

  /// `scan` must have begun with this input. All references must outlive this.
  BufferedInput(std::shared_ptr<MergeSource> source, OrderScan scan, const RecordCodec& codec, const ExactOrder& order,
                const Options& options, Resources& resources, DisorderSink sink);

  /// Reads on if needed. `window`: the number of the window that is being loaded. Throws Error as the source does, and
  /// for a record that is too long.
  void read_on(std::uint64_t window);

  /// Whether rest() is all that is left.
  bool is_read_whole() const { return source_ == nullptr; }
  bool in_order() const { return in_order_; }
  std::span<const std::byte> rest() const { return rest_; }

  /// The record that comes last in the order so far. No record that is read later comes out before it.
  Record last_in_order() const { return last_in_order_; }

  /// How many bytes of the rest come before all records with this key, or before all with a greater key. A record waits
  /// for those in front of it, whatever its key.
  std::size_t bytes_before(Record key) const;
  std::size_t bytes_through(Record key) const;

  /// Takes the first `bytes` of the rest for the window.
  std::span<const std::byte> take(std::size_t bytes, std::uint64_t window);

  /// From now on records are taken one by one: nothing but the rest is kept. Precondition: no window is in use.
  void become_lean();
  /// Only if lean: drops the first `bytes` of the rest, and reads on if nothing is left.
  void pass(std::size_t bytes);
  /// Only if lean: the first record of the rest.
  std::span<std::byte> first_record() const;
  /// Only if lean: the same, which may be changed from now on, and must be passed next.
  std::span<std::byte> take_first_record();
  /// What it holds beyond its planned share.
  std::uint64_t claimed_bytes() const { return claim_.bytes(); }

 private:
  struct Buffer {
    MemoryRegion memory;
    std::uint64_t free_from = 0;  // number of the first window that may reuse the buffer
  };

  template <class Wanted>
  std::size_t bytes_with(const Wanted& wanted) const;
  bool wants_more() const;
  Buffer& free_buffer(std::uint64_t window, std::size_t bytes);
  std::size_t larger_buffer_bytes(std::size_t bytes, std::size_t known_bytes) const;
  void fit_buffer();
  void look_at(std::span<const std::byte> records, std::uint64_t input_bytes);
  Record last_of(std::span<const std::byte> records) const;
  void claim_memory();

  std::shared_ptr<MergeSource> source_;  // null at its end
  OrderScan scan_;
  const RecordCodec& codec_;
  const ExactOrder& order_;
  Options options_;
  Claim claim_;
  DisorderSink sink_;
  std::deque<Buffer> buffers_;
  Buffer* current_ = nullptr;  // holds the rest
  std::span<const std::byte> rest_;
  bool next_is_longer_ = false;  // the next record does not fit behind the rest
  bool in_order_ = true;
  bool is_lean_ = false;
  Record last_in_order_;               // in a buffer, or in the memory below
  std::vector<std::byte> last_bytes_;  // only if the input is not in order
};

/// The windows of a merge of inputs. Their ends are not known beforehand: a piece of every input is read, and the
/// records that come before everything unread are a window.
///
///   input 0   | a  c  e  g |...      g, the least of the last records, ends the window
///   input 1   | b  d  k |...         k waits for the next one
///
/// An input that is not sorted keeps its own order: a record is never written before its predecessor in that input.
class InputWindows final : public WindowSource {
 public:
  /// All references must outlive this.
  InputWindows(const ExactOrder& order, std::deque<BufferedInput>& inputs, const Resources& resources)
      : order_(order), inputs_(inputs), resources_(resources) {}

  /// Nothing also if memory is short.
  std::optional<Window> next() override;
  void release(const Window&) noexcept override {}  // buffers record when they are free

  /// Whether memory is short: a long record is merged in windows only if it is the only one, which lies there up to
  /// five times.
  bool is_short() const { return resources_.are_short(1); }

 private:
  std::optional<std::size_t> bounding_input() const;

  const ExactOrder& order_;
  std::deque<BufferedInput>& inputs_;
  const Resources& resources_;
  std::uint64_t number_ = 0;  // number of the next window
};

}  // namespace sortie
