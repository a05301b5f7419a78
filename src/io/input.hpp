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

#include "io/file.hpp"

namespace sortie {

/// One input, read from beginning to end by one thread.
class Input {
 public:
  virtual ~Input() = default;

  virtual const std::string& path() const = 0;

  /// Fills `target`; returns fewer bytes only at the end of the input. Plain files are read by several
  /// threads at once when `target` is large. Throws Error (unreadable, shrunk since it was opened,
  /// corrupt compressed data).
  virtual std::size_t read(std::span<std::byte> target) = 0;

  /// As read(), but does not wait until `target` is full: gives what is there, at least one byte; none at the end.
  virtual std::size_t read_some(std::span<std::byte> target) { return read(target); }

  /// Takes a slice of a target when it has been filled, while it is in the cache of the core that filled it.
  using SliceSink = std::function<void(std::span<const std::byte> slice)>;

  /// As read(). Plain files tell `sink` of every slice, from several threads and in any order; others need not.
  virtual std::size_t read_slices(std::span<std::byte> target, const SliceSink& sink) {
    static_cast<void>(sink);
    return read(target);
  }

  /// As read_slices() of the whole input, before anything is read, without copying it (File::map_at()). False, and
  /// nothing is done, if that cannot be had. Then tend() must be called as long as the memory is used.
  virtual bool map_slices(std::span<std::byte> target, const SliceSink& sink) {
    static_cast<void>(target);
    static_cast<void>(sink);
    return false;
  }
  /// Throws Error if the file could not be read after all, or was changed: then all that was read may be wrong.
  virtual void tend() {}
  /// Takes map_slices() back: the memory is empty, and reading begins anew.
  virtual void unmap() {}

  /// Passes over the next `bytes`, which were read by a sort that is continued. Throws Error as read() does, and if
  /// there are not so many.
  virtual void skip(std::uint64_t bytes);

  /// Bytes that read() will give in all; nothing for pipes and compressed inputs.
  virtual std::optional<std::uint64_t> size() const = 0;

  /// Where in the file the first byte lies that read() gives: behind a header that was taken off.
  virtual std::uint64_t begin() { return 0; }

  /// Fills `target` with the bytes that the next read() will give too; fewer at the end, none if they cannot be had
  /// without reading on.
  virtual std::size_t peek(std::span<std::byte> target) {
    static_cast<void>(target);
    return 0;
  }
};

/// What zstd keeps of its output to refer back to: as much as its own program takes unasked, and what files need that
/// were packed without options that ask for more.
inline constexpr std::uint64_t kMaxWindowBytes = 128 << 20;
inline constexpr std::uint64_t kUsualWindowBytes = 8 << 20;

/// Takes warnings: one line each.
using WarningSink = std::function<void(const std::string& message)>;

/// Opens `path` ("-": standard input) and, if `unpack`, looks at its magic: gzip, zstd and bzip2 are unpacked, all
/// members of them, but not zstd with a window of more than `window_bytes`. What a plain file grows by after this call
/// is not read. `warn` is told of what does no harm, by the thread that reads; it may be empty.
std::unique_ptr<Input> open_input(FileSystem& files, const std::string& path, bool unpack = true,
                                  std::uint64_t window_bytes = kMaxWindowBytes, const WarningSink& warn = {});

/// The same of a file that is open already. `known_bytes`: what it held when it was looked at before; what it has grown
/// by since is not read.
std::unique_ptr<Input> open_input(std::unique_ptr<File> file, bool unpack, std::uint64_t window_bytes,
                                  std::optional<std::uint64_t> known_bytes = std::nullopt,
                                  const WarningSink& warn = {});

}  // namespace sortie
