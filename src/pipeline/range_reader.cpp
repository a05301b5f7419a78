#include "pipeline/range_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kRangePieceBytes = 4 << 20;

/// Reads the bytes of a stretch in turn.
class StretchReader {
 public:
  StretchReader(FileSystem& files, const RangeStretch& stretch)
      : file_(files.open_input(stretch.path)), offset_(stretch.begin), left_(stretch.bytes) {}

  bool at_end() const { return left_ == 0; }
  Checksum checksum() const { return checksum_.value(); }

  /// Fills `target`, or as much of it as there is.
  std::size_t read(std::span<std::byte> target) {
    target = target.first(static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), left_)));
    if (file_->read_at(offset_, target) != target.size()) {
      throw Error("range " + quote_path(file_->path()) + " is shorter than the plan says: merge it again");
    }
    checksum_.add(target);
    offset_ += target.size();
    left_ -= target.size();
    return target.size();
  }

 private:
  std::unique_ptr<File> file_;
  std::uint64_t offset_;
  std::uint64_t left_;
  ByteChecksum checksum_;
};

}  // namespace

Checksum read_range(FileSystem& files, const RangeStretch& stretch, const Layout& layout,
                    FunctionRef<void(std::span<const std::byte> records)> take) {
  StretchReader reader(files, stretch);
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(kRangePieceBytes, stretch.bytes)));
  std::size_t kept = 0;  // bytes of a record that goes on
  while (!reader.at_end()) {
    if (kept == piece.size()) piece.resize(2 * kept);
    const std::size_t filled = kept + reader.read(std::span(piece).subspan(kept));
    const auto bytes = std::span<const std::byte>(piece).first(filled);
    const std::size_t whole = whole_records(layout, bytes);
    if (whole > 0) take(bytes.first(whole));
    kept = filled - whole;
    std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(whole), kept, piece.begin());
  }
  if (kept > 0) throw Error("range " + quote_path(stretch.path) + " ends within a record: merge it again");
  return reader.checksum();
}

}  // namespace sortie
