#include "pipeline/input/keyed_reader.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/guess_counts.hpp"
#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/input/ordered_batch.hpp"
#include "record/record_scan.hpp"
#include "record/text/encoded_lines.hpp"

namespace sortie {
namespace {

/// Bytes of a batch for each thread. A whole batch stays in the shared cache until it is taken. Of a small input it is
/// a good part, and to touch that memory takes time: 4 MB take two threads 12 ms with 1 MiB, 10 with this. Many threads
/// wait longer for the last of them, and large caches are shared by many.
constexpr std::size_t kThreadBytes = 256 << 10;
constexpr std::size_t kThreadBytesOfMany = 4 << 20;
constexpr std::size_t kManyThreads = 8;
/// One thread waits for no other: its lines and their keys stay in its own cache, and little memory is touched.
constexpr std::size_t kBytesAlone = 64 << 10;
constexpr std::size_t kLeastPortionBytes = 4 << 10;
/// Groups are combined in tables that take many lines.
constexpr std::size_t kThreadBytesOfGroups = 2 << 20;

/// More than so many times the budget, and some more, is held for long lines alone.
constexpr std::uint64_t kUsualHeld = 2;
constexpr std::uint64_t kUsualHeldBytes = 1 << 20;

std::size_t most_batch_bytes(Batches batches) {
  const std::size_t threads = parallel_threads();
  if (batches == Batches::kCombined) return threads * kThreadBytesOfGroups;
  if (threads == 1) return kBytesAlone;
  return threads * (threads < kManyThreads ? kThreadBytes : kThreadBytesOfMany);
}

struct Assumed {
  std::uint64_t records = 0;
  GuessCounts guesses = {};
};

Assumed assumed_of(std::span<const std::byte> lines, const Layout& layout, const RecordCodec& codec) {
  Assumed assumed;
  EncodedLines encoded;
  for_each_record(layout, lines, [&](const std::byte* line, std::uint64_t stored) {
    codec.encode({line, static_cast<std::size_t>(stored)}, 0, encoded);
    encoded.cut_to(0);
    ++assumed.records;
  });
  assumed.guesses = encoded.guesses();
  return assumed;
}

std::unique_ptr<LineBatch> make_batch(const RecordCodec& codec, bool checksum, Batches batches) {
  if (batches == Batches::kInOrder) return std::make_unique<OrderedBatch>(codec, checksum);
  return std::make_unique<LineBatch>(codec, checksum, batches);
}

}  // namespace

KeyedReader::KeyedReader(std::shared_ptr<RecordReader> records, const RecordCodec& codec, const EncodingBudget& budget,
                         Observer& observer, const Positions& positions, bool checksum, Batches batches)
    : records_(std::move(records)),
      codec_(codec),
      layout_(layout_of(codec.input_format())),
      budget_(budget),
      observer_(observer),
      positions_(positions.by_input),
      counts_records_(positions.are_numbers),
      checksum_(checksum),
      batches_(batches),
      first_position_(positions.first),
      rest_position_(positions.first),
      batch_(make_batch(codec, checksum, batches)) {}

PieceSource::Piece KeyedReader::read(std::span<std::byte> target, std::uint64_t max_records) {
  Piece piece;
  Status status = Status::kRecords;
  do {
    if (batch_->empty()) status = fill_batch(target.size());
    if (status != Status::kRecords) break;
    const auto span = observer_.span("make keys");  // fill_batch() has counted the bytes
    const LineBatch::Size taken = batch_->take(target.subspan(piece.bytes), max_records - piece.records);
    piece.bytes += taken.bytes;
    piece.records += taken.records;
    piece.input_bytes += taken.line_bytes;
    if (rest_.empty() && may_wait()) break;
  } while (batch_->empty());
  if (piece.records > 0) {
    piece.status = Status::kRecords;
  } else {
    piece.status = batch_->empty() ? status : Status::kTooSmall;
    piece.bytes = piece.status == Status::kTooSmall ? target.size() : 0;
  }
  // A long line was here. It lies in memory often enough where it goes.
  if (held_bytes() > kUsualHeld * budget_.memory_bytes + kUsualHeldBytes) give_back();
  return piece;
}

// The batch's waiting lines lie directly in front of the lines that are not encoded yet, if lines come out as they
// lie. Where they are put in order nobody asks: a sort with a checkpoint copies its lines. Those that are not encoded
// have been counted if they were copied, but not hashed.
RecordTotals KeyedReader::kept_back() const {
  const std::size_t batch_bytes = static_cast<std::size_t>(batch_->waiting_line_bytes());
  const RecordTotals waiting = records_->totals_of_records({rest_.data() - batch_bytes, batch_bytes}, checksum_);
  return records_->is_in_place() ? waiting : waiting + records_->totals_of_records(rest_, false);
}

// Lines that wait in the batch were counted with it. They are encoded once more, without being kept, to find out what
// was assumed of them.
Assumptions::Counted KeyedReader::assumed() const {
  if (!codec_.may_guess()) return {};
  Assumptions::Counted counted = observer_.assumptions().counted();
  const std::size_t bytes = static_cast<std::size_t>(batch_->waiting_line_bytes());
  const auto ranges = split_records(layout_, {rest_.data() - bytes, bytes}, bytes / kThreadBytes + 1);
  std::vector<Assumed> waiting(ranges.size());
  parallel_for(0, ranges.size(), [&](std::size_t i) { waiting[i] = assumed_of(ranges[i], layout_, codec_); });
  for (const Assumed& assumed : waiting) {
    counted.records -= assumed.records;
    for (const GuessCounts::Count& count : assumed.guesses.counts()) {
      for (Assumptions::Guess& guess : counted.guesses) {
        const bool is_same = guess.kind == count.kind && guess.subject == codec_.guess_subject(count.subject);
        if (is_same) guess.count -= count.count;
      }
    }
  }
  std::erase_if(counted.guesses, [](const Assumptions::Guess& guess) { return guess.count == 0; });
  return counted;
}

std::string KeyedReader::position() const {
  return batch_->empty() && rest_.empty() ? records_->position() : lines_position_;
}

void KeyedReader::give_back() {
  if (!batch_->empty()) return;
  batch_->give_back();
  if (rest_.empty()) records_->give_back();
}

PieceSource::Status KeyedReader::fill_batch(std::size_t piece_bytes) {
  if (rest_.empty()) {
    lines_position_ = records_->position();
    const RecordReader::Portion next = records_->next(portion_size(piece_bytes));
    if (next.status != Status::kRecords) return next.status;
    rest_ = next.bytes;
    if (next.position) {
      rest_position_ = *next.position;
    } else if (positions_) {
      const InputMark begin = records_->begin_of_last_piece();
      if (std::exchange(last_input_, begin.input) != begin.input) records_of_input_ = 0;
      rest_position_ =
          first_position_ + positions_->first_of(begin.input) + (counts_records_ ? records_of_input_ : begin.offset);
    }
  }
  const std::size_t bytes = boundary_at_or_after(layout_, rest_, std::min(rest_.size(), batch_bytes()));
  const auto span = observer_.span("make keys", bytes);
  const RecordTotals totals =
      batch_->encode(rest_.first(bytes), rest_position_, bytes == rest_.size() && records_->at_end(), counts_records_);
  records_->count_keyed(totals);
  report_findings(totals.records);
  rest_ = rest_.subspan(bytes);
  rest_position_ += counts_records_ ? totals.records : bytes;
  records_of_input_ += totals.records;
  return Status::kRecords;
}

// Throws if a line cannot be read. Adds what was assumed of others to what the job assumes.
void KeyedReader::report_findings(std::uint64_t records) {
  if (const auto& unreadable = batch_->unreadable(); unreadable.line != nullptr) {
    throw RefusedLine(records_->position_of(unreadable.line), unreadable.reason, unreadable.remedy);
  }
  if (!codec_.may_guess()) return;
  Assumptions& assumptions = observer_.assumptions();
  assumptions.count_records(records);
  for (const GuessCounts::Count& count : batch_->guesses().counts()) {
    assumptions.add(
        {.kind = count.kind, .subject = codec_.guess_subject(count.subject), .count = count.count, .text = count.text},
        [&] {
          const LinePosition position = records_->position_of(count.line);
          return Assumptions::Position{position.path, position.number, position.word};
        });
  }
}

std::size_t KeyedReader::batch_bytes() const {
  const std::uint64_t encoded_bytes = budget_.memory_bytes - budget_.read_bytes();
  const double lines_bytes = static_cast<double>(encoded_bytes) / batch_->expansion();
  return std::min(most_batch_bytes(batches_), static_cast<std::size_t>(lines_bytes) + 1);
}

RecordReader::PortionSize KeyedReader::portion_size(std::size_t piece_bytes) const {
  const std::size_t usual = std::max<std::size_t>(kLeastPortionBytes, budget_.read_bytes());
  const std::size_t most = std::max(usual, std::min<std::size_t>(piece_bytes, budget_.longest_line_bytes));
  return {records_->is_in_place() ? batch_bytes() : std::clamp(batch_bytes(), kLeastPortionBytes, usual), usual, most};
}

std::shared_ptr<MergeSource> sortable(std::shared_ptr<RecordReader> records, const RecordCodec& codec,
                                      const EncodingBudget& budget, Observer& observer,
                                      const KeyedReader::Positions& positions, bool checksum, Batches batches) {
  if (!codec.makes_keys()) return records;
  return std::make_shared<KeyedReader>(std::move(records), codec, budget, observer, positions, checksum, batches);
}

}  // namespace sortie
