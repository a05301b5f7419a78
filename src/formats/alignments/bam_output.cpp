#include "formats/alignments/bam_output.hpp"

#include <cstring>
#include <utility>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"

namespace sortie::formats::alignments {
namespace {

/// Records that are put side by side at once: enough for all threads. A longer one is alone.
constexpr std::size_t kGatheredBytes = 4 << 20;
constexpr std::size_t kRecordsOfTurn = 512;

std::unique_ptr<Output> open_file(const JobContext& context, const std::string& path) {
  const SortOptions& options = context.options;
  return open_output(context.files, path, kNotPacked, options.temporary_names, options.scratch_directories);
}

std::unique_ptr<Output> open_index(const JobContext& context, std::optional<IndexKind> kind) {
  if (!kind) return nullptr;
  const std::string& path = context.options.output;
  if (path == "-") throw Error("--index writes a file beside the output: name one with -o");
  return open_file(context, path + std::string(suffix_of(*kind)));
}

}  // namespace

BamOutput::BamOutput(const JobContext& context, std::optional<IndexKind> index)
    : index_file_(open_index(context, index)),
      index_kind_(index),
      blocks_(open_file(context, context.options.output), context.options.output_level) {}

void BamOutput::begin(const BamHeader& header) {
  if (index_kind_) index_.emplace(*index_kind_, header.references);
  const std::vector<std::byte> bytes = bytes_of(header);
  blocks_.write(bytes);
  contents_bytes_ = bytes.size();
}

void BamOutput::write(std::span<const Record> records) {
  while (!records.empty()) {
    begins_.clear();
    std::size_t bytes = 0;
    for (const Record record : records) {
      if (bytes > 0 && bytes + record.size() > kGatheredBytes) break;
      begins_.push_back(std::exchange(bytes, bytes + record.size()));
    }
    write_some(records.first(begins_.size()), bytes);
    records = records.subspan(begins_.size());
  }
}

// A single thread that copies them would hold up those that pack.
void BamOutput::write_some(std::span<const Record> records, std::size_t bytes) {
  if (records.size() == 1) {
    blocks_.write(records.front());
  } else {
    gathered_.resize(bytes);
    parallel_for_ranges(0, records.size(), kRecordsOfTurn, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) std::memcpy(gathered_.data() + begins_[i], records[i].data(), records[i].size());
    });
    blocks_.write(gathered_);
  }
  for (std::size_t i = 0; index_ && i < records.size(); ++i) {
    const std::uint64_t begin = contents_bytes_ + begins_[i];
    index_->add(AlignmentRecord(records[i]), begin, begin + records[i].size());
  }
  contents_bytes_ += bytes;
}

void BamOutput::finish() {
  blocks_.finish();
  if (!index_) return;
  const std::vector<std::byte> bytes =
      index_->bytes([&](std::uint64_t offset) { return blocks_.virtual_offset(offset); });
  if (index_kind_ == IndexKind::kCsi) index_file_ = compress_output(std::move(index_file_), CompressionFormat::kBgzf);
  index_file_->write(bytes);
  index_file_->finish();
}

}  // namespace sortie::formats::alignments
