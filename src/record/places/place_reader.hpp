// Reads where in a genome a line of BED, VCF, GFF or GTF is, as tabix does. The index of an output is made of these.
#pragma once

#include <cstdint>
#include <string_view>

#include <sortie/genome_order.hpp>

namespace sortie {

/// Bases from `begin` on, counted from 0, and before `end`. -1 is the place in front of the first base, which files
/// that count from 1 write as 0.
struct Place {
  std::string_view chromosome;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  /// False for a read that has only the place of its mate. Windows do not count it.
  bool is_aligned = true;
};

/// Columns as tabix names them in the head of an index.
struct PlaceColumns {
  std::int32_t preset;
  std::int32_t chromosome;
  std::int32_t begin;
  std::int32_t end;  ///< 0: there is none
};

PlaceColumns place_columns(GenomeFile file);

/// Whether a line, without its end, has no place: a comment, an empty line, or one for a browser of genomes.
bool lacks_place(GenomeFile file, std::string_view line);

/// The place of a line without its end. Throws Error, whose text goes on behind the name of the line.
Place place_of(GenomeFile file, std::string_view line);

}  // namespace sortie
