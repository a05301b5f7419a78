#include "formats/variants/vcf_text.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>

#include "formats/variants/bcf_record.hpp"
#include "formats/variants/bcf_values.hpp"

namespace sortie::formats::variants {
namespace {

constexpr std::size_t kQualityAt = 20;
// Floating-point numbers that stand for a missing value, and for none behind the last one.
constexpr std::uint32_t kMissingFloat = 0x7F800001;
constexpr std::uint32_t kEndOfFloats = 0x7F800002;
/// A missing value within a text.
constexpr char kMissingText = '\x07';

/// The same of whole numbers: the least number of their type, and the next.
std::int32_t missing_number(BcfType type) {
  switch (type) {
    case BcfType::kInt8:
      return std::numeric_limits<std::int8_t>::min();
    case BcfType::kInt16:
      return std::numeric_limits<std::int16_t>::min();
    default:
      return std::numeric_limits<std::int32_t>::min();
  }
}

/// Appends one value of several; false if there is none any more.
bool append_number(const BcfValue& value, std::size_t i, std::string& line) {
  if (value.type == BcfType::kFloat) {
    const auto bits = load_as<std::uint32_t>(value.bytes.data() + i * sizeof(float));
    if (bits == kEndOfFloats) return false;
    bits == kMissingFloat ? line.push_back('.') : append_vcf_number(std::bit_cast<float>(bits), line);
    return true;
  }
  const std::int32_t number = value.number(i);
  const std::int32_t missing = missing_number(value.type);
  if (number == missing + 1) return false;
  number == missing ? line.push_back('.') : static_cast<void>(line.append(std::to_string(number)));
  return true;
}

void append_text(std::span<const std::byte> text, std::string& line) {
  for (const std::byte byte : text) {
    const char c = static_cast<char>(byte);
    if (c == '\0') return;
    line.push_back(c == kMissingText ? '.' : c);
  }
}

void append_values(const BcfValue& value, std::string& line) {
  if (value.count == 0 || value.type == BcfType::kMissing) return line.push_back('.');
  if (value.type == BcfType::kText) return append_text(value.bytes, line);
  for (std::size_t i = 0; i < value.count; ++i) {
    const std::size_t begin = line.size();
    if (i > 0) line.push_back(',');
    if (!append_number(value, i, line)) return line.resize(begin);
  }
}

/// Alleles by their numbers plus 1, doubled; the lowest bit says that a phase is known.
void append_genotype(const BcfValue& value, std::string& line) {
  const std::int32_t end = missing_number(value.type) + 1;
  std::size_t i = 0;
  for (; i < value.count && value.number(i) != end; ++i) {
    const std::int32_t number = value.number(i);
    if (i > 0) line.push_back((number & 1) != 0 ? '|' : '/');
    const std::int32_t allele = number >> 1;
    allele == 0 ? line.push_back('.') : static_cast<void>(line.append(std::to_string(allele - 1)));
  }
  if (i == 0) line.push_back('.');
}

void append_alleles(BcfParts& shared, std::size_t count, std::string& line) {
  line.push_back('\t');
  if (count == 0) line.push_back('.');
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) line.push_back(i == 1 ? '\t' : ',');
    append_text(shared.take().bytes, line);
  }
  if (count < 2) line.append("\t.");
}

void append_filters(const BcfValue& filters, const BcfHeader& header, std::string& line) {
  line.push_back('\t');
  if (filters.count == 0 || !is_whole(filters.type)) return line.push_back('.');
  for (std::size_t i = 0; i < filters.count; ++i) {
    if (i > 0) line.push_back(';');
    line.append(header.strings().name(static_cast<std::size_t>(filters.number(i))));
  }
}

void append_infos(BcfParts& shared, std::size_t count, const BcfHeader& header, std::string& line) {
  line.push_back('\t');
  if (count == 0) line.push_back('.');
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) line.push_back(';');
    line.append(header.strings().name(static_cast<std::size_t>(shared.take_number())));
    const BcfValue value = shared.take();
    if (value.count == 0 || value.type == BcfType::kMissing) continue;
    line.push_back('=');
    append_values(value, line);
  }
}

/// The part of one sample.
BcfValue of_sample(const BcfValue& all, std::size_t sample) {
  const std::size_t bytes = all.count * bytes_of(all.type);
  return {all.type, all.count, all.bytes.subspan(sample * bytes, bytes)};
}

void append_samples(std::span<const std::byte> record, const BcfCounts& counts, const BcfHeader& header,
                    std::string& line) {
  if (counts.formats == 0) {
    if (header.samples() == 0) return;
    for (std::size_t i = 0; i <= header.samples(); ++i) line.append("\t.");
    return;
  }
  BcfParts parts = sample_parts(record);
  std::vector<BcfValue> values;
  std::size_t genotype = counts.formats;
  for (std::size_t i = 0; i < counts.formats; ++i) {
    const std::string& name = header.strings().name(static_cast<std::size_t>(parts.take_number()));
    line.append(i == 0 ? "\t" : ":").append(name);
    values.push_back(parts.take(counts.samples));
    if (name == "GT" && is_whole(values.back().type)) genotype = i;
  }
  for (std::size_t sample = 0; sample < counts.samples; ++sample) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      line.push_back(i == 0 ? '\t' : ':');
      const BcfValue value = of_sample(values[i], sample);
      i == genotype ? append_genotype(value, line) : append_values(value, line);
    }
  }
}

}  // namespace

std::string vcf_header_of(const BcfHeader& header) {
  std::string text = without_numbers(header.text());
  if (!text.ends_with('\n')) text.push_back('\n');
  return text;
}

// By digits behind the point and half a unit of the sixth digit that counts: printf() rounds halves otherwise.
void append_vcf_number(float number, std::string& line) {
  double rest = number;
  if (rest == 0) return static_cast<void>(line.append(std::signbit(rest) ? "-0" : "0"));
  if (rest < 0) {
    line.push_back('-');
    rest = -rest;
  }
  if (!(rest >= 0.0001 && rest <= 999999)) {
    char text[32];
    line.append(text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%g", rest)));
    return;
  }
  constexpr std::uint64_t kUnit = 10'000'000'000;
  auto scaled = static_cast<std::uint64_t>(rest * static_cast<double>(kUnit));
  std::uint64_t half = 5;
  for (double above = 0.001; rest >= above; above *= 10) half *= 10;
  scaled += half;
  const std::string whole = std::to_string(scaled / kUnit);
  std::string digits = std::to_string(kUnit + scaled % kUnit).substr(1);
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  digits.resize(std::min(digits.size(), whole == "0" ? zeros + 6 : 6 - std::min<std::size_t>(whole.size(), 6)));
  digits.resize(digits.find_last_not_of('0') + 1);
  line.append(whole);
  if (!digits.empty()) line.append(".").append(digits);
}

void append_vcf_line(std::span<const std::byte> record, const BcfHeader& header, std::string& line) {
  const BcfPlace place = bcf_place(record);
  line.append(header.contigs().name(static_cast<std::size_t>(place.contig)));
  line.append("\t").append(std::to_string(std::int64_t{place.begin} + 1)).append("\t");
  const BcfCounts counts(record);
  BcfParts shared = shared_parts(record);
  append_values(shared.take(), line);
  append_alleles(shared, counts.alleles, line);
  line.push_back('\t');
  const auto quality = load_as<std::uint32_t>(record.data() + kQualityAt);
  quality == kMissingFloat ? line.push_back('.') : append_vcf_number(std::bit_cast<float>(quality), line);
  append_filters(shared.take(), header, line);
  append_infos(shared, counts.infos, header, line);
  append_samples(record, counts, header, line);
  line.push_back('\n');
}

}  // namespace sortie::formats::variants
