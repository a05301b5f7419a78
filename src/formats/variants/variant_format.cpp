#include "formats/variants/variant_format.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "formats/variants/bcf_input.hpp"
#include "formats/variants/bcf_record.hpp"
#include "io/input/compression_format.hpp"
#include "io/output/open_output.hpp"
#include "io/output/packed_output.hpp"
#include "pipeline/parts/indexed_file.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats::variants {
namespace {

/// Of the bytes for buffers: what an input reads at once.
constexpr std::uint64_t kInputShare = 4;
/// Of records that are given at once.
constexpr std::uint64_t kBatchShare = 8;
constexpr std::uint64_t kMostIndexBytes = 32 << 20;

bool has_index(const JobContext& context) { return context.setting("index").has_value(); }

int level_of(const SortOptions& options) {
  return options.output_level == 0 ? output_levels(CompressionFormat::kBgzf).usual : options.output_level;
}

std::vector<std::string> names_of(const BcfNames& contigs) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < contigs.size(); ++i) names.push_back(contigs.name(i));
  return names;
}

/// An output of BCF, with an index or without.
class BcfOutput {
 public:
  BcfOutput(const JobContext& context, const BcfHeader& header) : header_(header) {
    const SortOptions& options = context.options;
    if (has_index(context)) {
      file_.emplace(context.files, options.output, IndexForm::kCsi, level_of(options),
                    PlaceIndex::by_numbers(names_of(header.contigs()), kBgzfContentsBytes, kMostIndexBytes),
                    options.temporary_names);
    } else {
      plain_ = make_bgzf_output(open_output(context.files, options.output, kNotPacked, options.temporary_names,
                                            options.scratch_directories),
                                level_of(options));
    }
    write_header();
  }

  void write(std::span<const std::byte> record) {
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
  void finish() { file_ ? file_->finish() : plain_->finish(); }

 private:
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

/// An error now is better than one behind all work.
void refuse_settings(const JobContext& context) {
  const std::string form = context.setting("index").value_or("");
  if (!form.empty() && form != "csi") throw Error("the index of BCF is csi, not " + quote_word(form));
  const std::string& output = context.options.output;
  const CompressionFormat packed = recognise_suffix(output);
  if (packed != CompressionFormat::kNone || output.ends_with(".vcf")) {
    throw Error("the output of BCF is BCF: name it .bcf, not " + quote_path(output) +
                ", and let 'bcftools view' make another form of it");
  }
  if (has_index(context) && context.options.format.descending) {
    throw Error("an index is of records in the order of their places: leave the descending order out");
  }
  if (has_index(context) && output == "-") throw Error("an index is of a file: name the output");
}

class VariantFiles final : public FormatFiles {
 public:
  explicit VariantFiles(const JobContext& context) : context_(context), paths_(context.options.inputs) {
    refuse_settings(context);
    if (paths_.empty()) paths_ = {"-"};
    std::vector<BcfHeader> headers;
    // Files are opened once more: there may be more of them than may be open.
    for (const std::string& path : paths_) {
      inputs_.push_back(open_input(path));
      headers.push_back(inputs_.back()->header());
      if (path != "-" && context.files.status(path).kind == FileStatus::Kind::kRegular) inputs_.back().reset();
    }
    header_ = merged_header(headers, paths_);
    for (const BcfHeader& header : headers) numbers_.emplace_back(header, *header_);
    if (context.output_is_known) output_.emplace(context, *header_);
  }

  std::string description() const override {
    return "BCF of " + std::to_string(paths_.size()) + " inputs, by chromosome, position and alleles" +
           (has_index(context_) ? ", with an index" : "") + "\n";
  }

  bool read(std::vector<std::byte>& records) override;
  std::uint64_t records_read() const override { return read_; }
  void write(std::span<const std::byte> records) override;
  std::uint64_t records_written() const override { return written_; }
  void finish() override { output_->finish(); }

 private:
  std::unique_ptr<BcfInput> open_input(const std::string& path) const {
    const std::uint64_t bytes = context_.buffer_bytes / kInputShare;
    const auto blocks = static_cast<std::size_t>(bytes / BlockReader::kBytesOfBlock);
    return std::make_unique<BcfInput>(context_.files.open_input(path), std::max<std::size_t>(1, blocks));
  }
  void append(std::span<const std::byte> record, std::vector<std::byte>& records);

  const JobContext context_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<BcfInput>> inputs_;  // by paths; null: not open
  std::optional<BcfHeader> header_;
  std::vector<BcfNumbers> numbers_;  // of each input
  std::optional<BcfOutput> output_;
  std::size_t at_ = 0;  // the input that is read
  std::vector<std::byte> key_;
  std::vector<std::byte> renumbered_;
  std::uint64_t read_ = 0;
  std::uint64_t written_ = 0;
};

bool VariantFiles::read(std::vector<std::byte>& records) {
  const std::size_t most = records.size() + static_cast<std::size_t>(context_.buffer_bytes / kBatchShare);
  while (records.size() < most) {
    if (at_ == paths_.size()) return !records.empty();
    if (!inputs_[at_]) inputs_[at_] = open_input(paths_[at_]);
    const std::span<const std::byte> record = inputs_[at_]->next();
    if (record.empty()) {
      inputs_[at_++].reset();
    } else {
      append(record, records);
    }
  }
  return true;
}

void VariantFiles::append(std::span<const std::byte> record, std::vector<std::byte>& records) {
  const BcfNumbers& numbers = numbers_[at_];
  if (!numbers.are_same) {
    renumbered_.clear();
    append_renumbered(record, numbers, renumbered_);
    record = renumbered_;
  }
  key_.clear();
  append_bcf_key(record, key_);
  append_prefixed_record(key_, record, records);
  ++read_;
}

void VariantFiles::write(std::span<const std::byte> records) {
  for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t bytes) {
    output_->write(PrefixedParts({record, static_cast<std::size_t>(bytes)}).payload);
    ++written_;
  });
}

}  // namespace

bool begins_bcf(const FileBegin& begin) {
  const std::string_view text(reinterpret_cast<const char*>(begin.bytes.data()), begin.bytes.size());
  return text.starts_with("BCF\2") || begin.path.ends_with(".bcf");
}

std::unique_ptr<FormatFiles> open(const JobContext& context) { return std::make_unique<VariantFiles>(context); }

}  // namespace sortie::formats::variants
