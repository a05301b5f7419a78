// Packs any contents into several members with our outputs and unpacks them with our inputs, whole and cut short.
//
//   | format | bytes of the first members (1 byte each, 0: none) | where to cut (2 bytes) | contents |
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "fuzz/fuzz_target.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/input.hpp"
#include "io/input/open_input.hpp"
#include "io/output/compressed_output.hpp"
#include "support/memory_file_system.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

constexpr std::array kFormats = {CompressionFormat::kGzip, CompressionFormat::kZstd, CompressionFormat::kBzip2,
                                 CompressionFormat::kXz,   CompressionFormat::kLz4,  CompressionFormat::kBgzf};
constexpr int kMostMembers = 3;  // besides the last
constexpr std::size_t kMostBytes = 1 << 16;

class StringOutput final : public Output {
 public:
  explicit StringOutput(std::string& target) : target_(target) {}

  void write(std::span<const std::byte> bytes) override { target_ += as_text(bytes); }
  void expect(std::uint64_t bytes) override { static_cast<void>(bytes); }
  void write_around_cache() override {}
  void finish() override {}

 private:
  std::string& target_;
};

std::string pack(std::string_view contents, CompressionFormat format) {
  std::string packed;
  const auto output = compress_output(std::make_unique<StringOutput>(packed), format);
  output->write(test::as_bytes(contents));
  output->finish();
  return packed;
}

struct Unpacked {
  std::string contents;
  bool has_warned = false;
};

Unpacked unpack(const std::string& packed) {
  test::MemoryFileSystem files;
  files.contents("input") = packed;
  Unpacked unpacked{.contents = std::string(kMostBytes + 1, '\0')};
  const auto input = open_input(files, "input", Unpacking::kByMagic, kMaxWindowBytes,
                                [&](const std::string&) { unpacked.has_warned = true; });
  unpacked.contents.resize(input->read(test::as_writable(unpacked.contents)));
  return unpacked;
}

void check(fuzz::InputReader input) {
  const CompressionFormat format = kFormats[input.byte() % kFormats.size()];
  std::vector<std::size_t> sizes;
  for (int i = 0; i < kMostMembers; ++i) sizes.push_back(input.byte());
  const std::size_t cut = input.number();
  const std::string expected(input.rest());
  if (expected.size() > kMostBytes) return;
  std::string packed;
  std::vector<std::size_t> member_ends;
  const auto add_member = [&](std::string_view member) {
    packed += pack(member, format);
    member_ends.push_back(packed.size());
  };
  for (const std::size_t size : sizes) {
    if (size != 0) add_member(input.take(size));
  }
  add_member(input.rest());
  fuzz::require(unpack(packed).contents == expected, "what is packed in members is unpacked from all of them");
  const std::size_t kept = kMagicBytes + cut % packed.size();
  if (kept >= packed.size()) return;
  const bool at_member = std::ranges::count(member_ends, kept) != 0;
  try {
    const Unpacked begin = unpack(packed.substr(0, kept));
    // BGZF that is cut between two of its blocks is complete gzip: only the empty block at its end is missing.
    const bool is_told = format == CompressionFormat::kBgzf && begin.has_warned;
    fuzz::require(at_member || is_told, "what is cut short is refused");
    fuzz::require(expected.starts_with(begin.contents), "what is not cut is unpacked");
  } catch (const Error&) {
    fuzz::require(!at_member, "whole members are not refused");
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({data, size});
  return 0;
}
