// Where sorted bytes go: a file beside the target that is renamed at the end, a file that is copied over a target which
// cannot be replaced, or a stream. The pipeline opens it before it reads anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sortie {

class Output {
 public:
  virtual ~Output() = default;

  /// Appends. Called by one thread at a time.
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Whether write_early() is of use by now. Thread-safe.
  virtual bool takes_early() { return false; }
  /// Writes bytes whose turn has not come, to where they belong, unless that is impossible: then returns false. Several
  /// threads at once, for ranges that do not overlap. In their turn pass_over() stands for write().
  virtual bool write_early([[maybe_unused]] std::uint64_t position, [[maybe_unused]] std::span<const std::byte> bytes) {
    return false;
  }
  /// Memory of the file, where bytes that belong to `position` may be made before they are written, early or in their
  /// turn: they are not copied then. Empty if there is none, which may change. `waits`: waits while such memory is
  /// being prepared. Thread-safe. Valid until finish().
  virtual std::span<std::byte> early_room([[maybe_unused]] std::uint64_t position, [[maybe_unused]] std::uint64_t bytes,
                                          [[maybe_unused]] bool waits) {
    return {};
  }
  /// The next `bytes` have been written by write_early(). Called in turn with write().
  virtual void pass_over([[maybe_unused]] std::uint64_t bytes) {}

  /// True if a write may wait for a reader at the other end, for any time.
  virtual bool waits_for_reader() const { return false; }

  /// Announces how many bytes will come, or at least, if known; a later call may say more. Reserves the space on disk.
  /// Throws Error if there is too little. Does nothing for streams and compressed files.
  virtual void expect(std::uint64_t bytes) = 0;

  /// Writes a file around the system's cache: for more bytes than memory holds. Does nothing for streams.
  virtual void write_around_cache() = 0;

  /// Makes everything durable and puts it in its place. Without this call the target stays as it was and the destructor
  /// removes what was written.
  virtual void finish() = 0;
};

/// Whether and how an output is packed.
struct Packing {
  bool by_suffix = true;  ///< names that recognise_suffix() knows pack, those of foreign_suffix() are refused
  int level = 0;          ///< one of the format's output_levels(); 0: the usual one
  /// Memory of all threads that pack. One thread packs in any case.
  std::uint64_t memory_bytes = kUsualPackingBytes;

  /// A sort may take so much beside its memory budget.
  static constexpr std::uint64_t kUsualPackingBytes = 32 << 20;
};
inline constexpr Packing kNotPacked{.by_suffix = false};

/// Memory for a result that no file can take before it is complete: see make_held_output().
struct HeldResult {
  std::uint64_t most_bytes = kUsualHeldBytes;
  bool is_used = false;  ///< set by open_output() if the result is kept there

  /// A sort may take so much beside its memory budget.
  static constexpr std::uint64_t kUsualHeldBytes = 8 << 20;
};

}  // namespace sortie
