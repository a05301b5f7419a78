// The inputs of a sort as one sequence of bytes per file: plain files, pipes, and compressed files
// recognised by their first bytes. Opened by the pipeline, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/files/file.hpp"

namespace sortie {

/// All bytes of an input in memory, not copied, and only to be read. Made by Input::map(). Destroyed before the input
/// and before the memory.
class InputMapping {
 public:
  virtual ~InputMapping() = default;

  /// Throws Error if the file could not be read after all, or was changed: then all that was read may be wrong. Must be
  /// called before results are trusted (MappedCopy::check()).
  virtual void check() = 0;
  /// Empties the memory. The input is read from its beginning, as if it had not been mapped. Throws Error as check()
  /// does: what was seen of the input may have led to this.
  virtual void discard() = 0;
};

/// How messages number the records of an input.
struct RecordNumbering {
  std::uint64_t in_front = 0;        ///< records of the header that was taken off
  std::uint64_t lines_in_front = 0;  ///< newlines in it
  const char* word = nullptr;        ///< what they are called; null: as those of all inputs, lines or records
};

/// One input, read from beginning to end by one thread.
class Input {
 public:
  virtual ~Input() = default;

  virtual const std::string& path() const = 0;

  /// Fills `target`; returns fewer bytes only at the end of the input. Plain files are read by several
  /// threads at once when `target` is large. Throws Error (unreadable, shrunk since it was opened,
  /// corrupt compressed data).
  virtual std::size_t read(std::span<std::byte> target) = 0;

  /// Like read(), but does not wait until `target` is full: gives the bytes that are there, at least one; 0 at the end.
  virtual std::size_t read_some(std::span<std::byte> target) { return read(target); }

  /// Called with every slice of a target once it is filled, while it is in the cache of the core that filled it.
  using SliceSink = std::function<void(std::span<const std::byte> slice)>;

  /// Like read(). Plain files call `sink` for every slice, from several threads and in any order; others need not.
  virtual std::size_t read_slices(std::span<std::byte> target, [[maybe_unused]] const SliceSink& sink) {
    return read(target);
  }

  /// Like read_slices() of the whole input, but without copying it (File::map_at()). Call it before anything is read.
  /// Returns null and does nothing if this is impossible.
  virtual std::unique_ptr<InputMapping> map([[maybe_unused]] std::span<std::byte> target,
                                            [[maybe_unused]] const SliceSink& sink) {
    return nullptr;
  }

  /// Skips the next `bytes`, which a sort that is now continued had read. Throws Error as read() does, and if fewer are
  /// left.
  virtual void skip(std::uint64_t bytes);

  /// How many bytes read() will give in all; nothing for pipes and compressed inputs.
  virtual std::optional<std::uint64_t> size() const = 0;

  /// Memory that unpacking takes while the input is read, at most; 0 if it is not packed.
  virtual std::uint64_t unpacking_bytes() const { return 0; }

  /// Offset in the file of the first byte that read() gives: behind a header that was taken off.
  virtual std::uint64_t begin() { return 0; }
  virtual RecordNumbering numbering() const { return {}; }

  /// Fills `target` with the bytes that read() will give after the next `distance` ones. Returns fewer at the end, and
  /// 0 if they cannot be had without reading on.
  virtual std::size_t peek([[maybe_unused]] std::uint64_t distance, [[maybe_unused]] std::span<std::byte> target) {
    return 0;
  }
};

/// Limits on the window of zstd and xz, the part of its output that it keeps to refer back to: as much as the zstd
/// program takes unasked, and as much as files need that were packed without options that ask for more.
inline constexpr std::uint64_t kMaxWindowBytes = 128 << 20;
inline constexpr std::uint64_t kUsualWindowBytes = 8 << 20;

/// When an input is taken for packed.
enum class Unpacking : std::uint8_t {
  kNever,
  kByMagic,  ///< when it begins like a packed one, as text never does
  kIfSure,   ///< records of any bytes: when its name says so as well, or its begin can be unpacked
  kArchive,  ///< by magic, and what is packed may be an archive: whoever reads it takes that apart
};

/// Takes warnings of one line each.
using WarningSink = std::function<void(const std::string& message)>;

}  // namespace sortie
