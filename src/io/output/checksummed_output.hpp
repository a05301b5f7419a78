// An output that keeps the checksum of all bytes that it passes on, as they are in the file: packed, if they are
// packed. Used where somebody is to find out later whether the file is still the one that was written.
#pragma once

#include <memory>
#include <utility>

#include <sortie/byte_checksum.hpp>

#include "io/output/passing_output.hpp"

namespace sortie {

class ChecksummedOutput final : public PassingOutput {
 public:
  /// `checksum` must outlive this.
  ChecksummedOutput(std::unique_ptr<Output> target, ByteChecksum& checksum)
      : PassingOutput(std::move(target)), checksum_(checksum) {}

  void write(std::span<const std::byte> bytes) override {
    checksum_.add(bytes);
    target().write(bytes);
  }

 private:
  ByteChecksum& checksum_;
};

}  // namespace sortie
