#include "formats/alignments/alignment_input.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/thread_team.hpp"
#include "formats/alignments/bam_stretch.hpp"
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
  source_.reset();
  contents_ = {};
  source_ = open_bam_stretch(files, path_, stretch, {taken_, reference_count_}, buffer_bytes);
  is_stretch_ = true;
  taken_ = 0;
}

bool AlignmentInput::next(const KeyMaker& keys, const Translation* translation, RawBytes& records) {
  find_records();
  if (begins_.size() < 2) return false;
  const std::size_t count = begins_.size() - 1;
  const std::size_t ranges = std::min(count, kRangesOfThread * parallel_threads());
  made_.resize(std::max(made_.size(), ranges));
  parallel_for(0, ranges, [&](std::size_t i) {
    made_[i].begin = count * i / ranges;
    made_[i].end = count * (i + 1) / ranges;
    make_range(keys, translation, made_[i]);
  });
  std::vector<std::size_t> places(ranges);
  std::size_t end = records.size();
  for (std::size_t i = 0; i < ranges; ++i) {
    places[i] = std::exchange(end, end + bytes_of(made_[i]));
    lost_tags_ += made_[i].lost_tags;
  }
  records.resize(end);
  parallel_for(0, ranges, [&](std::size_t i) { write_range(made_[i], std::span(records).subspan(places[i])); });
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

void AlignmentInput::make_range(const KeyMaker& keys, const Translation* translation, Made& made) const {
  made.keys.clear();
  made.key_ends.clear();
  made.changed.clear();
  made.changed_ends.clear();
  made.lost_tags = 0;
  for (std::size_t i = made.begin; i < made.end; ++i) {
    try {
      make_key(record_at(i), keys, translation, made);
    } catch (const Error& error) {
      refuse(begins_[i], error.what());
    }
  }
}

void AlignmentInput::make_key(Span bytes, const KeyMaker& keys, const Translation* translation, Made& made) const {
  if (const std::string fault = fault_of(bytes, reference_count_); !fault.empty()) throw Error(fault);
  if (translation != nullptr) {
    // The key is that of the record as it will be.
    const std::size_t begin = made.changed.size();
    made.lost_tags += append_translated(AlignmentRecord(bytes), bytes, *translation, made.changed);
    made.changed_ends.push_back(made.changed.size());
    bytes = Span(made.changed).subspan(begin);
  }
  keys.append(AlignmentRecord(bytes), made.keys);
  made.key_ends.push_back(made.keys.size());
}

std::size_t AlignmentInput::bytes_of(const Made& made) const {
  const std::size_t payloads =
      made.changed_ends.empty() ? begins_[made.end] - begins_[made.begin] : made.changed.size();
  return made.count() * PrefixedHeader::kBytes + made.keys.size() + payloads;
}

// Records are copied once: to where they are sorted from.
void AlignmentInput::write_range(const Made& made, std::span<std::byte> target) const {
  std::size_t key_begin = 0;
  std::size_t changed_begin = 0;
  for (std::size_t i = 0; i < made.count(); ++i) {
    const std::size_t key_end = made.key_ends[i];
    const Span key = Span(made.keys).first(key_end).subspan(std::exchange(key_begin, key_end));
    Span bytes = record_at(made.begin + i);
    if (!made.changed_ends.empty()) {
      const std::size_t changed_end = made.changed_ends[i];
      bytes = Span(made.changed).first(changed_end).subspan(std::exchange(changed_begin, changed_end));
    }
    PrefixedHeader::of(key.size(), bytes.size()).store(target.data());
    std::byte* const of_key = target.data() + PrefixedHeader::kBytes;
    // Keys may all be empty, and then lie nowhere.
    if (!key.empty()) std::memcpy(of_key, key.data(), key.size());
    std::memcpy(of_key + key.size(), bytes.data(), bytes.size());
    target = target.subspan(PrefixedHeader::kBytes + key.size() + bytes.size());
  }
}

void AlignmentInput::refuse(std::size_t offset, const std::string& fault) const {
  throw Error("input " + quote_path(path_) + ", record at " + source_->place_of(contents_begin_ + offset) + ": " +
              fault);
}

}  // namespace sortie::formats::alignments
