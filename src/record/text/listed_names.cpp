#include "record/text/listed_names.hpp"

#include <algorithm>

#include "record/text/vcf_header.hpp"
#include "record/text/version_key.hpp"

namespace sortie {
namespace {

constexpr char kListed = '1';
constexpr char kOther = '2';

std::size_t count_contigs(std::string_view header) {
  std::size_t count = 0;
  for (std::size_t at = header.find(kContig); at != std::string_view::npos; at = header.find(kContig, at + 1)) ++count;
  return count;
}

std::vector<std::string> contigs_of(std::string_view header) {
  std::vector<std::string> names;
  names.reserve(count_contigs(header));  // there may be many
  while (!header.empty()) {
    std::string_view line = header.substr(0, header.find('\n'));
    header.remove_prefix(std::min(header.size(), line.size() + 1));
    if (!line.starts_with(kContig)) continue;
    const std::string_view name = vcf_attribute(line.substr(0, line.find_last_not_of('\r') + 1), "ID");
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

}  // namespace

ListedNames::ListedNames(const std::vector<std::string>& names) {
  for (const std::string& name : names) positions_.try_emplace(name, positions_.size());
}

void ListedNames::append_key(std::string_view name, std::string& out) const {
  const auto found = positions_.find(name);
  if (found == positions_.end()) {
    out += kOther;
    return append_version_key(name, out);
  }
  out += kListed;
  append_version_key(std::to_string(found->second), out);
}

TextOrder with_contigs_found(TextOrder order, std::string_view header) {
  for (TextKey& key : order.keys) {
    if (key.kind == TextKind::kListed && key.names.empty()) key.names = contigs_of(header);
  }
  return order;
}

}  // namespace sortie
