// Packs an output as one frame of zstd at any level, by the library's encoder and its threads. At the usual level,
// ZstdOutput takes less time. Made by compress_output() only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/output/output.hpp"
#include "io/output/zstd_context.hpp"

namespace sortie {

class ZstdStreamOutput final : public Output {
 public:
  /// Memory that each thread that packs takes, with its bytes, at most.
  static constexpr std::uint64_t kPackerBytes = 12 << 20;

  /// `packers`: threads that pack, at least one. The bytes are the same for any number of them.
  ZstdStreamOutput(std::unique_ptr<Output> target, int level, std::size_t packers);

  bool waits_for_reader() const override { return target_->waits_for_reader(); }
  void write(std::span<const std::byte> bytes) override;
  /// Nobody knows how long it will be when it is packed.
  void expect(std::uint64_t) override {}
  void write_around_cache() override { target_->write_around_cache(); }
  void finish() override;

 private:
  /// Returns how much is left to be done.
  std::size_t pack(ZSTD_inBuffer& bytes, ZSTD_EndDirective directive);

  std::unique_ptr<Output> target_;
  ZstdContext context_;
  std::vector<std::byte> packed_;
};

}  // namespace sortie
