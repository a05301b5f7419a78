#include "formats/alignments/alignment_files.hpp"

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/version.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/size.hpp"
#include "formats/alignments/bam_output.hpp"
#include "formats/alignments/stream_choice.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats::alignments {
namespace {

/// The reader has what the writer does not take: batches of blocks, twice as records.
constexpr std::uint64_t kShareOfBlocks = 4;
/// Sorted records that a thread looks through in one turn.
constexpr std::size_t kRangeBytes = 128 << 10;

std::vector<std::string> paths_of(const SortOptions& options) {
  return options.inputs.empty() ? std::vector<std::string>{"-"} : options.inputs;
}

AlignmentOrder order_of(const JobContext& context) {
  const bool is_shuffled = context.options.format.shuffle;
  const std::optional<std::string> by = context.setting("by");
  if (is_shuffled && by) throw Error("--by does not go with a shuffle: leave one of the two out");
  AlignmentOrder order =
      is_shuffled ? AlignmentOrder{OrderKind::kShuffled, ""} : parse_order(by.value_or("coordinate"));
  if (context.options.format.descending) throw Error("alignments have no descending order: leave -r out");
  if (context.setting("index") && order.kind != OrderKind::kCoordinate) {
    throw Error(std::string("--index needs the order by coordinate: leave it or ") +
                (is_shuffled ? "the shuffle" : "--by") + " out");
  }
  return order;
}

}  // namespace

AlignmentFiles::AlignmentFiles(const JobContext& context)
    : context_(context), paths_(paths_of(context.options)), order_(order_of(context)) {
  merge_headers_of(read_headers());
  tell_of_guesses(context_, paths_);
  make_header();
  stretches_ = stretches_of(context_.files, paths_, context_.share, true);
  if (context.output_is_known) {
    sink_ = open_sink(context_, merged_.header);
  } else if (const auto index = context.setting("index")) {
    refuse_long_references(merged_.header, parse_index_kind(*index));
  }
}

std::unique_ptr<AlignmentInput> AlignmentFiles::open_input(const std::string& path) const {
  return std::make_unique<AlignmentInput>(path, open_source(context_, path, context_.buffer_bytes / kShareOfBlocks));
}

// An input is closed again, so that any number of them takes the memory of one, unless it is a pipe.
std::vector<BamHeader> AlignmentFiles::read_headers() {
  std::vector<BamHeader> headers;
  opened_.resize(paths_.size());
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    opened_[i] = open_input(paths_[i]);
    headers.push_back(opened_[i]->read_header());
    const bool is_file = paths_[i] != "-" && context_.files.target_status(paths_[i]).kind == FileStatus::Kind::kRegular;
    if (is_file) opened_[i].reset();
  }
  return headers;
}

void AlignmentFiles::merge_headers_of(std::vector<BamHeader> headers) {
  const auto word = context_.setting("combine");
  const CombinedLines combined = word ? parse_combined(*word) : CombinedLines();
  if (headers.size() == 1 && !combined.groups_of_files) {
    merged_.header = std::move(headers.front());
    return;
  }
  merged_ = merge_headers(headers, combined, paths_);
  if (merged_.other_lengths == 0) return;
  context_.assume({.kind = "other-reference-length",
                   .message = std::to_string(merged_.other_lengths) +
                              " references differ in their lengths, the first: " + merged_.first_other_length +
                              "; the first header counts",
                   .count = merged_.other_lengths,
                   .first_place = {}});
}

void AlignmentFiles::make_header() {
  HeaderText& text = merged_.header.text;
  text.set_sort_order(order_.header_tags());
  if (!context_.setting("no-pg")) text.add_program("sortie", SORTIE_VERSION, context_.asked.command);
  keys_.emplace(order_, merged_.header);
}

std::string AlignmentFiles::description() const {
  return "alignments: " + std::to_string(paths_.size()) + (paths_.size() == 1 ? " file" : " files") + " with " +
         std::to_string(merged_.header.references.size()) + " references, " + order_.words() + "; buffers of " +
         format_size(context_.buffer_bytes) + " beside the sort of records\n";
}

// Files that are not packed in blocks are not divided.
void AlignmentFiles::begin_input(const InputStretch& stretch) {
  const std::string& path = paths_[stretch.input];
  input_ = std::move(opened_[stretch.input]);
  if (!input_) {
    input_ = open_input(path);
    input_->read_header();
  }
  if (stretch.is_whole()) return;
  if (can_be_divided(context_, path)) {
    input_->leave_all_but(context_.files, stretch, context_.buffer_bytes / kShareOfBlocks);
  } else if (stretch.begin != 0) {
    input_.reset();
  }
}

bool AlignmentFiles::read(RawBytes& records) {
  if (next_ == stretches_.size()) return false;
  const InputStretch& stretch = stretches_[next_];
  if (!input_) begin_input(stretch);
  if (!input_) {
    pass_stretch();
    return true;
  }
  const Translation* const translation = merged_.translations.empty() ? nullptr : &merged_.translations[stretch.input];
  if (!input_->next(*keys_, translation, records)) end_input();
  return true;
}

void AlignmentFiles::end_input() {
  records_read_ += input_->record_count();
  if (input_->lost_tags() > 0) {
    if (lost_tags_ == 0) first_with_lost_tags_ = paths_[stretches_[next_].input];
    lost_tags_ += input_->lost_tags();
    if (context_.options.strict) tell_of_lost_tags();
  }
  input_.reset();
  pass_stretch();
}

void AlignmentFiles::pass_stretch() {
  ++next_;
  if (next_ == stretches_.size() && lost_tags_ > 0) tell_of_lost_tags();
}

void AlignmentFiles::tell_of_lost_tags() const {
  context_.assume({.kind = "unknown-tag",
                   .message = std::to_string(lost_tags_) +
                              " tags RG or PG name nothing in the headers of their inputs, the " + "first in " +
                              quote_path(first_with_lost_tags_) + ", and are left out",
                   .count = lost_tags_,
                   .first_place = first_with_lost_tags_});
}

// The first walk over records that other threads have made waits for memory at each of them, so all threads walk.
void AlignmentFiles::write(std::span<const std::byte> records) {
  const auto ranges = find_prefixed_records(records, kRangeBytes);
  std::vector<std::size_t> places(ranges.size());  // in sorted_: first how many records are in each range
  parallel_for(0, ranges.size(), [&](std::size_t i) {
    for_each_prefixed_record(ranges[i], [&](const std::byte*, std::uint64_t) { ++places[i]; });
  });
  sorted_.resize(std::accumulate(places.begin(), places.end(), std::size_t{0}));
  std::exclusive_scan(places.begin(), places.end(), places.begin(), std::size_t{0});
  parallel_for(0, ranges.size(), [&](std::size_t i) {
    auto next = sorted_.begin() + static_cast<std::ptrdiff_t>(places[i]);
    for_each_prefixed_record(ranges[i], [&](const std::byte* record, std::uint64_t bytes) {
      *next++ = PrefixedParts({record, static_cast<std::size_t>(bytes)}).payload;
    });
  });
  sink_->write(sorted_);
  records_written_ += sorted_.size();
}

}  // namespace sortie::formats::alignments
