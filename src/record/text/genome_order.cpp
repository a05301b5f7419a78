#include <sortie/genome_order.hpp>

#include <array>

#include <sortie/error.hpp>

namespace sortie {
namespace {

TextKey field(std::size_t number, TextKind kind) {
  return {.begin = {.field = number}, .end = TextPosition{.field = number + 1}, .kind = kind};
}

/// By ChromosomeOrder.
constexpr std::array kKinds = {TextKind::kVersion, TextKind::kKaryotype, TextKind::kText, TextKind::kListed};

}  // namespace

TextOrder genome_order(GenomeFile file, ChromosomeOrder chromosomes) {
  if (chromosomes == ChromosomeOrder::kHeader && file != GenomeFile::kVcf) {
    throw Error("the header of BED lists no chromosomes: order them in another way");
  }
  TextOrder order;
  order.separator = '\t';
  order.last_resort = false;
  order.keys = {field(0, kKinds.at(static_cast<std::size_t>(chromosomes)))};
  // Names that are equal as they are read, such as chr1 and chr01, are two chromosomes all the same.
  if (chromosomes != ChromosomeOrder::kBytes) order.keys.push_back(field(0, TextKind::kText));
  order.keys.push_back(field(1, TextKind::kNumber));
  if (file == GenomeFile::kBed) order.keys.push_back(field(2, TextKind::kNumber));
  return order;
}

std::vector<std::string> genome_header_prefixes(GenomeFile file) {
  if (file == GenomeFile::kVcf) return {"#"};
  return {"#", "browser", "track"};
}

}  // namespace sortie
