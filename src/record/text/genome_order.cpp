#include <sortie/genome_order.hpp>

#include <array>

#include <sortie/error.hpp>

namespace sortie {
namespace {

TextKey field(std::size_t number, TextKind kind, bool descending = false) {
  return {.begin = {.field = number}, .end = TextPosition{.field = number + 1}, .kind = kind, .descending = descending};
}

bool has_features(GenomeFile file) { return file == GenomeFile::kGff || file == GenomeFile::kGtf; }

/// By ChromosomeOrder.
constexpr std::array kKinds = {TextKind::kVersion, TextKind::kKaryotype, TextKind::kText,
                               TextKind::kListed,  TextKind::kListed,    TextKind::kListed};

void add_places(GenomeFile file, std::vector<TextKey>& keys) {
  const std::size_t start = has_features(file) ? 3 : 1;
  keys.push_back(field(start, TextKind::kNumber));
  if (file == GenomeFile::kVcf) {
    keys.push_back(field(3, TextKind::kAlleles));
    keys.push_back(field(4, TextKind::kAlleles));
  } else {
    keys.push_back(field(start + 1, TextKind::kNumber, has_features(file)));
  }
}

}  // namespace

TextOrder genome_order(GenomeFile file, ChromosomeOrder chromosomes) {
  const bool lists_names = file == GenomeFile::kVcf || file == GenomeFile::kGff;
  if (chromosomes == ChromosomeOrder::kHeader && !lists_names) {
    throw Error(std::string("the header of ") + (file == GenomeFile::kBed ? "BED" : "GTF") +
                " lists no chromosomes: order them in another way");
  }
  if (chromosomes == ChromosomeOrder::kUsual && file != GenomeFile::kVcf) chromosomes = ChromosomeOrder::kNatural;
  TextOrder order;
  order.separator = '\t';
  order.last_resort = false;
  order.keys = {field(0, kKinds.at(static_cast<std::size_t>(chromosomes)))};
  order.keys.front().names_are_optional = chromosomes == ChromosomeOrder::kUsual;
  // Names that are equal as they are read, such as chr1 and chr01, are two chromosomes all the same.
  if (chromosomes != ChromosomeOrder::kBytes) order.keys.push_back(field(0, TextKind::kText));
  add_places(file, order.keys);
  // A line of a header among records of VCF is no comment: whoever reads it would refuse it.
  if (file != GenomeFile::kVcf) order.comment_prefixes = genome_header_prefixes(file);
  if (has_features(file)) order.refused_prefixes = {"##FASTA", ">"};
  return order;
}

std::vector<std::string> genome_header_prefixes(GenomeFile file) {
  if (file == GenomeFile::kBed) return {"#", "browser", "track"};
  return {"#"};
}

}  // namespace sortie
