#include "formats/variants/bcf_record.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <sortie/error.hpp>

#include "base/bytes.hpp"

namespace sortie::formats::variants {
namespace {

/// Bytes of the fields with fixed places.
constexpr std::uint32_t kLeastShared = kFieldsAt - kBcfLengthBytes;

void check_number(std::int32_t number, const BcfNames& names, const char* what) {
  if (number >= 0 && static_cast<std::size_t>(number) < names.size() &&
      !names.name(static_cast<std::size_t>(number)).empty())
    return;
  throw Error(std::string("names ") + what + " " + std::to_string(number) + ", which its header does not have");
}

/// Appends a number, or several, in the smallest type that holds them. Numbers of headers are never below 0.
void append_numbers(std::span<const std::int32_t> numbers, std::vector<std::byte>& out);

void append_mark(std::size_t count, BcfType type, std::vector<std::byte>& out) {
  out.push_back(static_cast<std::byte>(std::min<std::size_t>(count, 15) << 4 | static_cast<unsigned>(type)));
  const auto whole = static_cast<std::int32_t>(count);
  if (count >= 15) append_numbers(std::span(&whole, 1), out);
}

void append_numbers(std::span<const std::int32_t> numbers, std::vector<std::byte>& out) {
  const std::int32_t greatest = numbers.empty() ? 0 : std::ranges::max(numbers);
  const BcfType type = greatest <= std::numeric_limits<std::int8_t>::max()    ? BcfType::kInt8
                       : greatest <= std::numeric_limits<std::int16_t>::max() ? BcfType::kInt16
                                                                              : BcfType::kInt32;
  append_mark(numbers.size(), numbers.empty() ? BcfType::kMissing : type, out);
  const std::size_t bytes = bytes_of(type);
  for (const std::int32_t number : numbers) {
    const auto begin = reinterpret_cast<const std::byte*>(&number);
    out.insert(out.end(), begin, begin + bytes);
  }
}

void append_value(const BcfValue& value, std::vector<std::byte>& out) {
  append_mark(value.count, value.type, out);
  out.insert(out.end(), value.bytes.begin(), value.bytes.end());
}

void append_renumbered_filters(const BcfValue& filters, const BcfNumbers& numbers, std::vector<std::byte>& out) {
  std::vector<std::int32_t> renumbered;
  for (std::size_t i = 0; i < filters.count; ++i) {
    renumbered.push_back(numbers.strings[static_cast<std::size_t>(filters.number(i))]);
  }
  append_numbers(renumbered, out);
}

}  // namespace

std::uint64_t bcf_record_bytes(std::span<const std::byte> begin) {
  const auto shared = load_as<std::uint32_t>(begin.data());
  const auto indiv = load_as<std::uint32_t>(begin.data() + sizeof shared);
  constexpr auto kMost = static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
  if (shared < kLeastShared || shared > kMost || indiv > kMost) {
    throw Error("has the lengths " + std::to_string(shared) + " and " + std::to_string(indiv) +
                ", which no record has");
  }
  return kBcfLengthBytes + std::uint64_t{shared} + indiv;
}

BcfPlace bcf_place(std::span<const std::byte> record) {
  return {load_as<std::int32_t>(record.data() + kContigAt), load_as<std::int32_t>(record.data() + kPositionAt),
          load_as<std::int32_t>(record.data() + kBasesAt)};
}

void check_bcf_record(std::span<const std::byte> record, const BcfHeader& header) {
  const BcfPlace place = bcf_place(record);
  check_number(place.contig, header.contigs(), "chromosome");
  if (place.begin < -1) throw Error("has the position " + std::to_string(std::int64_t{place.begin} + 1));
  const BcfCounts counts(record);
  BcfParts shared = shared_parts(record);
  for (std::size_t i = 0; i < counts.alleles + 1; ++i) shared.take();  // ID, and alleles
  const BcfValue filters = shared.take();
  if (filters.count != 0 && filters.type != BcfType::kMissing && !is_whole(filters.type)) {
    throw Error("has filters that are no numbers");
  }
  for (std::size_t i = 0; i < filters.count && is_whole(filters.type); ++i) {
    check_number(filters.number(i), header.strings(), "filter");
  }
  for (std::size_t i = 0; i < counts.infos; ++i) {
    check_number(shared.take_number(), header.strings(), "key of INFO");
    shared.take();
  }
  if (shared.left() != 0) throw Error("has " + std::to_string(shared.left()) + " bytes behind its last field");
  if (counts.samples != header.samples() && counts.formats != 0) {
    throw Error("has " + std::to_string(counts.samples) + " samples, not " + std::to_string(header.samples()));
  }
  BcfParts samples = sample_parts(record);
  for (std::size_t i = 0; i < counts.formats; ++i) {
    check_number(samples.take_number(), header.strings(), "key of FORMAT");
    samples.take(counts.samples);
  }
  if (samples.left() != 0) throw Error("has " + std::to_string(samples.left()) + " bytes behind its last sample");
}

void append_bcf_key(std::span<const std::byte> record, std::vector<std::byte>& key) {
  const BcfPlace place = bcf_place(record);
  for (const auto number : {static_cast<std::uint32_t>(place.contig), static_cast<std::uint32_t>(place.begin + 1)}) {
    for (int shift = 24; shift >= 0; shift -= 8) key.push_back(static_cast<std::byte>(number >> shift));
  }
  const BcfCounts counts(record);
  BcfParts shared = shared_parts(record);
  shared.take();
  for (std::size_t i = 0; i < counts.alleles; ++i) {
    const BcfValue allele = shared.take();
    if (allele.type != BcfType::kText) {
      key.push_back({});
      continue;
    }
    for (const std::byte byte : allele.bytes) {
      const char c = static_cast<char>(byte);
      if (c == '\0') break;
      key.push_back(static_cast<std::byte>('A' <= c && c <= 'Z' ? c - 'A' + 'a' : c));
    }
    key.push_back({});
  }
}

void append_renumbered(std::span<const std::byte> record, const BcfNumbers& numbers, std::vector<std::byte>& out) {
  const std::size_t begin = out.size();
  out.insert(out.end(), record.begin(), record.begin() + kFieldsAt);
  const std::int32_t contig = numbers.contigs[static_cast<std::size_t>(bcf_place(record).contig)];
  store_as(out.data() + begin + kContigAt, contig);
  const BcfCounts counts(record);
  BcfParts shared = shared_parts(record);
  for (std::size_t i = 0; i < counts.alleles + 1; ++i) append_value(shared.take(), out);
  const BcfValue filters = shared.take();
  is_whole(filters.type) ? append_renumbered_filters(filters, numbers, out) : append_value(filters, out);
  const auto append_key = [&](BcfParts& parts) {
    const std::int32_t number = numbers.strings[static_cast<std::size_t>(parts.take_number())];
    append_numbers(std::span(&number, 1), out);
  };
  for (std::size_t i = 0; i < counts.infos; ++i) {
    append_key(shared);
    append_value(shared.take(), out);
  }
  const std::size_t indiv = out.size();
  store_as(out.data() + begin, static_cast<std::uint32_t>(indiv - begin - kBcfLengthBytes));
  BcfParts samples = sample_parts(record);
  for (std::size_t i = 0; i < counts.formats; ++i) {
    append_key(samples);
    append_value(samples.take(counts.samples), out);
  }
  store_as(out.data() + begin + sizeof(std::uint32_t), static_cast<std::uint32_t>(out.size() - indiv));
}

}  // namespace sortie::formats::variants
