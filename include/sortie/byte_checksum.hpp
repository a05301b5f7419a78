// The checksum of bytes that come piece by piece, such as those of a file as it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <sortie/report.hpp>

namespace sortie {

/// XXH3-128 of all bytes, in turn. How they are cut into pieces does not matter.
class ByteChecksum {
 public:
  ByteChecksum();
  ~ByteChecksum();
  ByteChecksum(ByteChecksum&&) noexcept;
  ByteChecksum& operator=(ByteChecksum&&) noexcept;

  void add(std::span<const std::byte> bytes);
  std::uint64_t bytes() const { return bytes_; }
  Checksum value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::uint64_t bytes_ = 0;
};

}  // namespace sortie
