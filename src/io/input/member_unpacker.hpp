// The formats whose files are members, one behind the other: gzip and bzip2. An unpacker unpacks one member at a time.
// Used by MemberInput.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace sortie {

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

  /// Called before each member.
  virtual void begin() = 0;

  /// Unpacks the next bytes of a member. Takes or makes at least one unless `packed` or `target` is empty. Throws Error
  /// for damaged data.
  virtual Step unpack(std::span<const std::byte> packed, std::span<std::byte> target) = 0;
};

/// Both name `path` in their errors.
std::unique_ptr<MemberUnpacker> make_gzip_unpacker(const std::string& path);
std::unique_ptr<MemberUnpacker> make_bzip2_unpacker(const std::string& path);

}  // namespace sortie
