// Keys of names: as versions (-V), in the order of a karyotype, and in that of a list; and keys of alleles. The key
// step calls them. They are thread-safe, and take time linear in the name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sortie {

/// Appends bytes to `out` whose memcmp order is the version order of `text`: runs of digits count by their value, a '~'
/// comes before the end of the text, letters come before other bytes, and file suffixes count only among equals.
/// Different texts may have equal keys, as "1.0" and "01.0" do.
void append_version_key(std::string_view text, std::string& out);

/// Appends bytes to `out` whose memcmp order is that of chromosomes in a karyotype: numbers, X, Y, the mitochondrion's,
/// then all others. What a name is shows with "chr" in front of it, too; numbers among themselves, and others, are
/// ordered as versions.
void append_karyotype_key(std::string_view name, std::string& out);

/// Appends bytes to `out` whose memcmp order is that of alleles as `bcftools sort` compares them: one by one, with
/// lower case as upper case, and a list before the longer ones that begin with it. "." stands for none.
void append_alleles_key(std::string_view alleles, std::string& out);

class ListedNames {
 public:
  explicit ListedNames(const std::vector<std::string>& names);

  /// Appends bytes to `out` whose memcmp order is that of the list; names that are not in it come behind, as versions.
  void append_key(std::string_view name, std::string& out) const;
  bool lists(std::string_view name) const { return positions_.contains(name); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };

  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> positions_;
};

}  // namespace sortie
