#include "record/text/karyotype_key.hpp"

#include <algorithm>

#include "record/text/byte_words.hpp"
#include "record/text/version_key.hpp"

namespace sortie {
namespace {

/// In the order of the key.
enum class NameKind : char { kNumber = '1', kX, kY, kMitochondrion, kOther };

NameKind kind_of(std::string_view name) {
  for (const std::string_view prefix : {"chr", "Chr", "CHR"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    break;
  }
  if (!name.empty() && std::ranges::all_of(name, is_digit)) return NameKind::kNumber;
  if (name == "X") return NameKind::kX;
  if (name == "Y") return NameKind::kY;
  return name == "M" || name == "MT" ? NameKind::kMitochondrion : NameKind::kOther;
}

}  // namespace

void append_karyotype_key(std::string_view name, std::string& out) {
  out += static_cast<char>(kind_of(name));
  append_version_key(name, out);
}

}  // namespace sortie
