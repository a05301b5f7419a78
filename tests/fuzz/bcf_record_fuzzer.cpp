// Takes any bytes as the text of a header of BCF, and as records. A record that is taken gives a key, and with the
// numbers of another header it is taken as well, has the same place and the same alleles.
//
//   | length of the text u16 | text | records |
#include <string>
#include <vector>

#include "formats/variants/bcf_record.hpp"
#include "fuzz/fuzz_target.hpp"

namespace sortie {
namespace {

using namespace formats::variants;

std::optional<BcfHeader> header_of(std::string_view text) {
  try {
    return BcfHeader(std::string(text));
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The header with its names in another order.
std::optional<BcfHeader> turned(const BcfHeader& header) {
  std::string text = "##FILTER=<ID=first>\n";
  const auto add = [&](const BcfNames& names, const char* begin) {
    for (std::size_t i = names.size(); i-- > 0;) {
      if (!names.name(i).empty()) text.append(begin).append(names.name(i)).append(">\n");
    }
  };
  add(header.contigs(), "##contig=<ID=");
  add(header.strings(), "##INFO=<ID=");
  return header_of(text.append(header.line_of_samples()));
}

std::vector<std::byte> alleles_of(std::span<const std::byte> record) {
  constexpr std::size_t kPlaceBytes = 8;
  std::vector<std::byte> key;
  append_bcf_key(record, key);
  return {key.begin() + kPlaceBytes, key.end()};
}

void check_renumbered(std::span<const std::byte> record, const BcfHeader& header, const BcfHeader& other) {
  const BcfNumbers numbers(header, other);
  std::vector<std::byte> renumbered;
  append_renumbered(record, numbers, renumbered);
  fuzz::require(bcf_record_bytes(renumbered) == renumbered.size(), "a record has the length that it tells of");
  fuzz::require(alleles_of(record) == alleles_of(renumbered), "alleles stay");
  fuzz::require(bcf_place(record).begin == bcf_place(renumbered).begin, "the position stays");
  // Names that the text of a header cannot hold are none in the other one.
  for (std::size_t i = 0; i < header.strings().size(); ++i) {
    if (!header.strings().name(i).empty() && !other.strings().number_of(header.strings().name(i))) return;
  }
  for (std::size_t i = 0; i < header.contigs().size(); ++i) {
    if (!header.contigs().name(i).empty() && !other.contigs().number_of(header.contigs().name(i))) return;
  }
  check_bcf_record(renumbered, other);
}

void check(fuzz::InputReader input) {
  const std::size_t text_bytes = input.number();
  const std::string_view text = input.take(text_bytes);
  const std::optional<BcfHeader> header = header_of(text);
  if (!header) return;
  const std::optional<BcfHeader> other = turned(*header);
  std::span<const std::byte> rest = fuzz::as_bytes(input.rest());
  while (rest.size() >= kBcfLengthBytes) {
    std::span<const std::byte> record;
    try {
      const std::uint64_t bytes = bcf_record_bytes(rest);
      if (bytes > rest.size()) return;
      record = rest.first(static_cast<std::size_t>(bytes));
      rest = rest.subspan(record.size());
      check_bcf_record(record, *header);
    } catch (const Error&) {
      if (record.empty()) return;
      continue;
    }
    std::vector<std::byte> key;
    append_bcf_key(record, key);
    if (other && other->samples() == header->samples()) check_renumbered(record, *header, *other);
  }
}

}  // namespace
}  // namespace sortie

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check(sortie::fuzz::InputReader(data, size));
  return 0;
}
