#include "formats/alignments/bam_output.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "formats/alignments/alignment_record.hpp"
#include "formats/format_options.hpp"
#include "io/output/open_output.hpp"
#include "io/output/packed_output.hpp"

namespace sortie::formats::alignments {
namespace {

/// Bases that an index of kind BAI has places for.
constexpr std::uint64_t kBasesOfBai = std::uint64_t{1} << 29;
/// Records that are put side by side at once: enough for all threads. A longer one is alone.
constexpr std::size_t kGatheredBytes = 4 << 20;
constexpr std::size_t kRecordsOfTurn = 512;

NumberedChromosomes chromosomes_of(const std::vector<Reference>& references) {
  // Without references none is long.
  NumberedChromosomes chromosomes{{}, 1};
  for (const Reference& reference : references) {
    chromosomes.names.push_back(reference.name);
    chromosomes.longest = std::max<std::int64_t>(chromosomes.longest, reference.length);
  }
  return chromosomes;
}

}  // namespace

PlaceIndex::Numbered parse_index_kind(std::string_view word) {
  if (word.empty() || word == "bai") return PlaceIndex::Numbered::kBai;
  if (word == "csi") return PlaceIndex::Numbered::kCsi;
  throw Error("unknown index " + quote_word(std::string(word)) + " for --index: known are bai and csi");
}

void refuse_long_references(const BamHeader& header, PlaceIndex::Numbered index) {
  if (index != PlaceIndex::Numbered::kBai) return;
  const auto is_long = [](const Reference& reference) { return reference.length > kBasesOfBai; };
  const auto found = std::ranges::find_if(header.references, is_long);
  if (found == header.references.end()) return;
  throw Error("reference " + quote_word(found->name) + " has " + std::to_string(found->length) +
              " bases, and an index of kind bai has places for 2^29: take --index=csi");
}

BamOutput::BamOutput(const JobContext& context, const BamHeader& header, std::optional<PlaceIndex::Numbered> index) {
  const SortOptions& options = context.options;
  if (index) {
    if (writes_to_stream(context)) throw Error("--index writes a file beside the output: name one with -o");
    refuse_long_references(header, *index);
    references_ = header.references;
    PlaceIndex of_places(*index, chromosomes_of(references_), kBgzfContentsBytes, context.index_bytes());
    file_.emplace(context.files, options.output, bgzf_level_of(options), std::move(of_places), options.temporary_names);
  } else {
    plain_ = make_bgzf_output(
        open_output(context.files, options.output, kNotPacked, options.temporary_names, options.scratch_directories),
        bgzf_level_of(options));
  }
  const std::vector<std::byte> bytes = bytes_of(header);
  output().write(bytes);
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
    output().write(records.front());
  } else {
    gathered_.resize(bytes);
    parallel_for_ranges(0, records.size(), kRecordsOfTurn, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) std::memcpy(gathered_.data() + begins_[i], records[i].data(), records[i].size());
    });
    output().write(gathered_);
  }
  for (std::size_t i = 0; file_ && i < records.size(); ++i) index(records[i], contents_bytes_ + begins_[i]);
  contents_bytes_ += bytes;
}

void BamOutput::index(Record record, std::uint64_t begin) {
  const AlignmentRecord fields(record);
  try {
    if (fields.reference() < 0) return file_->add_without_place();
    const Reference& reference = references_[static_cast<std::size_t>(fields.reference())];
    file_->add({reference.name, fields.position(), fields.end(), !fields.has(kUnmapped)}, begin, begin + record.size());
  } catch (const Error& error) {
    throw Error("the output cannot be indexed: read " + quote_word(std::string(fields.name())) + " " + error.what(),
                error.remedy());
  }
}

}  // namespace sortie::formats::alignments
