// Reads any bytes as the contents of a BAM file, in pieces: either they are refused, or every record comes out as it
// went in, behind its key, one behind the other. Records that are translated for another header, and indexes of them,
// are made of the same bytes.
//
//   | order | translated, to another header | bytes of a piece | contents: magic, header, records |
#include <memory>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/alignments/alignment_input.hpp"
#include "formats/alignments/alignment_order.hpp"
#include "formats/alignments/header_merge.hpp"
#include "fuzz/fuzz_target.hpp"
#include "record/places/place_index.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

using namespace formats::alignments;
using fuzz::require;

constexpr const char* kOrders[] = {"coordinate", "name", "ascii-name", "tag:NM", "tag:XX,name", "template"};

/// Gives the contents of a file piece by piece.
class PiecesSource final : public formats::ContentsSource {
 public:
  PiecesSource(std::string_view contents, std::size_t piece_bytes) : rest_(contents), piece_bytes_(piece_bytes) {}

  bool read(RawBytes& contents) override {
    const std::string_view piece = rest_.substr(0, piece_bytes_);
    const auto* const begin = reinterpret_cast<const std::byte*>(piece.data());
    contents.insert(contents.end(), begin, begin + piece.size());
    rest_.remove_prefix(piece.size());
    return !piece.empty();
  }
  std::string place_of(std::uint64_t contents_offset) const override { return std::to_string(contents_offset); }
  void forget_before(std::uint64_t) override {}

 private:
  std::string_view rest_;
  const std::size_t piece_bytes_;
};

/// Indexes records that need not be in order: those behind the first that is not are left out.
void check_index(std::span<const std::byte> made, const BamHeader& header) {
  constexpr std::uint64_t kBlockBytes = 0xff00;
  constexpr std::uint64_t kMostBytes = 1 << 20;
  NumberedChromosomes chromosomes;
  for (const Reference& reference : header.references) chromosomes.names.push_back(reference.name);
  PlaceIndex index(PlaceIndex::Numbered::kBai, chromosomes, kBlockBytes, kMostBytes);
  std::uint64_t at = 0;
  try {
    for_each_prefixed_record(made, [&](const std::byte* record, std::uint64_t bytes) {
      const auto payload = PrefixedParts({record, static_cast<std::size_t>(bytes)}).payload;
      const AlignmentRecord fields(payload);
      if (fields.reference() < 0) return index.add_without_place();
      const std::string& name = header.references[static_cast<std::size_t>(fields.reference())].name;
      index.add({name, fields.position(), fields.end(), !fields.has(kUnmapped)}, at, at + payload.size());
      at += payload.size();
    });
  } catch (const Error&) {
  }
  std::size_t written = 0;
  index.write([](std::uint64_t offset) { return offset; },
              [&](std::span<const std::byte> bytes) { written += bytes.size(); });
  require(written != 0, "an index is made");
}

void check(fuzz::InputReader input) {
  const std::string order = kOrders[input.byte() % std::size(kOrders)];
  const bool is_translated = input.byte() % 2 == 1;
  const std::size_t piece_bytes = 1 + input.number();
  const std::string_view contents = input.rest();
  AlignmentInput file("input", std::make_unique<PiecesSource>(contents, piece_bytes));
  const BamHeader header = file.read_header();
  const MergedHeader merged = merge_headers({header, header});
  const BamHeader& made_for = is_translated ? merged.header : header;
  const KeyMaker keys(parse_order(order), made_for);
  RawBytes made;
  while (file.next(keys, is_translated ? &merged.translations[1] : nullptr, made)) {
  }
  require(whole_prefixed_records(made) == made.size(), "records are whole");
  std::string payloads;
  std::uint64_t count = 0;
  for_each_prefixed_record(made, [&](const std::byte* record, std::uint64_t bytes) {
    const auto payload = PrefixedParts({record, static_cast<std::size_t>(bytes)}).payload;
    require(fault_of(payload, made_for.references.size()).empty(), "a record is one");
    payloads.append(reinterpret_cast<const char*>(payload.data()), payload.size());
    ++count;
  });
  require(count == file.record_count(), "all records are counted");
  require(is_translated || contents.ends_with(payloads), "records are as they were");
  check_index(made, made_for);
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sortie::fuzz::check_unless_refused(&sortie::check, sortie::fuzz::InputReader(data, size));
}
