#include "formats/tokens/token_writer.hpp"

#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "formats/tokens/npy_header.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats::tokens {
namespace {

PartFiles::Form form_of_files(TokenForm form) {
  if (form == TokenForm::kMegatron) return {.suffix = ".bin", .second_suffix = ".idx"};
  return {.suffix = form == TokenForm::kNpy ? ".npy" : ".bin"};
}

}  // namespace

TokenWriter::TokenWriter(const JobContext& context, PlacedFiles& files, const TokenReader& reader, TokenForm form)
    : PlacedWriter(context, files, form_of_files(form)),
      reader_(reader),
      form_(form),
      scratch_(context.files, context.options.scratch_directories),
      index_(scratch_),
      of_array_(scratch_, layout_, false) {}

std::uint64_t TokenWriter::bytes_of(std::span<const std::byte> record) const {
  return Place::load(PrefixedParts(record).payload).bytes;
}

void TokenWriter::begin_file(std::uint64_t number) {
  number_ = number;
  summary_ = {};
  if (form_ != TokenForm::kNpy) begin_output();
}

void TokenWriter::begin_output() {
  copier_.begin_output([&output = parts_.begin(number_)]() -> Output& { return output; });
}

void TokenWriter::write_record(std::span<const std::byte> record) {
  ++summary_.records;
  summary_.bytes += bytes_of(record);
  if (form_ == TokenForm::kNpy) return of_array_.append(PartRecords(layout_, record));
  copy(record);
  if (form_ != TokenForm::kMegatron) return;
  const std::span<const std::byte> stored = PrefixedParts(record).payload.subspan(Place::kBytes);
  std::vector<std::int32_t> lengths(stored.size() / sizeof(std::int32_t));
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = load_as<std::int32_t>(stored.data() + i * sizeof(std::int32_t));
  }
  index_.add(lengths);
}

void TokenWriter::copy(std::span<const std::byte> record) {
  copier_.append(Place::load(PrefixedParts(record).payload));
}

void TokenWriter::write_array() {
  NpyHeader header{.type = &reader_.type(), .columns = reader_.columns()};
  header.rows = header.columns ? summary_.records : summary_.bytes / header.type->bytes;
  const std::string text = npy_header_text(header);
  begin_output();
  copier_.append(std::as_bytes(std::span(text)));
  of_array_.release([this](const PartRecords& records) {
    for_each_prefixed_record(records.bytes(), [this](const std::byte* data, std::uint64_t stored) {
      copy({data, static_cast<std::size_t>(stored)});
    });
  });
}

void TokenWriter::end_file() {
  if (form_ == TokenForm::kNpy) write_array();
  copier_.finish();
  parts_.end(summary_, [this](Output& output) { index_.write(reader_.type(), output); });
}

void TokenWriter::finish() {
  end_stream();
  parts_.finish();
}

}  // namespace sortie::formats::tokens
