#include "formats/file_begin.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <sortie/error.hpp>

#include "formats/file_format.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/open_input.hpp"
#include "io/input/packed_input.hpp"

namespace sortie::formats {
namespace {

/// The first block of BGZF is in it.
constexpr std::size_t kPackedBytes = 66 << 10;

/// Also of a file that is cut or damaged behind its begin: its reader says where.
std::vector<std::byte> unpacked_begin(std::span<const std::byte> packed, const std::string& path) {
  std::vector<std::byte> begin(kBeginBytes);
  const std::unique_ptr<MemberUnpacker> unpacker = make_gzip_unpacker(path);
  unpacker->begin();
  std::size_t made = 0;
  while (made < begin.size() && !packed.empty()) {
    const auto step = unpacker->unpack(packed, std::span(begin).subspan(made));
    packed = packed.subspan(step.taken);
    made += step.made;
    if (step.at_end || step.taken + step.made == 0) break;
  }
  begin.resize(made);
  return begin;
}

}  // namespace

std::vector<std::byte> read_begin(FileSystem& files, const std::string& path) {
  if (path == "-") return {};
  try {
    if (files.status(path).kind != FileStatus::Kind::kRegular) return {};
    std::unique_ptr<File> file = files.open_input(path);
    const auto read_first = [&](std::size_t bytes) {
      std::vector<std::byte> first(bytes);
      first.resize(file->read_at(0, first));
      return first;
    };
    std::vector<std::byte> begin = read_first(kBeginBytes);
    switch (recognise_magic(begin)) {
      case CompressionFormat::kNone:
        return begin;
      case CompressionFormat::kGzip:
      case CompressionFormat::kBgzf:
        return unpacked_begin(read_first(kPackedBytes), path);
      default:
        begin.resize(kBeginBytes);
        begin.resize(open_input(std::move(file), Unpacking::kArchive, kMaxWindowBytes)->read(begin));
        return begin;
    }
  } catch (const Error&) {
    return {};
  }
}

}  // namespace sortie::formats
