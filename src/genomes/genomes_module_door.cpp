// The one symbol of the genomes' module.
#include "formats/genomes_module.hpp"
#include "genomes/hts_contents.hpp"

extern "C" __attribute__((visibility("default"))) const sortie::formats::GenomesModule* sortie_genomes_module() {
  static const sortie::formats::GenomesModule module{sortie::formats::kGenomesModuleVersion,
                                                     &sortie::genomes::open_input, &sortie::genomes::write_alignments};
  return &module;
}
