#include "formats/tar/tar_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <sortie/byte_checksum.hpp>
#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/checksum.hpp"
#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/open_input.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats::tar {
namespace {

/// Enough for threads to share, and few for memory: a place with its key takes some hundred bytes.
constexpr std::size_t kMostInBatch = 4096;
constexpr std::uint64_t kShareOfBatch = 8;
constexpr std::uint64_t kHashedBytes = 256 << 10;
/// The stretch in which headers are looked for takes this share of the buffers.
constexpr std::uint64_t kShareOfHeaders = 8;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

template <class Number>
void add_number(ByteChecksum& sum, Number number) {
  sum.add(std::as_bytes(std::span(&number, 1)));
}

}  // namespace

TarRecord::TarRecord(std::span<const std::byte> payload) {
  const std::byte flags = payload[0];
  std::span<const std::byte> rest = payload.subspan(1);
  is_sample = (flags & kIsSample) != std::byte{};
  if ((flags & kHasKeyHash) != std::byte{}) {
    key_hash = load_as<std::uint64_t>(rest.data());
    rest = rest.subspan(sizeof(std::uint64_t));
  }
  if ((flags & kIsCarried) != std::byte{}) {
    carried = rest;
  } else {
    place = Place::load(rest);
  }
}

struct TarReader::OpenArchive {
  OpenArchive(std::unique_ptr<TarBytes> source, CarriedTar* kept, std::uint32_t number, SampleOrder order)
      : bytes(std::move(source)),
        carried(kept),
        input(number),
        walk(*bytes),
        samples(walk, order == SampleOrder::kContent) {}

  std::unique_ptr<TarBytes> bytes;
  CarriedTar* carried;  // the same; null for a plain file
  std::uint32_t input;
  TarWalk walk;
  TarSamples samples;
};

struct TarReader::ReadSample {
  TarSample sample;
  std::uint64_t number = 0;  // among those of all inputs
  std::uint32_t input = 0;
  bool is_carried = false;
  std::vector<std::byte> carried = {};

  std::uint64_t bytes() const { return sample.end - sample.begin; }
};

TarReader::TarReader(const JobContext& context, PlacedFiles& files, SampleOrder order)
    : context_(context), files_(files), order_(order), shuffle_keys_(context.options.format.text.random_seed) {
  if (context.options.inputs.empty()) add_archive("-");
  for (const std::string& path : context.options.inputs) add_archive(path);
  const std::vector<std::string> standard_input = {"-"};
  stretches_ = stretches_of(context.files, context.options.inputs.empty() ? standard_input : context.options.inputs,
                            context.share, true);
  // What is read from front to back is not divided.
  for (InputStretch& stretch : stretches_) {
    if (archives_[stretch.input].placed) continue;
    stretch.end = stretch.begin == 0 ? std::numeric_limits<std::uint64_t>::max() : 0;
  }
}

TarReader::~TarReader() = default;

// A pipe is not looked at, and stays open: its turn comes when its bytes are read.
void TarReader::add_archive(const std::string& path) {
  std::unique_ptr<File> file = context_.files.open_input(path);
  Archive archive{.path = path, .placed = {}, .stream = {}};
  bool is_plain = file->seekable() && file->size() > 0;
  if (is_plain && context_.options.unpack) {
    std::array<std::byte, kMagicBytes> begin;
    is_plain = recognise_magic(std::span(begin).first(file->read_at(0, begin))) == CompressionFormat::kNone;
  }
  if (is_plain) {
    archive.placed = files_.add(std::move(file));
  } else if (!file->seekable()) {
    archive.stream = std::move(file);
  }
  archives_.push_back(std::move(archive));
}

void TarReader::open_archive(Archive& archive) {
  if (archive.placed) {
    auto placed = std::make_unique<PlacedTar>(files_, *archive.placed, context_.buffer_bytes / kShareOfHeaders);
    open_ = std::make_unique<OpenArchive>(std::move(placed), nullptr, *archive.placed, order_);
    return;
  }
  std::unique_ptr<File> file = archive.stream ? std::move(archive.stream) : context_.files.open_input(archive.path);
  const Unpacking unpacking = context_.options.unpack ? Unpacking::kArchive : Unpacking::kNever;
  auto carried = std::make_unique<CarriedTar>(
      open_input(std::move(file), unpacking, kMaxWindowBytes, std::nullopt, context_.warn));
  CarriedTar* const kept = carried.get();
  open_ = std::make_unique<OpenArchive>(std::move(carried), kept, 0, order_);
}

std::optional<TarReader::ReadSample> TarReader::next_sample() {
  for (;;) {
    if (!open_) {
      if (next_archive_ == stretches_.size()) return std::nullopt;
      const InputStretch& next = stretches_[next_archive_++];
      if (next.end == 0) continue;
      open_archive(archives_[next.input]);
      if (context_.share) number_ = next.records_before;
      context_.begin_input(archives_[next.input].path, number_);
    }
    const InputStretch& stretch = stretches_[next_archive_ - 1];
    std::optional<TarSample> sample = open_->samples.next();
    if (!sample || sample->begin >= stretch.end) {
      open_.reset();
      continue;
    }
    take_global_headers();
    ++number_;
    // Samples are found from header to header, from the begin of the archive on.
    if (sample->begin < stretch.begin) continue;
    ReadSample read{.sample = std::move(*sample),
                    .number = number_ - 1,
                    .input = open_->input,
                    .is_carried = open_->carried != nullptr};
    if (read.is_carried) read.carried = open_->carried->take(read.sample.begin, read.sample.end);
    return read;
  }
}

void TarReader::look_at_headers() {
  for (Archive& archive : archives_) {
    open_archive(archive);
    if (open_->samples.next()) take_global_headers();
    open_.reset();
  }
}

// What holds for all samples of one archive has to hold for those that are put among them.
void TarReader::take_global_headers() {
  const std::vector<std::byte>& headers = open_->walk.global_headers();
  const std::string& path = open_->bytes->path();
  if (global_path_.empty()) {
    global_path_ = path;
    global_headers_ = headers;
  }
  if (headers == global_headers_) return;
  throw Error("input " + quote_path(path) + ": its global pax headers are not those of " + quote_path(global_path_) +
              "; sort these archives one by one, or pack their files again");
}

std::vector<std::byte> TarReader::content_hash(const ReadSample& read) const {
  ByteChecksum sum;
  std::vector<std::byte> piece;
  for (const SampleFile& file : read.sample.files) {
    add_number(sum, std::uint64_t{file.extension.size()});
    sum.add(bytes_of(file.extension));
    add_number(sum, file.bytes);
    if (read.is_carried) {
      sum.add(std::span(read.carried).subspan(file.begin - read.sample.begin, file.bytes));
      continue;
    }
    for (std::uint64_t done = 0; done < file.bytes; done += piece.size()) {
      piece.resize(static_cast<std::size_t>(std::min(kHashedBytes, file.bytes - done)));
      files_.read(read.input, file.begin + done, piece);
      sum.add(piece);
    }
  }
  // What no loader sees is told apart by its place in the inputs: nothing of it is lost as a duplicate.
  if (read.sample.file_count == 0) {
    add_number(sum, read.input);
    add_number(sum, read.sample.begin);
    sum.add(bytes_of(read.sample.key));
  }
  const Checksum value = sum.value();
  const auto hash = std::as_bytes(std::span(&value, 1));
  return {hash.begin(), hash.end()};
}

std::vector<std::byte> TarReader::key_of(const ReadSample& read) const {
  if (order_ == SampleOrder::kContent) return content_hash(read);
  if (order_ == SampleOrder::kRandom) return shuffle_keys_.key(read.number);
  const auto key = bytes_of(read.sample.key);
  return {key.begin(), key.end()};
}

void TarReader::append(const ReadSample& read, std::span<const std::byte> key, RawBytes& records) {
  const bool is_sample = read.sample.file_count > 0;
  const bool has_key_hash = is_sample && order_ != SampleOrder::kKey;
  const std::byte flags = (is_sample ? TarRecord::kIsSample : std::byte{}) |
                          (has_key_hash ? TarRecord::kHasKeyHash : std::byte{}) |
                          (read.is_carried ? TarRecord::kIsCarried : std::byte{});
  // Written in place: a sample may be long, and is copied often enough on its way.
  const std::size_t begin = records.size();
  records.resize(begin + PrefixedHeader::kBytes);
  const std::uint64_t told_bytes = 1 + (has_key_hash ? sizeof(std::uint64_t) : 0);
  const std::uint64_t sample_bytes = read.is_carried ? read.carried.size() : Place::kBytes;
  PrefixedHeader::of(key.size(), told_bytes + sample_bytes).store(&records[begin]);
  records.insert(records.end(), key.begin(), key.end());
  records.push_back(flags);
  if (has_key_hash) {
    const std::uint64_t hash = hash_record(bytes_of(read.sample.key)).low;
    const auto stored = std::as_bytes(std::span(&hash, 1));
    records.insert(records.end(), stored.begin(), stored.end());
  }
  if (read.is_carried) {
    records.insert(records.end(), read.carried.begin(), read.carried.end());
  } else {
    Place{read.input, read.sample.begin, read.bytes()}.append_to(records);
  }
  ++records_;
  bytes_ += read.bytes();
}

bool TarReader::read(RawBytes& records) {
  std::vector<ReadSample> batch;
  std::uint64_t batch_bytes = 0;
  while (batch.size() < kMostInBatch && batch_bytes < context_.buffer_bytes / kShareOfBatch) {
    std::optional<ReadSample> read = next_sample();
    if (!read) break;
    batch_bytes += read->carried.size() + read->sample.key.size() + sizeof *read;
    batch.push_back(std::move(*read));
  }
  std::vector<std::vector<std::byte>> keys(batch.size());
  parallel_for(0, batch.size(), [&](std::size_t i) { keys[i] = key_of(batch[i]); });
  for (std::size_t i = 0; i < batch.size(); ++i) append(batch[i], keys[i], records);
  return !batch.empty();
}

}  // namespace sortie::formats::tar
