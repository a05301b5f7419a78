// Unpacks gzip and bzip2, member after member, as those programs do: bytes behind the last member are ignored, with a
// warning unless all are zero. Made by make_compressed_input() only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"
#include "io/input/member_unpacker.hpp"

namespace sortie {

class MemberInput final : public Input {
 public:
  /// `warn` may be empty.
  MemberInput(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker, WarningSink warn);

  const std::string& path() const override { return source_.path(); }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::size_t read(std::span<std::byte> target) override;

 private:
  std::size_t unpack(std::span<std::byte> target);
  bool fill();
  bool begins_member();
  bool only_zeros_follow();

  ByteSource source_;
  std::unique_ptr<MemberUnpacker> unpacker_;
  WarningSink warn_;
  std::vector<std::byte> packed_;
  std::span<const std::byte> left_;  ///< of packed_: not yet unpacked
  bool is_first_ = true;             ///< no member has begun
  bool in_member_ = false;
  bool ended_ = false;
};

}  // namespace sortie
