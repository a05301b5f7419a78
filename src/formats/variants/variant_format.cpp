#include "formats/variants/variant_format.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/file_begin.hpp"
#include "formats/format_options.hpp"
#include "formats/hts_source.hpp"
#include "formats/variants/bcf_input.hpp"
#include "formats/variants/bcf_record.hpp"
#include "formats/variants/variant_output.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats::variants {
namespace {

/// The part of the bytes for buffers that an input reads at once.
constexpr std::uint64_t kInputShare = 4;
/// The part that records take which are given at once.
constexpr std::uint64_t kBatchShare = 8;

constexpr std::string_view kVcfMagic = "##fileformat=VCF";
constexpr std::string_view kBcfMagic = "BCF\2";

std::string_view text_of(std::span<const std::byte> begin) {
  return {reinterpret_cast<const char*>(begin.data()), begin.size()};
}

/// What shows neither form, as a pipe that cannot be looked at, has the one that the caller says.
bool is_vcf_input(const JobContext& context, const std::string& path) {
  const std::vector<std::byte> begin = read_begin(context.files, path);
  if (text_of(begin).starts_with(kVcfMagic)) return true;
  return !text_of(begin).starts_with(kBcfMagic) && lines_are_vcf(context.options);
}

class VariantFiles final : public FormatFiles {
 public:
  explicit VariantFiles(const JobContext& context) : context_(context), paths_(context.options.inputs) {
    if (context.output_is_known) refuse_unknown_output(context);
    if (paths_.empty()) paths_ = {"-"};
    tell_of_open_ends(context, paths_of_lines());
    std::vector<BcfHeader> headers;
    // Files are opened once more: there may be more of them than may be open.
    for (const std::string& path : paths_) {
      inputs_.push_back(open_input(path));
      headers.push_back(inputs_.back()->header());
      if (path != "-" && context.files.status(path).kind == FileStatus::Kind::kRegular) inputs_.back().reset();
    }
    header_ = merged_header(headers, paths_);
    for (const BcfHeader& header : headers) numbers_.emplace_back(header, *header_);
    stretches_ = stretches_of(context.files, paths_, context.share, false);
    if (context.output_is_known) output_ = make_variant_output(context, *header_);
  }

  std::string description() const override {
    return "BCF of " + std::to_string(paths_.size()) + " inputs, by chromosome, position and alleles" +
           (context_.setting("index") ? ", with an index" : "") + "\n";
  }

  bool read(RawBytes& records) override;
  std::uint64_t records_read() const override { return read_; }
  void write(std::span<const std::byte> records) override;
  std::uint64_t records_written() const override { return written_; }
  void finish() override { output_->finish(); }

 private:
  std::vector<std::string> paths_of_lines() const {
    std::vector<std::string> lines;
    std::ranges::copy_if(paths_, std::back_inserter(lines),
                         [&](const std::string& path) { return is_vcf_input(context_, path); });
    return lines;
  }
  std::unique_ptr<BcfInput> open_input(const std::string& path) const {
    auto source = is_vcf_input(context_, path)
                      ? make_hts_source(context_, path, HtsContents::kVariants, "VCF beside BCF")
                      : make_bgzf_source(context_.files.open_input(path), context_.buffer_bytes / kInputShare);
    return std::make_unique<BcfInput>(path, std::move(source));
  }
  void append(std::span<const std::byte> record, const BcfNumbers& numbers, RawBytes& records);

  const JobContext context_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<BcfInput>> inputs_;  // by paths; null: not open
  std::optional<BcfHeader> header_;
  std::vector<BcfNumbers> numbers_;  // of each input
  std::unique_ptr<VariantOutput> output_;
  std::vector<std::span<const std::byte>> sorted_;
  std::vector<InputStretch> stretches_;
  std::size_t at_ = 0;  // of stretches_: the input that is read
  std::vector<std::byte> key_;
  std::vector<std::byte> renumbered_;
  std::uint64_t read_ = 0;
  std::uint64_t written_ = 0;
};

bool VariantFiles::read(RawBytes& records) {
  const std::size_t begin = records.size();
  const std::size_t most = begin + static_cast<std::size_t>(context_.buffer_bytes / kBatchShare);
  while (records.size() < most) {
    if (at_ == stretches_.size()) return records.size() != begin;
    const std::size_t number = stretches_[at_].input;
    std::unique_ptr<BcfInput>& input = inputs_[number];
    if (!input) input = open_input(paths_[number]);
    const std::span<const std::byte> record = input->next();
    if (record.empty()) {
      input.reset();
      ++at_;
    } else {
      append(record, numbers_[number], records);
    }
  }
  return true;
}

void VariantFiles::append(std::span<const std::byte> record, const BcfNumbers& numbers, RawBytes& records) {
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
  sorted_.clear();
  for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t bytes) {
    sorted_.push_back(PrefixedParts({record, static_cast<std::size_t>(bytes)}).payload);
  });
  output_->write(sorted_);
  written_ += sorted_.size();
}

}  // namespace

bool begins_bcf(const FileBegin& begin) {
  const std::string_view text = text_of(begin.bytes);
  if (text.starts_with(kBcfMagic)) return true;
  return begin.output.ends_with(".bcf") && (begin.is_vcf || text.starts_with(kVcfMagic));
}

std::unique_ptr<FormatFiles> open(const JobContext& context) { return std::make_unique<VariantFiles>(context); }

}  // namespace sortie::formats::variants
