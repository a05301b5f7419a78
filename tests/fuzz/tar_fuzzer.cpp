// Walks over any bytes as a tar archive: what is not refused is samples one behind the other, which cover all bytes up
// to the end of the archive. A cut one is refused behind its last whole sample.
//
//   | whether checksums are mended | the archive |
#include <cstring>
#include <vector>

#include "formats/tar/tar_samples.hpp"
#include "fuzz/fuzz_target.hpp"

namespace sortie {
namespace {

using fuzz::require;

class FuzzedBytes final : public formats::tar::TarBytes {
 public:
  explicit FuzzedBytes(std::string_view bytes) : bytes_(bytes) {}

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override {
    const std::size_t bytes = std::min(target.size(), bytes_.size() - at_);
    if (bytes > 0) std::memcpy(target.data(), bytes_.data() + at_, bytes);
    at_ += bytes;
    return bytes;
  }
  std::uint64_t pass_over(std::uint64_t bytes) override {
    bytes = std::min<std::uint64_t>(bytes, bytes_.size() - at_);
    at_ += static_cast<std::size_t>(bytes);
    return bytes;
  }

 private:
  const std::string path_ = "fuzzed.tar";
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// libFuzzer rarely finds a checksum: each block that looks like a header gets the right one.
std::string with_checksums(std::string bytes) {
  for (std::size_t at = 0; at + formats::tar::kBlockBytes <= bytes.size(); at += formats::tar::kBlockBytes) {
    if (bytes.compare(at + 257, 5, "ustar") != 0) continue;
    std::memset(bytes.data() + at + 148, ' ', 8);
    unsigned sum = 0;
    for (std::size_t i = 0; i < formats::tar::kBlockBytes; ++i) sum += static_cast<unsigned char>(bytes[at + i]);
    for (std::size_t digit = 0; digit < 6; ++digit) {
      bytes[at + 148 + 5 - digit] = static_cast<char>('0' + (sum >> (3 * digit) & 7));
    }
    bytes[at + 154] = '\0';
  }
  return bytes;
}

void check(fuzz::InputReader input) {
  const bool mends = input.byte() % 2 != 0;
  const std::string archive = mends ? with_checksums(std::string(input.rest())) : std::string(input.rest());
  FuzzedBytes bytes(archive);
  formats::tar::TarWalk walk(bytes);
  formats::tar::TarSamples samples(walk);
  std::uint64_t end = 0;
  bool is_first = true;
  while (const auto sample = samples.next()) {
    if (is_first) end = walk.global_headers().size();
    is_first = false;
    require(sample->begin == end && sample->end > sample->begin, "samples are one behind the other");
    require(sample->end <= archive.size(), "a sample lies in the archive");
    for (const auto& file : sample->files) {
      require(file.begin >= sample->begin && file.begin + file.bytes <= sample->end, "a file lies in its sample");
    }
    end = sample->end;
  }
  require(is_first || end + 2 * formats::tar::kBlockBytes <= archive.size(), "the archive ends behind its samples");
  for (std::size_t i = static_cast<std::size_t>(is_first ? walk.global_headers().size() : end); i < archive.size();
       ++i) {
    require(archive[i] == '\0', "nothing but zeros is behind the last sample");
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sortie::fuzz::check_unless_refused(&sortie::check, {data, size});
}
