#include "pipeline/parts/waiting_records.hpp"
#include "record/record_scan.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {
namespace {

/// Memory for them; more at once goes straight to the file.
constexpr std::size_t kMostInMemory = 1 << 20;
/// What is read at a time.
constexpr std::size_t kPieceBytes = 4 << 20;

}  // namespace

WaitingRecords::WaitingRecords(ScratchSpace& scratch, const Layout& layout, bool are_listed)
    : scratch_(scratch), are_listed_(are_listed), layout_(layout) {
  if (are_listed_) layout_ = {.framing = Framing::kPrefixed};
}

void WaitingRecords::append(const PartRecords& records) {
  record_bytes_ += records.size();
  if (!are_listed_) return store(records.bytes());
  framed_.clear();
  append_framed(records, framed_);
  store(framed_);
}

void WaitingRecords::store(std::span<const std::byte> bytes) {
  if (memory_.size() + bytes.size() > kMostInMemory) {
    spill();
    if (bytes.size() > kMostInMemory) {
      file_->write_at(file_bytes_, bytes);
      file_bytes_ += bytes.size();
      return;
    }
  }
  memory_.insert(memory_.end(), bytes.begin(), bytes.end());
}

void WaitingRecords::spill() {
  if (!file_) file_ = scratch_.create();
  file_->write_at(file_bytes_, memory_);
  file_bytes_ += memory_.size();
  memory_.clear();
}

void WaitingRecords::release(const std::function<void(const PartRecords&)>& visit) {
  record_bytes_ = 0;
  if (file_) return read_again(visit);
  const std::vector<std::byte> all = std::exchange(memory_, {});
  if (!all.empty()) visit_stored(all, visit);
}

void WaitingRecords::visit_stored(std::span<const std::byte> bytes,
                                  const std::function<void(const PartRecords&)>& visit) {
  visit(are_listed_ ? frames_.unframe(bytes) : PartRecords(layout_, bytes));
}

// A piece that holds no whole record grows.
void WaitingRecords::read_again(const std::function<void(const PartRecords&)>& visit) {
  spill();
  std::vector<std::byte> piece;
  std::size_t held = 0;  // the beginning of a record, from the piece before
  std::size_t wanted = kPieceBytes;
  for (std::uint64_t at = 0; at < file_bytes_;) {
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, file_bytes_ - at));
    piece.resize(held + more);
    if (file_->read_at(at, std::span(piece).subspan(held)) != more) throw Error("a scratch file has lost its end");
    at += more;
    const std::size_t whole = at == file_bytes_ ? piece.size() : whole_records(layout_, piece);
    if (whole > 0) visit_stored(std::span(piece).first(whole), visit);
    held = piece.size() - whole;
    std::copy(piece.begin() + static_cast<std::ptrdiff_t>(whole), piece.end(), piece.begin());
    wanted = whole > 0 ? kPieceBytes : piece.size();
  }
  file_.reset();
  file_bytes_ = 0;
}

}  // namespace sortie
