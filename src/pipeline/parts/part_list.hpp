// What is known of each part: the manifest that stands beside them. src/cli/MANUAL.md has its form. There may be many
// parts, and their keys may be long: what is known of them waits in scratch space, not in memory. Used by parts alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/text_order.hpp>

#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "record/record_totals.hpp"
#include "record/text/key_texts.hpp"

namespace sortie {

/// What the manifest says of all parts together, beside totals: what made them so.
struct PartListHead {
  std::string seed;           ///< of a random order, in hexadecimal digits; empty if there is none
  std::vector<Share> shares;  ///< by which parts are told apart
};

struct PartSummary {
  std::string file;                      ///< its name, without folders
  std::string split = {};                ///< the name of its share; empty if there are none
  std::uint64_t weight = 0;              ///< of its records together
  RecordTotals totals = {};              ///< before packing, without the header
  std::uint64_t file_bytes = 0;          ///< as it is stored
  std::vector<KeyText> first_keys = {};  ///< of its first record; empty if there is none, or no keys
  std::vector<KeyText> last_keys = {};
};

class PartList {
 public:
  /// Without `has_checksums` the manifest has none, and only with `has_weights` it has weights. `scratch` must outlive
  /// this.
  PartList(ScratchSpace& scratch, bool has_checksums, PartListHead head, bool has_weights)
      : scratch_(scratch), has_checksums_(has_checksums), head_(std::move(head)), has_weights_(has_weights) {}

  void add(const PartSummary& part);
  /// Writes the manifest as JSON, with totals of all parts. Call once.
  void write(Output& target);

 private:
  void append(std::string_view text);
  void append_keys(std::string_view name, const std::vector<KeyText>& keys);
  void spill();

  ScratchSpace& scratch_;
  bool has_checksums_;
  PartListHead head_;
  bool has_weights_;
  std::uint64_t weight_ = 0;  // of all parts
  RecordTotals all_;
  std::uint64_t file_bytes_ = 0;  // of all parts
  bool is_empty_ = true;
  std::string waiting_;         // the end of the list
  std::unique_ptr<File> file_;  // its beginning; null as long as memory holds all
  std::uint64_t stored_bytes_ = 0;
};

}  // namespace sortie
