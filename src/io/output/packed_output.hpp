// Outputs that pack their bytes on the way to another output. Each kind is made by its function below; called by
// compress_output() only, which knows what a format's name and level stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "io/output/passing_output.hpp"

namespace sortie {

/// Has an end of its own, and no known length.
class PackedOutput : public PassingOutput {
 public:
  /// Nobody knows how long it will be when it is packed.
  void expect(std::uint64_t) override {}
  void finish() override = 0;

 protected:
  using PassingOutput::PassingOutput;
};

/// The levels are those of deflate.
std::unique_ptr<Output> make_gzip_output(std::unique_ptr<Output> target, int level);
/// Each block but the last has kBgzfContentsBytes of contents, and is one write() to `target`; so is the mark at the
/// end.
std::unique_ptr<Output> make_bgzf_output(std::unique_ptr<Output> target, int level);

/// Contents of a block, as many as bgzip takes: even if they cannot be packed, the block has less than 64 KiB.
inline constexpr std::size_t kBgzfContentsBytes = 0xff00;

/// `level`: as the program lz4 takes it; from 3 on it packs harder and takes longer.
std::unique_ptr<Output> make_lz4_output(std::unique_ptr<Output> target, int level);

/// At its usual level. `packers`, here and below: threads that pack, at least one. The bytes are the same for any
/// number of them.
std::unique_ptr<Output> make_zstd_output(std::unique_ptr<Output> target, std::size_t packers);
inline constexpr int kUsualZstdLevel = 3;

/// The same at any level, by the library's encoder and its threads, which takes more time at the usual one. A library
/// that was built without threads packs with one.
std::unique_ptr<Output> make_zstd_stream_output(std::unique_ptr<Output> target, int level, std::size_t packers);

std::unique_ptr<Output> make_xz_output(std::unique_ptr<Output> target, int level, std::size_t packers);

/// `level`: of bzip2, the size of its blocks.
std::unique_ptr<Output> make_bzip2_output(std::unique_ptr<Output> target, int level, std::size_t packers);

/// Memory that each thread that packs takes, with its bytes, at most.
inline constexpr std::uint64_t kZstdPackerBytes = 9 << 19;
inline constexpr std::uint64_t kZstdStreamPackerBytes = 12 << 20;
inline constexpr std::uint64_t kXzPackerBytes = 16 << 20;
inline constexpr std::uint64_t kBzip2PackerBytes = 15 << 20;

}  // namespace sortie
