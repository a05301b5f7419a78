// An index of a sorted file of places in a genome, written beside it, as tabix writes one.
#pragma once

#include <cstdint>

#include <sortie/genome_order.hpp>

namespace sortie {

enum class IndexForm : std::uint8_t {
  kTbi,  ///< OUTPUT.tbi: for places up to 512 million
  kCsi,  ///< OUTPUT.csi
};

struct IndexOptions {
  GenomeFile file = GenomeFile::kVcf;  ///< what the records are, which says where their places stand
  IndexForm form = IndexForm::kTbi;

  friend bool operator==(const IndexOptions&, const IndexOptions&) = default;
};

}  // namespace sortie
