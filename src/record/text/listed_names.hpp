// The names of a list as keys in its order, and the list of contigs in the header of VCF. The pipeline finds the list
// once the header has been read; the key step asks for each key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

class ListedNames {
 public:
  explicit ListedNames(const std::vector<std::string>& names);

  /// Appends bytes to `out` whose memcmp order is that of the list; names that are not in it come behind, as versions.
  /// Thread-safe.
  void append_key(std::string_view name, std::string& out) const;
  bool lists(std::string_view name) const { return positions_.contains(name); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };

  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> positions_;
};

/// The order with the contigs of `header`, as lines ##contig=<ID=NAME,...> list them, in keys that lack their names.
TextOrder with_contigs_found(TextOrder order, std::string_view header);

}  // namespace sortie
