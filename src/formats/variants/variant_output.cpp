#include "formats/variants/variant_output.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/thread_team.hpp"
#include "formats/format_options.hpp"
#include "formats/variants/bcf_record.hpp"
#include "formats/variants/vcf_text.hpp"
#include "io/input/compression_format.hpp"
#include "io/output/open_output.hpp"
#include "io/output/packed_output.hpp"
#include "pipeline/parts/indexed_file.hpp"
#include "pipeline/parts/indexed_output.hpp"

namespace sortie::formats::variants {
namespace {

/// Records that a thread makes lines of at once.
constexpr std::size_t kRangesOfThread = 4;

bool has_index(const JobContext& context) { return context.setting("index").has_value(); }

/// By its name, if that says so; else VCF only if lines of VCF are asked for.
bool writes_vcf(const SortOptions& options) {
  const std::string& path = options.output;
  if (path.ends_with(".vcf") || path.find(".vcf.") != std::string::npos) return true;
  return lines_are_vcf(options) && !path.ends_with(".bcf");
}

std::vector<std::string> names_of(const BcfNames& contigs) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < contigs.size(); ++i) names.push_back(contigs.name(i));
  return names;
}

/// An output of BCF, with an index or without.
class BcfOutput final : public VariantOutput {
 public:
  BcfOutput(const JobContext& context, const BcfHeader& header) : header_(header) {
    const SortOptions& options = context.options;
    if (has_index(context)) {
      PlaceIndex index(PlaceIndex::Numbered::kCsi, {names_of(header.contigs())}, kBgzfContentsBytes,
                       context.index_bytes());
      file_.emplace(context.files, options.output, bgzf_level_of(options), std::move(index), options.temporary_names);
    } else {
      plain_ = make_bgzf_output(
          open_output(context.files, options.output, kNotPacked, options.temporary_names, options.scratch_directories),
          bgzf_level_of(options));
    }
    write_header();
  }

  void write(std::span<const std::span<const std::byte>> records) override {
    for (const std::span<const std::byte> record : records) write_one(record);
  }
  void finish() override { file_ ? file_->finish() : plain_->finish(); }

 private:
  void write_one(std::span<const std::byte> record) {
    const std::uint64_t begin = std::exchange(offset_, offset_ + record.size());
    output().write(record);
    if (!file_) return;
    const BcfPlace place = bcf_place(record);
    try {
      file_->add({header_.contigs().name(static_cast<std::size_t>(place.contig)), place.begin,
                  std::int64_t{place.begin} + place.bases},
                 begin, offset_);
    } catch (const Error& error) {
      throw Error("the output cannot be indexed: a record " + std::string(error.what()), error.remedy());
    }
  }
  Output& output() { return file_ ? file_->packed() : *plain_; }
  void write_header() {
    std::string begin("BCF\2\2");
    const std::size_t text_bytes = header_.text().size() + 1;
    begin.resize(begin.size() + sizeof(std::uint32_t));
    store_as(begin.data() + begin.size() - sizeof(std::uint32_t), static_cast<std::uint32_t>(text_bytes));
    begin.append(header_.text()).push_back('\0');
    output().write(std::as_bytes(std::span(begin)));
    offset_ = begin.size();
  }

  const BcfHeader& header_;
  std::optional<IndexedFile> file_;
  std::unique_ptr<Output> plain_;
  std::uint64_t offset_ = 0;  // in all that was written
};

class VcfOutput final : public VariantOutput {
 public:
  VcfOutput(const JobContext& context, const BcfHeader& header) : header_(header) {
    const SortOptions& options = context.options;
    if (const auto form = context.setting("index")) {
      const IndexOptions index{GenomeFile::kVcf, *form == "csi" ? IndexForm::kCsi : IndexForm::kTbi};
      output_ = make_indexed_output(context.files, options.output, index, bgzf_level_of(options), context.index_bytes(),
                                    options.temporary_names);
    } else {
      output_ = open_output(context.files, options.output, {.level = options.output_level}, options.temporary_names,
                            options.scratch_directories);
    }
    const std::string text = vcf_header_of(header);
    output_->write(std::as_bytes(std::span(text)));
  }

  void write(std::span<const std::span<const std::byte>> records) override {
    const std::size_t ranges = std::min(records.size(), kRangesOfThread * parallel_threads());
    lines_.resize(std::max(lines_.size(), ranges));
    parallel_for(0, ranges, [&](std::size_t i) {
      lines_[i].clear();
      const std::size_t end = (i + 1) * records.size() / ranges;
      for (std::size_t at = i * records.size() / ranges; at < end; ++at)
        append_vcf_line(records[at], header_, lines_[i]);
    });
    for (std::size_t i = 0; i < ranges; ++i) output_->write(std::as_bytes(std::span(lines_[i])));
  }
  void finish() override { output_->finish(); }

 private:
  const BcfHeader& header_;
  std::unique_ptr<Output> output_;
  std::vector<std::string> lines_;  // of ranges; they keep their memory
};

}  // namespace

void refuse_unknown_output(const JobContext& context) {
  const std::string& output = context.options.output;
  const auto form = context.setting("index");
  const bool is_vcf = writes_vcf(context.options);
  const CompressionFormat packed = recognise_suffix(output);
  const bool is_foreign = !output.ends_with(".bcf") && !foreign_suffix(output).empty();
  if (is_foreign || (!is_vcf && packed != CompressionFormat::kNone)) {
    throw Error("the output of variants is BCF or VCF: name it .bcf or .vcf.gz, not " + quote_path(output));
  }
  if (!form) return;
  if (writes_to_stream(context)) throw Error("an index is of a file: name the output");
  if (is_vcf && packed != CompressionFormat::kBgzf) throw Error("an index of VCF needs BGZF: name the output .vcf.gz");
  if (!form->empty() && *form != "csi" && (!is_vcf || *form != "tbi")) {
    throw Error("the index of " + quote_path(output) + " is " + (is_vcf ? "tbi or csi" : "csi") + ", not " +
                quote_word(*form));
  }
  const Format& order = context.options.format;
  if (order.descending || order.shuffle) {
    throw Error(std::string("an index is of records in the order of their places: leave the ") +
                (order.shuffle ? "shuffle" : "descending order") + " out");
  }
}

std::unique_ptr<VariantOutput> make_variant_output(const JobContext& context, const BcfHeader& header) {
  if (writes_vcf(context.options)) return std::make_unique<VcfOutput>(context, header);
  return std::make_unique<BcfOutput>(context, header);
}

}  // namespace sortie::formats::variants
