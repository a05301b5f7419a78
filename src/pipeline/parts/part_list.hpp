// What is known of each part: the manifest that stands beside them. src/cli/MANUAL.md has its form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/record_totals.hpp"
#include "record/text/key_texts.hpp"

namespace sortie {

struct PartFacts {
  std::string file;                      ///< its name, without folders
  RecordTotals totals = {};              ///< before packing, without the header
  std::uint64_t file_bytes = 0;          ///< as it is stored
  std::vector<KeyText> first_keys = {};  ///< of its first record; empty if there is none, or no keys
  std::vector<KeyText> last_keys = {};
};

/// The manifest as JSON, with totals of all parts. Without `has_checksums` it has none.
std::string to_manifest(const std::vector<PartFacts>& parts, bool has_checksums);

}  // namespace sortie
