#include "formats/tar/tar_writer.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/size.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats::tar {
namespace {

/// Archives are made in records of 20 blocks, which zeros fill.
constexpr std::uint64_t kTapeRecordBytes = 20 * kBlockBytes;
constexpr std::uint64_t kEndBytes = 2 * kBlockBytes;
constexpr PartFiles::Form kForm{.suffix = ".tar", .may_be_packed = true, .second_suffix = {}, .lists_samples = true};

}  // namespace

TarWriter::TarWriter(const JobContext& context, PlacedFiles& files, SampleOrder order)
    : PlacedWriter(context, files, kForm), order_(order) {}

void TarWriter::begin(std::span<const std::byte> global_headers, std::optional<std::uint64_t> total_bytes) {
  global_headers_.assign(global_headers.begin(), global_headers.end());
  begin_stream(global_headers.size() + kEndBytes, total_bytes);
}

std::uint64_t TarWriter::bytes_of(std::span<const std::byte> record) const {
  return TarRecord(PrefixedParts(record).payload).bytes();
}

void TarWriter::begin_file(std::uint64_t number) {
  copier_.begin_output([&parts = parts_, number]() -> Output& { return parts.begin(number); });
  copier_.append(global_headers_);
  archive_bytes_ = global_headers_.size();
  summary_ = {};
  number_ = number;
}

void TarWriter::write_record(std::span<const std::byte> record) {
  const PrefixedParts parts(record);
  const TarRecord sample(parts.payload);
  if (sample.is_sample) note_key(sample, parts.key);
  if (sample.place) {
    copier_.append(*sample.place);
  } else {
    copier_.append(sample.carried);
  }
  archive_bytes_ += sample.bytes();
  summary_.records += sample.is_sample ? 1 : 0;
  summary_.bytes += sample.bytes();
}

void TarWriter::end_file() {
  const std::uint64_t end = round_up(archive_bytes_ + kEndBytes, kTapeRecordBytes);
  copier_.append(std::vector<std::byte>(static_cast<std::size_t>(end - archive_bytes_)));
  copier_.end_output([&parts = parts_, summary = summary_] { parts.end(summary); });
}

// Samples of one key are told apart in their own archives, and no longer when one follows the other.
void TarWriter::note_key(const TarRecord& sample, std::span<const std::byte> key) {
  const auto told = sample.key_hash ? std::as_bytes(std::span(&*sample.key_hash, 1)) : key;
  if (summary_.records > 0 && std::ranges::equal(told, last_key_) && repeated_keys_++ == 0) {
    const std::string_view text(reinterpret_cast<const char*>(key.data()), key.size());
    const std::string number = std::to_string(summary_.records + 1);
    first_repeated_ = order_ == SampleOrder::kKey
                          ? "first of " + quote_word(std::string(text))
                          : "first at sample " + number + " of " + quote_path(parts_.path_of(number_));
  }
  last_key_.assign(told.begin(), told.end());
}

void TarWriter::tell_repeated_keys() const {
  if (repeated_keys_ == 0) return;
  const std::string times = repeated_keys_ == 1 ? "once" : std::to_string(repeated_keys_) + " times";
  const std::string remedy = order_ == SampleOrder::kKey ? "-u keeps one of each key"
                             : order_ == SampleOrder::kRandom
                                 ? "give each a key of its own, or the shuffle another seed"
                                 : "give each a key of its own";
  const std::string message = "samples of one key stand side by side, " + times + ", " + first_repeated_ +
                              ": loaders take them for one; " + remedy;
  context_.assume({.kind = "repeated-key", .message = message, .count = repeated_keys_, .first_place = {}});
}

void TarWriter::finish() {
  end_stream();
  tell_repeated_keys();
  parts_.finish();
}

}  // namespace sortie::formats::tar
