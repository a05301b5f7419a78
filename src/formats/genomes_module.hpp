// What the genomes' module, libsortie_genomes.so, gives the formats that need htslib. It is loaded when such a file is
// met or asked for (load_genomes_module.hpp), so that nobody else needs htslib.
//
//   formats                              libsortie_genomes.so
//   dlopen, find sortie_genomes_module ──▶ GenomesModule: version, functions
//   open_input(HtsInput)               ──▶ the file as bytes of BAM or BCF, header first
//   write_alignments(HtsOutput)        ──▶ takes bytes of BAM, gives those of SAM or CRAM
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sortie/version.hpp>

#include "base/raw_bytes.hpp"

namespace sortie::formats {

enum class HtsContents : std::uint8_t {
  kAlignments,  ///< SAM, CRAM or BAM, as BAM
  kVariants,    ///< VCF or BCF, as BCF
};

struct HtsInput {
  std::string path;  ///< "-": standard input
  HtsContents contents = HtsContents::kAlignments;
  unsigned threads = 1;   ///< that unpack beside the one that reads
  std::string reference;  ///< path of a FASTA file; empty: what the file itself names
};

/// A file as bytes that are not packed.
class HtsReader {
 public:
  virtual ~HtsReader() = default;

  /// Appends the next bytes, and returns true; false at the end. Throws Error for what htslib cannot read.
  virtual bool read(RawBytes& contents) = 0;
  /// How many bytes of its file htslib has read, those that it has not looked at yet among them; 0 if it is none.
  virtual std::uint64_t file_bytes_read() const = 0;
};

struct HtsOutput {
  bool is_cram = false;
  unsigned threads = 1;
  std::string reference;
  std::function<void(std::span<const std::byte> bytes)> take;  ///< gets the bytes of the file, on another thread
};

/// A file of alignments that is made of the bytes of BAM.
class HtsWriter {
 public:
  virtual ~HtsWriter() = default;

  virtual void write(std::span<const std::byte> contents) = 0;
  /// Returns when all bytes are taken. Throws Error for what htslib cannot write.
  virtual void finish() = 0;
};

/// What the module's one symbol returns. It begins with a C string, so that a module of another version can be told.
struct GenomesModule {
  const char* version;  ///< the same as kGenomesModuleVersion, or the rest must not be used
  std::unique_ptr<HtsReader> (*open_input)(const HtsInput& input);
  std::unique_ptr<HtsWriter> (*write_alignments)(const HtsOutput& output);
};

inline constexpr char kGenomesModuleVersion[] = SORTIE_VERSION "/3";
inline constexpr char kGenomesModuleFile[] = "libsortie_genomes.so";
/// A function of the module, `const GenomesModule* sortie_genomes_module()`.
inline constexpr char kGenomesModuleSymbol[] = "sortie_genomes_module";

}  // namespace sortie::formats
