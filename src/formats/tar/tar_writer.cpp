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

TarWriter::TarWriter(const JobContext& context, PlacedFiles& files, bool names_are_keys)
    : PlacedWriter(context, files, kForm), names_are_keys_(names_are_keys) {}

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
}

void TarWriter::write_record(std::span<const std::byte> record) {
  const PrefixedParts parts(record);
  const TarRecord sample(parts.payload);
  if (names_are_keys_ && sample.is_sample) note_key(parts.key);
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
void TarWriter::note_key(std::span<const std::byte> key) {
  if (summary_.records > 0 && std::ranges::equal(key, last_key_)) {
    if (repeated_keys_++ == 0) repeated_key_.assign(reinterpret_cast<const char*>(key.data()), key.size());
  }
  last_key_.assign(key.begin(), key.end());
}

void TarWriter::tell_repeated_keys() const {
  if (repeated_keys_ == 0) return;
  const std::string times = repeated_keys_ == 1 ? "once" : std::to_string(repeated_keys_) + " times";
  const std::string message = "samples of one key stand side by side, " + times + ", first of " +
                              quote_word(repeated_key_) + ": loaders take them for one; -u keeps one of each key";
  context_.assume({.kind = "repeated-key", .message = message, .count = repeated_keys_, .first_place = {}});
}

void TarWriter::finish() {
  end_stream();
  tell_repeated_keys();
  parts_.finish();
}

}  // namespace sortie::formats::tar
