// Owners of what htslib makes.
#pragma once

#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/sam.h>
#include <htslib/vcf.h>

#include <memory>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/descriptor.hpp"
#include "base/quote.hpp"

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

struct DestroyVariantHeader {
  void operator()(bcf_hdr_t* header) const { ::bcf_hdr_destroy(header); }
};
struct DestroyVariant {
  void operator()(bcf1_t* record) const { ::bcf_destroy(record); }
};

using HtsFile = std::unique_ptr<htsFile, CloseFile>;
using HtsHeader = std::unique_ptr<sam_hdr_t, DestroyHeader>;
using HtsRecord = std::unique_ptr<bam1_t, DestroyRecord>;

using VariantHeader = std::unique_ptr<bcf_hdr_t, DestroyVariantHeader>;
using VariantRecord = std::unique_ptr<bcf1_t, DestroyVariant>;

inline void set_reference(htsFile& file, const std::string& reference) {
  if (!reference.empty() && ::hts_set_fai_filename(&file, reference.c_str()) != 0) {
    throw Error("the reference " + quote_path(reference) + " cannot be read: give a FASTA file by --reference");
  }
}

/// Opens a file for bytes of `mode` as hts_open() has it; `name` is for messages of htslib. Null with errno if it
/// cannot: then it is closed.
inline HtsFile open_descriptor(Descriptor descriptor, const char* name, const char* mode) {
  hFILE* const bytes = ::hdopen(descriptor.number(), mode[0] == 'r' ? "r" : "w");
  if (bytes == nullptr) return HtsFile();
  static_cast<void>(descriptor.release());  // is that of `bytes`
  HtsFile file(::hts_hopen(bytes, name, mode));
  if (!file) ::hclose_abruptly(bytes);
  return file;
}
inline HtsFile open_end(Descriptor end, const char* mode) { return open_descriptor(std::move(end), "-", mode); }

}  // namespace sortie::genomes
