// Takes any bytes as lines of VCF, BED or GFF, reads their places, and makes an index of those that come in order: what
// is written has the lengths that it tells of.
//
//   | kind of lines | form of the index | lines |
#include <cstring>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "record/places/place_index.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kBlockBytes = 0xff00;
constexpr std::uint64_t kMostBytes = 1 << 20;

/// Reads numbers of an index.
class IndexBytes {
 public:
  explicit IndexBytes(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <class Number>
  Number take() {
    fuzz::require(bytes_.size() - at_ >= sizeof(Number), "an index is not cut");
    Number number;
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  void skip(std::size_t bytes) {
    fuzz::require(bytes_.size() - at_ >= bytes, "an index is not cut");
    at_ += bytes;
  }
  bool is_empty() const { return at_ == bytes_.size(); }

 private:
  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

void check_chromosome(IndexBytes& index, bool is_tbi, std::uint64_t file_bytes) {
  for (auto bins = index.take<std::int32_t>(); bins > 1; --bins) {
    index.take<std::uint32_t>();
    if (!is_tbi) fuzz::require(index.take<std::uint64_t>() <= file_bytes, "offsets lie in the file");
    for (auto stretches = index.take<std::int32_t>(); stretches > 0; --stretches) {
      const auto begin = index.take<std::uint64_t>();
      const auto end = index.take<std::uint64_t>();
      fuzz::require(begin < end && end <= file_bytes, "a stretch holds something");
    }
  }
  index.skip(is_tbi ? 8 + 32 : 8 + 8 + 32);
  if (!is_tbi) return;
  std::uint64_t last = 0;
  for (auto windows = index.take<std::int32_t>(); windows > 0; --windows) {
    const auto offset = index.take<std::uint64_t>();
    fuzz::require(offset >= last && offset <= file_bytes, "offsets of windows ascend");
    last = offset;
  }
}

void check_written(const std::vector<std::byte>& bytes, bool is_tbi, std::uint64_t file_bytes) {
  IndexBytes index(bytes);
  index.skip(4);
  auto chromosomes = is_tbi ? index.take<std::int32_t>() : 0;
  if (!is_tbi) index.skip(12);
  index.skip(24);
  index.skip(static_cast<std::size_t>(index.take<std::int32_t>()));
  if (!is_tbi) chromosomes = index.take<std::int32_t>();
  for (; chromosomes > 0; --chromosomes) check_chromosome(index, is_tbi, file_bytes);
  index.skip(8);
  fuzz::require(index.is_empty(), "nothing is behind the last chromosome");
}

void check(fuzz::InputReader input) {
  const IndexOptions options{static_cast<GenomeFile>(input.byte() % 4), static_cast<IndexForm>(input.byte() % 2)};
  const bool is_tbi = options.form == IndexForm::kTbi;
  PlaceIndex index(options, kBlockBytes, kMostBytes);
  std::uint64_t offset = 0;
  std::string_view text = input.rest();
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::uint64_t begin = offset;
    offset += line.size() + 1;
    if (lacks_place(options.file, line)) continue;
    try {
      const Place place = place_of(options.file, line);
      fuzz::require(place.begin >= -1 && place.chromosome.size() <= line.size(), "a place is in the line");
      index.add(place, begin, offset);
    } catch (const Error&) {
      break;
    }
  }
  std::vector<std::byte> bytes;
  index.write([](std::uint64_t at) { return at; },
              [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
  check_written(bytes, is_tbi, offset);
}

}  // namespace
}  // namespace sortie

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check(sortie::fuzz::InputReader(data, size));
  return 0;
}
