#include "formats/alignments/bam_output.hpp"

#include <utility>

#include <sortie/error.hpp>

#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"

namespace sortie::formats::alignments {
namespace {

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

void BamOutput::write(std::span<const std::byte> record) {
  blocks_.write(record);
  const std::uint64_t begin = std::exchange(contents_bytes_, contents_bytes_ + record.size());
  if (index_) index_->add(AlignmentRecord(record), begin, contents_bytes_);
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
