// Unpacks one frame of lz4 at a time, by liblz4. Made for MemberInput.
#include <new>
#include <string>

#include <lz4frame.h>

#include "base/bytes.hpp"
#include "io/files/lz4_result.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/member_input.hpp"

namespace sortie {
namespace {

class Lz4Unpacker final : public MemberUnpacker {
 public:
  explicit Lz4Unpacker(const std::string& path) : path_(path) {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION))) throw std::bad_alloc();
  }
  ~Lz4Unpacker() override { LZ4F_freeDecompressionContext(context_); }
  Lz4Unpacker(const Lz4Unpacker&) = delete;
  Lz4Unpacker& operator=(const Lz4Unpacker&) = delete;

  /// A frame, or one that is skipped. Fewer bytes than the magic has count as a frame that is cut short.
  bool begins_member(std::span<const std::byte> leading) const override {
    constexpr std::uint32_t kFrame = 0x184d2204;
    constexpr std::uint32_t kSkippable = 0x184d2a50;
    if (leading.empty()) return false;
    std::uint32_t magic = 0;
    for (std::size_t i = 0; i < leading.size(); ++i) magic |= std::to_integer<std::uint32_t>(leading[i]) << (8 * i);
    const std::uint32_t known = leading.size() < 4 ? (1U << (8 * leading.size())) - 1 : ~0U;
    return magic == (kFrame & known) || (magic & ~0xfU) == (kSkippable & known & ~0xfU);
  }

  /// Two blocks of 4 MiB, of which one is packed, and 64 KiB in front of each that it may refer to.
  std::uint64_t memory_bytes() const override { return 9 << 20; }

  void begin() override { LZ4F_resetDecompressionContext(context_); }

  // The end mark of a frame is taken only when all in front of it has been given.
  Step unpack(std::span<const std::byte> packed, std::span<std::byte> target) override {
    std::size_t taken = packed.size();
    std::size_t made = target.size();
    const std::size_t result = LZ4F_decompress(context_, target.data(), &made, packed.data(), &taken, nullptr);
    if (is_lz4_error(result)) throw_damaged(path_);
    return {taken, made, result == 0};
  }

 private:
  const std::string& path_;
  LZ4F_dctx* context_ = nullptr;
};

}  // namespace

std::unique_ptr<MemberUnpacker> make_lz4_unpacker(const std::string& path) {
  return std::make_unique<Lz4Unpacker>(path);
}

}  // namespace sortie
