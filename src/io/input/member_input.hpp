// Unpacks gzip, bzip2 and lz4, member after member, as those programs do: bytes behind the last member are ignored,
// with a warning unless all are zero. Made by make_compressed_input() only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"

namespace sortie {

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

class MemberInput final : public Input {
 public:
  /// `warn` may be empty.
  MemberInput(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker, WarningSink warn);

  /// The same for a source of which all members in front of `begun` are unpacked; `begun` is what was read behind them.
  MemberInput(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker, WarningSink warn,
              std::span<const std::byte> begun);

  const std::string& path() const override { return source_.path(); }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::uint64_t unpacking_bytes() const override { return unpacking_bytes_; }
  std::size_t read(std::span<std::byte> target) override;

 private:
  std::size_t unpack(std::span<std::byte> target);
  bool fill();
  bool begins_member();
  void refuse_other_form();
  bool only_zeros_follow();

  ByteSource source_;
  std::unique_ptr<MemberUnpacker> unpacker_;
  WarningSink warn_;
  std::uint64_t unpacking_bytes_;
  std::vector<std::byte> packed_;
  std::span<const std::byte> left_;  ///< of packed_: not yet unpacked
  bool is_first_ = true;             ///< no member has begun
  bool in_member_ = false;
  bool ended_ = false;
};

}  // namespace sortie
