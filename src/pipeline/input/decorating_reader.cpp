#include "pipeline/input/decorating_reader.hpp"

#include <algorithm>

#include "base/thread_team.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kAnyNumber = ~std::uint64_t{0};
/// Undecorated lines get 1/kLinesShare of the memory, decorated lines the rest.
constexpr std::uint64_t kLinesShare = 4;
constexpr std::size_t kLeastLinesBytes = 4 << 10;
/// Bytes of a batch for each thread. A whole batch stays in the shared cache until it is taken.
constexpr std::size_t kThreadBytes = 1 << 20;

}  // namespace

DecoratingReader::DecoratingReader(RecordReader& reader, const LineDecorator& decorator, const DecorationBudget& budget,
                                   Observer& observer, std::uint64_t first_place)
    : reader_(reader),
      layout_(layout_of(decorator.line_format())),
      budget_(budget),
      observer_(observer),
      rest_place_(first_place),
      batch_(decorator) {}

PieceSource::Piece DecoratingReader::read(std::span<std::byte> target, std::uint64_t max_records) {
  Piece piece;
  Status status = Status::kRecords;
  do {
    if (batch_.empty()) status = fill_batch(target.size());
    if (status != Status::kRecords) break;
    const auto span = observer_.span("make keys");  // fill_batch() has counted the bytes
    const DecoratedBatch::Size taken = batch_.take(target.subspan(piece.bytes), max_records - piece.records);
    piece.bytes += taken.bytes;
    piece.records += taken.records;
    piece.input_bytes += taken.line_bytes;
    if (rest_.empty() && may_wait()) break;
  } while (batch_.empty());
  if (piece.records > 0) {
    piece.status = Status::kRecords;
  } else {
    piece.status = batch_.empty() ? status : Status::kTooSmall;
    piece.bytes = piece.status == Status::kTooSmall ? target.size() : 0;
  }
  return piece;
}

// The batch's waiting lines lie directly in front of the lines that are not decorated yet.
RecordTotals DecoratingReader::kept_back() const {
  const std::size_t batch_bytes = static_cast<std::size_t>(batch_.waiting_line_bytes());
  return reader_.totals_of_records({rest_.data() - batch_bytes, batch_bytes + rest_.size()});
}

std::string DecoratingReader::position() const {
  return batch_.empty() && rest_.empty() ? reader_.position() : lines_position_;
}

PieceSource::Status DecoratingReader::fill_batch(std::size_t piece_bytes) {
  if (rest_.empty()) {
    const Status status = read_lines(piece_bytes);
    if (status != Status::kRecords) return status;
  }
  const std::size_t bytes = boundary_at_or_after(layout_, rest_, std::min(rest_.size(), batch_bytes()));
  const auto span = observer_.span("make keys", bytes);
  batch_.decorate(rest_.first(bytes), rest_place_);
  rest_ = rest_.subspan(bytes);
  rest_place_ += bytes;
  return Status::kRecords;
}

PieceSource::Status DecoratingReader::read_lines(std::size_t piece_bytes) {
  if (!reader_.mapped_lines().empty()) {
    if (reader_.at_end()) return Status::kEnd;
    lines_position_ = reader_.position();
    rest_ = reader_.next_mapped(batch_bytes());
    return Status::kRecords;
  }
  const std::size_t usual = std::max<std::size_t>(kLeastLinesBytes, budget_.memory_bytes / kLinesShare);
  const std::size_t most = std::max(usual, std::min<std::size_t>(piece_bytes, budget_.longest_line_bytes));
  if (lines_.size() != usual) lines_ = MemoryRegion(usual);
  lines_position_ = reader_.position();
  Piece piece = reader_.read(lines_.bytes(), kAnyNumber);
  while (piece.status == Status::kTooSmall && lines_.size() < most) {
    const std::size_t larger = std::min(std::max(2 * lines_.size(), piece.bytes + piece.bytes / 8), most);
    lines_ = MemoryRegion();
    lines_ = MemoryRegion(larger);
    piece = reader_.read(lines_.bytes(), kAnyNumber);
  }
  if (piece.status == Status::kRecords) rest_ = lines_.bytes().first(piece.bytes);
  return piece.status;
}

std::size_t DecoratingReader::batch_bytes() const {
  const std::size_t threads = parallel_threads();
  const std::uint64_t decorated_bytes = budget_.memory_bytes - budget_.memory_bytes / kLinesShare;
  const double lines_bytes = static_cast<double>(decorated_bytes) / batch_.expansion();
  return std::min(threads * kThreadBytes, static_cast<std::size_t>(lines_bytes) + 1);
}

std::unique_ptr<PieceSource> decorate_records(RecordReader& reader, const LineDecorator* decorator,
                                              const DecorationBudget& budget, Observer& observer,
                                              std::uint64_t first_place) {
  if (decorator == nullptr) return nullptr;
  return std::make_unique<DecoratingReader>(reader, *decorator, budget, observer, first_place);
}

}  // namespace sortie
