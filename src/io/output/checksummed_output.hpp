// An output that keeps the checksum of all bytes that it passes on, as they are in the file: packed, if they are
// packed. Used where somebody is to find out later whether the file is still the one that was written.
#pragma once

#include <memory>
#include <utility>

#include <sortie/byte_checksum.hpp>

#include "io/output/output.hpp"

namespace sortie {

class ChecksummedOutput final : public Output {
 public:
  /// `checksum` must outlive this.
  ChecksummedOutput(std::unique_ptr<Output> target, ByteChecksum& checksum)
      : target_(std::move(target)), checksum_(checksum) {}

  void write(std::span<const std::byte> bytes) override {
    checksum_.add(bytes);
    target_->write(bytes);
  }
  bool waits_for_reader() const override { return target_->waits_for_reader(); }
  void expect(std::uint64_t bytes) override { target_->expect(bytes); }
  void write_around_cache() override { target_->write_around_cache(); }
  void finish() override { target_->finish(); }

 private:
  std::unique_ptr<Output> target_;
  ByteChecksum& checksum_;
};

}  // namespace sortie
