// Inputs that are unpacked while they are read. Each kind is made by its function below; called by open_input() only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/thread_team.hpp"
#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"

namespace sortie {

/// What all of them have in common: a buffer of packed bytes, and a loop that asks for a stop between two steps.
class PackedInput : public Input {
 public:
  const std::string& path() const final { return path_; }
  std::optional<std::uint64_t> size() const final { return std::nullopt; }
  std::size_t read(std::span<std::byte> target) final;

 protected:
  /// `packed_bytes`: size of the buffer. `most_step_bytes`: what is unpacked between two looks whether to stop.
  PackedInput(ByteSource source, std::size_t packed_bytes, std::size_t most_step_bytes = kBytesBetweenStops);

  /// Reads more behind the bytes that are left. Returns false at the end of the file.
  bool fill();
  /// Nothing follows: gives back the memory.
  void end();

  ByteSource source_;
  std::vector<std::byte> packed_;
  std::span<const std::byte> left_;  ///< of packed_: not yet unpacked
  bool source_ended_ = false;        ///< fill() has come to the end of the file
  bool ended_ = false;

 private:
  /// Returns the bytes unpacked; 0 at the end, and maybe while input is still taken in.
  virtual std::size_t unpack(std::span<std::byte> target) = 0;

  std::string path_;
  std::size_t most_step_bytes_;
};

/// A format whose files are members, one behind the other: gzip, bzip2, and lz4, which calls them frames. It unpacks
/// one member at a time.
class MemberUnpacker {
 public:
  struct Step {
    std::size_t taken = 0;  ///< bytes of `packed`
    std::size_t made = 0;   ///< bytes of `target`
    bool at_end = false;    ///< the member has ended
  };

  virtual ~MemberUnpacker() = default;

  /// Bytes that begins_member() looks at.
  static constexpr std::size_t kMagicBytes = 4;

  /// Whether a member may begin with `leading`, its first kMagicBytes or all that is left.
  virtual bool begins_member(std::span<const std::byte> leading) const = 0;

  /// Memory that the library takes, at most.
  virtual std::uint64_t memory_bytes() const = 0;

  /// Called before each member.
  virtual void begin() = 0;

  /// Unpacks the next bytes of a member. Takes or makes at least one unless `packed` or `target` is empty. Throws Error
  /// for damaged data.
  virtual Step unpack(std::span<const std::byte> packed, std::span<std::byte> target) = 0;
};

/// All name `path` in their errors.
std::unique_ptr<MemberUnpacker> make_gzip_unpacker(const std::string& path);
std::unique_ptr<MemberUnpacker> make_bzip2_unpacker(const std::string& path);
std::unique_ptr<MemberUnpacker> make_lz4_unpacker(const std::string& path);

/// Unpacks gzip, bzip2 and lz4, member after member, as those programs do: bytes behind the last member are ignored,
/// with a warning unless all are zero. `warn` may be empty, here and below.
std::unique_ptr<Input> make_member_input(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker, WarningSink warn);

/// The same for a source of which all members in front of `begun` are unpacked; `begun` is what was read behind them.
std::unique_ptr<Input> make_member_input(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker, WarningSink warn,
                                         std::span<const std::byte> begun);

/// BGZF. Warns if the empty block is missing that marks the end.
std::unique_ptr<Input> make_bgzf_input(ByteSource source, WarningSink warn);

/// A frame with a window of more than `window_bytes` is refused when it is reached.
std::unique_ptr<Input> make_zstd_input(ByteSource source, std::uint64_t window_bytes);

/// Refuses data that needs a dictionary of more than `window_bytes`, and takes fewer threads where these do not allow
/// more.
std::unique_ptr<Input> make_xz_input(ByteSource source, std::uint64_t window_bytes);

}  // namespace sortie
