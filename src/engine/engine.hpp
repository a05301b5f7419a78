// What sorts and merges. The pipeline speaks to this interface alone; the CPU and the GPU engine serve
// it, with the same bytes for the same input.
//
// Phase one:  RunFormer   pieces of input in, one sorted run at a time out
// Phase two:  WindowMerger   the same key range of K runs in, merged records out
//
// Threads: a RunFormer is fed by one thread; the SortedRun that it hands out may be drained by another
// one while the next run is fed. A WindowMerger is used by one thread; the MergedWindow that it hands out may be
// drained by another one while the next window is merged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/memory_region.hpp"

namespace sortie {

/// Takes consecutive parts of sorted output: whole records, valid during the call only. It may want to look at records
/// before their part comes: an engine that makes a part bit by bit, on several threads, shows it each of these while it
/// is in that core's cache.
///
///   part 7  | records | records | records |    look() at each, on the thread that has made it
///                                              then take() all of it, in its turn
///
/// It may have room for records, too: where its output lies in memory, a part is made there, and need not be copied.
///
/// Result: void, or whatever the consumer says of a part.
template <class Result>
class ConsumerOfParts {
 public:
  using Take = std::function<Result(std::span<std::byte> part)>;
  /// `records`: whole ones, at least one, which do not change until their part comes; `position`: how many bytes all
  /// parts have in front of them. Several threads call it at once. An engine may show nothing of a part, or all of it.
  using Look = std::function<void(std::span<const std::byte> records, std::uint64_t position)>;

  /// Where `bytes` of records, which begin at `position` as above, may be made; empty if there is no such place yet.
  /// `waits`: waits for one that is being prepared. They must be shown to the consumer, and come as a part, there.
  using Room = std::function<std::span<std::byte>(std::uint64_t position, std::uint64_t bytes, bool waits)>;

  ConsumerOfParts() = default;
  ConsumerOfParts(Take take, Look look, Room room = nullptr)
      : take_(std::move(take)), look_(std::move(look)), room_(std::move(room)) {}
  /// One that does not look.
  template <class Function>
  requires(std::is_invocable_r_v<Result, Function, std::span<std::byte>> && !std::is_same_v<Function, ConsumerOfParts>)
      ConsumerOfParts(Function take)  // NOLINT(google-explicit-constructor): most consumers are functions
      : take_(std::move(take)) {}

  /// Whether it takes parts.
  explicit operator bool() const { return static_cast<bool>(take_); }

  Result operator()(std::span<std::byte> part) const { return take_(part); }
  void look(std::span<const std::byte> records, std::uint64_t position) const {
    if (look_) look_(records, position);
  }
  /// What look() calls; nothing if it does not look.
  const Look& own_look() const { return look_; }
  /// What room() calls; nothing if there is no room.
  const Room& own_room() const { return room_; }
  std::span<std::byte> room(std::uint64_t position, std::uint64_t bytes, bool waits) const {
    return room_ ? room_(position, bytes, waits) : std::span<std::byte>();
  }
  /// The same consumer, but `take` takes the parts.
  ConsumerOfParts taken_by(Take take) const { return {std::move(take), look_, room_}; }

 private:
  Take take_;
  Look look_;
  Room room_;
};

using PartConsumer = ConsumerOfParts<void>;

/// One run, sorted and waiting in the engine's memory, which is freed when this is destroyed.
class SortedRun {
 public:
  virtual ~SortedRun() = default;

  virtual std::uint64_t record_count() const = 0;
  virtual std::uint64_t byte_count() const = 0;

  /// Passes the records on in order, part by part. Call once. Rethrows what `consumer` throws. The
  /// consumer may change the part's bytes (and does, when it drops duplicates).
  virtual void drain(const PartConsumer& consumer) = 0;

  /// The same, but an engine that gains by it puts each part at its position in `target` and passes it on there.
  /// `target` is at least as long as the run and pinned by Engine::pin().
  virtual void drain_into([[maybe_unused]] std::span<std::byte> target, const PartConsumer& consumer) {
    drain(consumer);
  }
};

class RunFormer {
 public:
  virtual ~RunFormer() = default;

  /// The buffer for the next piece of input, empty when the run has no room for another piece.
  /// Blocks until a buffer is free. Stays valid until commit_piece() or finish_run().
  virtual std::span<std::byte> next_piece() = 0;

  /// Upper bound on the records of the piece that next_piece() offered.
  virtual std::uint64_t max_piece_records() const { return ~std::uint64_t{0}; }

  /// Upper bound on the bytes of a run that will be stored; 0 if unknown, or if none will be.
  virtual std::uint64_t run_bytes() const { return 0; }

  /// A piece of at least `bytes` for a record that was too long for next_piece(); empty if this run
  /// cannot take it. The memory of a run without records may grow for it.
  virtual std::span<std::byte> next_large_piece([[maybe_unused]] std::size_t bytes) { return {}; }

  /// A buffer for an input of `bytes` and `record_count` records that are all there is. It is memory of mmap() whose
  /// pages may be replaced. Empty if this run cannot take the input, or the memory is of another kind.
  virtual std::span<std::byte> next_whole_piece([[maybe_unused]] std::uint64_t bytes,
                                                [[maybe_unused]] std::uint64_t record_count) {
    return {};
  }

  /// Takes the first `bytes` of the buffer: whole records, `record_count` of them. Does not wait for
  /// the work it starts.
  virtual void commit_piece(std::size_t bytes, std::uint64_t record_count) = 0;

  /// Sorts all that was committed since the last run (at least one record).
  virtual std::unique_ptr<SortedRun> finish_run() = 0;
};

/// The records of one window, merged and waiting in the engine's memory, which is freed when this is destroyed. The
/// merger must outlive it.
class MergedWindow {
 public:
  virtual ~MergedWindow() = default;

  virtual std::uint64_t byte_count() const = 0;

  /// See SortedRun::drain().
  virtual void drain(const PartConsumer& consumer) = 0;
};

class WindowMerger {
 public:
  virtual ~WindowMerger() = default;

  /// So many merged windows may exist.
  static constexpr std::size_t kMostWindows = 2;

  /// Largest window that is merged in one go, in bytes; larger ones take more effort.
  virtual std::uint64_t best_window_bytes() const { return ~std::uint64_t{0}; }

  /// Merges sorted ranges of whole records, which are not needed after return. Stable: among equal keys, an earlier
  /// range comes first. Ranges may be empty. Waits while kMostWindows of this merger exist. `look` may be null. It is
  /// what PartConsumer says of it, but positions count from the beginning of the window. `room`: memory of the caller's
  /// as long as the window, where the merged records may lie, until the window is gone; may be empty.
  virtual std::unique_ptr<MergedWindow> merge(std::span<const std::span<const std::byte>> ranges,
                                              const PartConsumer::Look& look, std::span<std::byte> room) = 0;
};

/// Host memory that the pipeline grants an engine, and what is known of the records. Ceilings, in bytes.
struct FormationBudget {
  std::uint64_t host_bytes = 0;      ///< for everything the former allocates on the host
  std::uint64_t part_bytes = 0;      ///< size of a part that a SortedRun passes on; a longer record gets its own
  std::uint64_t expected_bytes = 0;  ///< size of the input; 0 if unknown
  /// The longest record for which the former may take host memory beyond host_bytes; 0: for none.
  std::uint64_t most_record_bytes = 0;
  /// Records from all over the input in the form in which they are sorted, for as long as the former exists; none if
  /// only the beginning of the input is known.
  std::span<const std::byte> sample = {};
  /// Runs that share host_bytes: one, or two, of which one is drained while records of the next come in. A former that
  /// needs no second run for that may do without.
  unsigned runs = 1;
};

/// What is known of the records before an engine takes memory on its device.
struct EngineWorkload {
  std::optional<std::uint64_t> bytes;  ///< size of all records, rather too high; nothing if unknown
  std::uint64_t record_bytes = 0;      ///< size of an average record, rather too low; 0 if unknown
  bool merges_only = false;            ///< sorted inputs are merged, and no runs formed
  /// If not all records can be sorted at once, a device that gives less memory than this counts as full.
  std::uint64_t least_share_bytes = 0;
};

struct MergeBudget {
  std::uint64_t host_bytes = 0;    ///< for all that the merger allocates except two merged windows
  std::uint64_t window_bytes = 0;  ///< the largest window that merge() will be given
};

class Engine {
 public:
  virtual ~Engine() = default;

  /// For messages.
  virtual std::string_view name() const = 0;

  /// Whether a run that is formed lies in host memory, and so counts towards the host's budget.
  virtual bool forms_runs_on_host() const = 0;

  /// Memory that the engine may use on its GPU; 0 on the CPU.
  virtual std::uint64_t device_budget_bytes() const { return 0; }

  /// Engines allocate here, once, and not while they work. Throws Error with the remedy if the budget is too small for
  /// the records.
  virtual std::unique_ptr<RunFormer> make_run_former(const FormationBudget& budget) = 0;
  virtual std::unique_ptr<WindowMerger> make_window_merger(const MergeBudget& budget) = 0;

  /// Pins host memory that was touched before, so that the engine's devices copy to and from it at full speed. Null if
  /// there are no devices or it is impossible. Thread-safe.
  virtual std::unique_ptr<MemoryPin> pin([[maybe_unused]] std::span<std::byte> memory) { return nullptr; }
};

/// The largest device budget of these engines; 0 on the CPU.
inline std::uint64_t largest_device_budget(std::span<const std::unique_ptr<Engine>> engines) {
  std::uint64_t bytes = 0;
  for (const auto& engine : engines) bytes = std::max(bytes, engine->device_budget_bytes());
  return bytes;
}

}  // namespace sortie
