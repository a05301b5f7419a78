// Owners of what htslib makes.
#pragma once

#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/sam.h>

#include <memory>

namespace sortie::genomes {

struct CloseFile {
  void operator()(htsFile* file) const { ::hts_close(file); }
};
struct DestroyHeader {
  void operator()(sam_hdr_t* header) const { ::sam_hdr_destroy(header); }
};
struct DestroyRecord {
  void operator()(bam1_t* record) const { ::bam_destroy1(record); }
};

using HtsFile = std::unique_ptr<htsFile, CloseFile>;
using HtsHeader = std::unique_ptr<sam_hdr_t, DestroyHeader>;
using HtsRecord = std::unique_ptr<bam1_t, DestroyRecord>;

/// Opens an end of a pipe, which it owns from now on, for bytes of `mode` as hts_open() has it. Null if it cannot.
inline HtsFile open_end(int descriptor, const char* mode) {
  hFILE* const end = ::hdopen(descriptor, mode[0] == 'r' ? "r" : "w");
  return HtsFile(end == nullptr ? nullptr : ::hts_hopen(end, "-", mode));
}

}  // namespace sortie::genomes
