#include "pipeline/setup/job_inputs.hpp"

#include <algorithm>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/thread_team.hpp"
#include "entries/entry.hpp"
#include "pipeline/input/keyed_reader.hpp"
#include "pipeline/input/order_sample.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// Larger inputs are not mapped: to copy one might take longer than the 45 seconds after which the system takes a lease
/// away, once somebody has asked to write.
constexpr std::uint64_t kMostMappedBytes = std::uint64_t{16} << 30;
/// What is read ahead at a time: at most as much as engines take at a time, so that a piece is copied whole.
constexpr std::uint64_t kMostPieceBytes = 16 << 20;
/// Shares of the memory budget. What is read ahead uses the plan's reserve, which is for parts of runs: it exists
/// beside all of the formers' memory, and beside that of the first run.
constexpr std::uint64_t kPieceShare = 64;
constexpr std::uint64_t kAheadShare = 8;
constexpr std::uint64_t kUnpackedShare = 8;
/// Reading slows the start of the GPU down: an H200 took 0.28 s beside no thread that reads from memory, 0.35 s beside
/// 4 and 0.43 s beside 16 (64 cores), 0.25 s and 0.43 s beside none and 16 (16 cores).
constexpr unsigned kMostAheadThreads = 4;
/// Read of an input of unknown size before anything is planned: if that is all, much is spared, as looking for GPUs.
constexpr std::uint64_t kFirstLookBytes = 256 << 10;
/// Bytes read from a pipe before an engine is chosen: 30 ms of reading may save the quarter of a second that starting a
/// GPU in vain takes.
constexpr std::uint64_t kFirstReadBytes = 64 << 20;

/// Nothing if it does not matter which input a record is of.
std::optional<InputPositions> positions_by_input(const SortSpec& spec) {
  if (!spec.tells_inputs_apart()) return std::nullopt;
  return InputPositions(spec.compared_inputs());
}

/// With SortOptions::top_records, little is sorted. The records may be longer than estimated.
InputEstimate limited_to_top(InputEstimate estimate, const SortSpec& spec) {
  const SortOptions& options = spec.options;
  if (!spec.selects_top() || estimate.record_bytes == 0 || !estimate.bytes) return estimate;
  const std::uint64_t record_bytes = 2 * estimate.record_bytes;
  if (*estimate.bytes / record_bytes > options.top_records) estimate.bytes = options.top_records * record_bytes;
  return estimate;
}

/// Lines from positions all over the only input. Reads nothing on. Preconditions: inputs.size_of_only(), plain framing.
std::vector<std::byte> sample_of(const InputSequence& inputs, const Layout& layout) {
  const std::uint64_t input_bytes = *inputs.size_of_only();
  const auto delimiter = static_cast<std::byte>(layout.delimiter);
  std::vector<std::byte> read;
  return sample_all_over(input_bytes, [&](std::uint64_t offset, std::size_t bytes) {
    read.resize(bytes);
    read.resize(inputs.peek(offset, read));
    const bool is_end = offset + read.size() == input_bytes;
    if (is_end && !read.empty() && read.back() != delimiter) read.push_back(delimiter);
    return whole_lines_in(layout, read, offset == 0);
  });
}

/// Leaving out fewer bytes does not pay for the byte that says so.
constexpr std::size_t kLeastCommonBytes = 4;

/// The common beginning of the keys of all sampled lines, shorter than any of them.
std::string keys_in_common(const RecordCodec& codec, std::span<const std::byte> sample) {
  EncodedLines encoded;
  std::string common;
  bool is_first = true;
  for_each_record(layout_of(codec.input_format()), sample, [&](const std::byte* line, std::uint64_t stored) {
    encoded.clear();
    codec.encode({line, static_cast<std::size_t>(stored)}, 0, encoded);
    const std::string_view keys = as_text(codec.keys(encoded.bytes()));
    if (std::exchange(is_first, false)) common = keys;
    const auto differs = std::mismatch(common.begin(), common.end(), keys.begin(), keys.end()).first;
    common.resize(std::min(static_cast<std::size_t>(differs - common.begin()), keys.size() - 1));
  });
  if (common.size() < kLeastCommonBytes) common.clear();
  return common;
}

/// Memory needed beside runs: the lines, and the entries of lines with equal keys, which can be all lines, until those
/// have been put in order.
std::uint64_t bytes_beside_runs(const RecordCodec& codec, const InputEstimate& estimate) {
  if (!codec.line_bytes_decide() || estimate.record_bytes == 0) return estimate.held_bytes;
  return estimate.held_bytes + *estimate.bytes / estimate.record_bytes * sizeof(Entry);
}

}  // namespace

JobInputs::JobInputs(FileSystem& files, const SortOptions& options, Observer& observer, RecordForm form,
                     const std::optional<GivenHeader>& header)
    : opener_(files, options, header),
      spec_(resolve(options, opener_.find_header(options.inputs), form)),
      observer_(observer) {
  if (spec_.group_text && spec_.options.header_lines == 0 && !opener_.line_end().empty()) {
    spec_.group_text = std::make_shared<const GroupText>(spec_.group_text->with_line_end(opener_.line_end()));
  }
  if (!options.merge_only) open_all();
  sizes_.budget = memory_budget(spec_, looked_at_ ? looked_at_->size() : std::nullopt);
  if (looked_at_) looked_at_->unpack_ahead(sizes_.budget.memory_bytes / kUnpackedShare, spec_.threads);
}

void JobInputs::open_all() {
  looked_at_.emplace(opener_, spec_.options.inputs, spec_.input_format, Waiting::kUntilFull, observer_);
  if (spec_.tells_inputs_apart()) looked_at_->end_pieces();
}

void JobInputs::begin_at(const InputMark& mark) {
  if (!looked_at_) open_all();  // a plan of a merge
  reader_ = std::make_shared<RecordReader>(std::move(*looked_at_), spec_.input_format,
                                           hashes_input() && !spec_.codec->makes_keys(), observer_, mark);
  looked_at_.reset();
  count_resumed(mark);
}

void JobInputs::take_sizes() {
  const SortOptions& options = spec_.options;
  if (reader_) {
    sizes_.bytes = reader_->total_bytes();
    const bool lengths_vary = sizes_.bytes && (spec_.input_format.record_bytes == 0 || spec_.codec->makes_keys());
    const auto sample = lengths_vary ? reader_->sample(estimate_sample_bytes(*sizes_.bytes)) : std::vector<std::byte>();
    sizes_.sorted = limited_to_top(estimate_input(sizes_.bytes, sample, *spec_.codec), spec_);
    sizes_.sorted.held_bytes = reader_->inputs().ahead_bytes();
  } else {
    sizes_.sorted.record_bytes = options.format.record_bytes;
  }
  if (!sizes_.sorted.bytes || options.merge_only) sizes_.stored_bytes = file_bytes(options.inputs);
}

void JobInputs::read_if_little() {
  if (!reader_ || sizes_.bytes || must_tell_inputs_apart()) return;
  reader_->read_ahead(static_cast<std::size_t>(std::min(kFirstLookBytes, piece_bytes())));
  if (reader_->total_bytes()) take_sizes();
}

bool JobInputs::prepare(Reading reading, const MappingOptions& mapping) {
  least_merged_bytes_ = mapping.least_bytes;
  if (!mapping.keeps_runs && !mapping.output_waits)
    least_mapped_bytes_ = std::max<std::uint64_t>(mapping.least_bytes, 1);
  switch (reading) {
    case Reading::kFirstBytesFirst:
      read_ahead(kFirstReadBytes, [] { return true; });
      take_sizes();
      return true;
    case Reading::kInPlace:
      if (leave_lines_in_place()) return true;
      [[fallthrough]];
    case Reading::kCopied:
      look_for_order();
      break;
  }
  return false;
}

bool JobInputs::is_large_file() const {
  if (!reader_ || !least_mapped_bytes_) return false;
  return reader_->inputs().size_of_only().value_or(0) >= *least_mapped_bytes_;
}

bool JobInputs::may_be_mapped() const {
  return is_large_file() && *reader_->inputs().size_of_only() <= kMostMappedBytes;
}

// Encoded lines refer to the only input instead of holding a copy of their line each, if it is a file that lies in
// memory anyway, and there is room beside it for keys and references. Else everything stays as it is.
//
//   input, mapped   | line | line | line | ...
//   sorted          | key reference | key reference | key reference | ...
bool JobInputs::leave_lines_in_place() {
  if (!may_be_mapped() || !reader_->map_in_place()) return false;
  const std::span<const std::byte> lines = reader_->in_place();
  const std::vector<std::byte> sample = reader_->sample_in_place();
  RecordCodec referring = spec_.codec->referring_to(lines);
  referring = referring.referring_to(lines, keys_in_common(referring, sample));
  InputEstimate estimate = estimate_input(reader_->total_bytes(), sample, referring);
  estimate.held_bytes = lines.size();
  InputEstimate with_ties = estimate;
  with_ties.held_bytes = bytes_beside_runs(referring, estimate);
  if (sample.empty() || !fits_one_run(memory_plan_input(spec_, sizes_.budget, with_ties, true, 1))) {
    reader_->give_up_mapping();
    return false;
  }
  sample_ = encoded_sample(referring, sample);
  spec_.codec = std::make_shared<const RecordCodec>(std::move(referring));
  sizes_.sorted = estimate;
  are_nearly_in_order_ = seem_in_order(sample_.bytes());
  return true;
}

void JobInputs::look_for_order() {
  const Layout layout = layout_of(spec_.input_format);
  if (!spec_.codec->makes_keys() || layout.walked() || !is_large_file()) return;
  are_nearly_in_order_ = seem_in_order(encoded_sample(*spec_.codec, sample_of(reader_->inputs(), layout)).bytes());
}

bool JobInputs::seem_in_order(std::span<const std::byte> sample) const {
  // What passes without runs has the positions that it happens to have.
  if (spec_.reports_dropped()) return false;
  return is_nearly_in_order(spec_.codec->order(), sample, sample_positions(*sizes_.bytes));
}

bool JobInputs::seem_sorted() const {
  if (!reader_ || are_nearly_in_order_ || reader_->is_in_place() || spec_.input_format.kind == RecordKind::kPrefixed)
    return false;
  const InputSequence& inputs = reader_->inputs();
  if (inputs.size().value_or(0) < std::max<std::uint64_t>(least_merged_bytes_, 1)) return false;
  const SortedSample sample(*spec_.codec);
  for (std::size_t i = 0; i < spec_.options.inputs.size(); ++i) {
    if (!sample.is_in_order(*inputs.opened_anew(i))) return false;
  }
  return true;
}

void JobInputs::leave_to_merge() {
  spec_.options.merge_only = true;
  reader_.reset();
  sizes_.sorted = {};
  take_sizes();
}

// Whose turn it is says which input a record is of, as messages about lines that cannot be read do.
bool JobInputs::must_tell_inputs_apart() const { return spec_.names_lines() || spec_.tells_inputs_apart(); }

std::uint64_t JobInputs::piece_bytes() const {
  return std::min(kMostPieceBytes, sizes_.budget.memory_bytes / kPieceShare);
}

void JobInputs::read_ahead(std::uint64_t most_bytes, const std::function<bool()>& is_worth_it) {
  if (must_tell_inputs_apart()) return;
  const std::uint64_t piece = piece_bytes();
  most_bytes = std::min(most_bytes, sizes_.budget.memory_bytes / kAheadShare);
  const ThreadTeam* const team = ThreadTeam::current();
  ThreadTeam(std::min(spec_.threads, kMostAheadThreads), team != nullptr ? team->stop() : std::stop_token()).run([&] {
    while (reader_->ahead_memory_bytes() + piece <= most_bytes && is_worth_it() &&
           reader_->read_ahead(static_cast<std::size_t>(piece))) {
    }
  });
}

Batches JobInputs::batches() const {
  if (reader_->is_in_place() && are_nearly_in_order_) return Batches::kInOrder;
  return spec_.may_combine_lines() ? Batches::kCombined : Batches::kAsTheyCome;
}

bool JobInputs::hashes_input() const { return spec_.options.verify && !spec_.selects_top(); }

PieceSource& JobInputs::records(const EncodingBudget& budget) {
  KeyedReader::Positions positions{first_position_, positions_by_input(spec_), spec_.reports_dropped()};
  if (!positions.by_input) positions.first += sizes_.resumed_bytes;  // else marks of the inputs tell them
  source_ = sortable(reader_, *spec_.codec, budget, observer_, positions, hashes_input(), batches());
  return *source_;
}

KeyedReader* JobInputs::lines_in_order(const EncodingBudget& budget) {
  if (!are_nearly_in_order_ || spec_.options.top_records != 0) return nullptr;
  const auto lines = std::make_shared<KeyedReader>(reader_, *spec_.codec, budget, observer_, KeyedReader::Positions{},
                                                   hashes_input(), Batches::kInOrder);
  source_ = lines;
  return lines.get();
}

WholeInput* JobInputs::whole_input() {
  const SortOptions& options = spec_.options;
  if (spec_.codec->makes_keys() || options.top_records != 0 || !may_be_mapped()) return nullptr;
  whole_ = std::make_unique<WholeInput>(*reader_, spec_.input_format, options.verify, options.unique, observer_);
  return whole_.get();
}

RecordTotals JobInputs::finish_reading() {
  check();
  if (whole_) read_whole_ = whole_->totals();
  source_.reset();
  reader_->give_back();
  whole_.reset();
  return totals_read();
}

RecordTotals JobInputs::totals_read() const { return reader_->totals() + (whole_ ? whole_->totals() : read_whole_); }

std::span<const std::byte> JobInputs::shown_header() const {
  return spec_.group_text ? std::as_bytes(std::span(spec_.group_header)) : header();
}

void JobInputs::check() {
  if (whole_) whole_->check();
  if (reader_) reader_->check_in_place();
}

}  // namespace sortie
