// Unpacks gzip, member after member, as gzip itself does: bytes behind the last member are ignored, with a warning
// unless all are zero. Made by make_compressed_input() only.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"

struct z_stream_s;

namespace sortie {

class GzipInput final : public Input {
 public:
  /// `warn` may be empty.
  GzipInput(ByteSource source, WarningSink warn);
  ~GzipInput() override;

  const std::string& path() const override { return source_.path(); }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::size_t read(std::span<std::byte> target) override;

 private:
  std::size_t unpack(std::span<std::byte> target);
  bool fill();
  bool begins_member();
  bool only_zeros_follow();

  ByteSource source_;
  WarningSink warn_;
  std::unique_ptr<z_stream_s> stream_;
  std::vector<std::byte> packed_;
  bool in_member_ = true;  ///< inside a member or at its start
  bool ended_ = false;
};

}  // namespace sortie
