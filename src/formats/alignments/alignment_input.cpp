#include "formats/alignments/alignment_input.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/thread_team.hpp"
#include "formats/alignments/bam_stretch.hpp"
#include "formats/alignments/byte_appends.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats::alignments {
namespace {

/// No read has more, with all its tags: it is the sign of a damaged length.
constexpr std::uint64_t kMostRecordBytes = 1 << 30;

constexpr std::size_t kRangesOfThread = 4;

}  // namespace

BamHeader AlignmentInput::read_header() {
  BamHeader header;
  taken_ = read_bam_header(
      path_, contents_, [&] { return source_->read(contents_); }, header);
  reference_count_ = header.references.size();
  return header;
}

void AlignmentInput::leave_all_but(FileSystem& files, const InputStretch& stretch, std::uint64_t buffer_bytes) {
  source_ = open_bam_stretch(files, path_, stretch, {taken_, reference_count_}, buffer_bytes);
  is_stretch_ = true;
  contents_.clear();
  taken_ = 0;
}

bool AlignmentInput::next(const KeyMaker& keys, const Translation* translation, std::vector<std::byte>& records) {
  find_records();
  if (begins_.size() < 2) return false;
  const std::size_t count = begins_.size() - 1;
  const std::size_t ranges = std::min(count, kRangesOfThread * parallel_threads());
  made_.resize(std::max(made_.size(), ranges));
  parallel_for(0, ranges, [&](std::size_t i) {
    make_range(count * i / ranges, count * (i + 1) / ranges, keys, translation, made_[i]);
  });
  std::vector<std::size_t> places(ranges);
  std::size_t end = records.size();
  for (std::size_t i = 0; i < ranges; ++i) {
    places[i] = std::exchange(end, end + made_[i].records.size());
    lost_tags_ += made_[i].lost_tags;
  }
  records.resize(end);
  parallel_for(0, ranges, [&](std::size_t i) {
    std::ranges::copy(made_[i].records, records.begin() + static_cast<std::ptrdiff_t>(places[i]));
  });
  record_count_ += count;
  taken_ = begins_.back();
  return true;
}

// Fills begins_ with the whole records that are there; reads on until there is one.
void AlignmentInput::find_records() {
  contents_.erase(contents_.begin(), contents_.begin() + static_cast<std::ptrdiff_t>(taken_));
  contents_begin_ += taken_;
  taken_ = 0;
  source_->forget_before(contents_begin_);
  begins_.assign(1, 0);
  bool has_more = source_->read(contents_);
  while (true) {
    std::size_t at = begins_.back();
    while (contents_.size() - at >= AlignmentRecord::kLengthBytes) {
      const std::uint64_t bytes =
          AlignmentRecord::kLengthBytes + std::uint64_t{load_as<std::uint32_t>(contents_.data() + at)};
      if (bytes > kMostRecordBytes)
        refuse(at, "its length is " + std::to_string(bytes - AlignmentRecord::kLengthBytes));
      if (bytes > contents_.size() - at) break;
      at += static_cast<std::size_t>(bytes);
      begins_.push_back(at);
    }
    if (begins_.size() > 1) return;
    if (!has_more) break;
    has_more = source_->read(contents_);
  }
  if (contents_.empty()) return;
  if (is_stretch_) {
    refuse(0,
           "another record seems to begin within it, where the next share of the file was taken to begin; sort the "
           "file by one process, or by larger shares");
  }
  refuse(0, "the file ends within it");
}

AlignmentInput::Span AlignmentInput::record_at(std::size_t i) const {
  return Span(contents_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
}

void AlignmentInput::make_range(std::size_t begin, std::size_t end, const KeyMaker& keys,
                                const Translation* translation, Made& made) const {
  made.records.clear();
  made.lost_tags = 0;
  for (std::size_t i = begin; i < end; ++i) {
    try {
      make_record(record_at(i), keys, translation, made);
    } catch (const Error& error) {
      refuse(begins_[i], error.what());
    }
  }
}

void AlignmentInput::make_record(Span bytes, const KeyMaker& keys, const Translation* translation, Made& made) const {
  if (const std::string fault = fault_of(bytes, reference_count_); !fault.empty()) throw Error(fault);
  if (translation != nullptr) {
    // The key is that of the record as it will be.
    made.changed.clear();
    made.lost_tags += append_translated(AlignmentRecord(bytes), bytes, *translation, made.changed);
    bytes = made.changed;
  }
  const std::size_t header = made.records.size();
  const std::size_t key = header + PrefixedHeader::kBytes;
  made.records.resize(key);
  keys.append(AlignmentRecord(bytes), made.records);
  PrefixedHeader::of(made.records.size() - key, bytes.size()).store(made.records.data() + header);
  append_bytes(bytes, made.records);
}

void AlignmentInput::refuse(std::size_t offset, const std::string& fault) const {
  throw Error("input " + quote_path(path_) + ", record at " + source_->place_of(contents_begin_ + offset) + ": " +
              fault);
}

}  // namespace sortie::formats::alignments
