#include "option/request.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sortie::option {
namespace {

bool is_among(const std::vector<const Spec*>& specs, std::string_view name) {
  return std::ranges::any_of(specs, [&](const Spec* spec) { return is_called(*spec, name); });
}

}  // namespace

void Request::take(const Spec& spec, const Value& value) {
  // Python's False asks for nothing.
  const bool asks = !value.is_flag() || value.as_flag();
  if (!spec.is_set && asks) given_.push_back(&spec);
  spec.set(*this, value);
}

std::vector<const Spec*> Request::given() const {
  std::vector<const Spec*> specs = given_in(options);
  specs.insert(specs.end(), given_.begin(), given_.end());
  return specs;
}

const Spec* Request::first_about(unsigned bit) const {
  for (const Spec* const spec : given()) {
    if ((spec->about & bit) != 0) return spec;
  }
  return nullptr;
}

const Spec* Request::first_of_lines_only() const {
  for (const Spec* const spec : given()) {
    // Records of formats are in a stable order anyway, of which each says whether it can be reversed, and variants in
    // that of --vcf.
    const bool fits = spec->long_name == "stable" || spec->long_name == "reverse" ||
                      (order.genome == GenomeFile::kVcf && is_called(*spec, "vcf"));
    if ((spec->about & (kOrders | kOfLines)) != 0 && !fits) return spec;
  }
  return nullptr;
}

bool Request::may_be_file_format() const {
  if (door == Door::kGnuSort || !options.unpack || first_of_lines_only() != nullptr) return false;
  const bool is_vcf = order.genome == GenomeFile::kVcf;
  const std::vector<const Spec*> specs = given();
  for (const std::string_view name : {"format", "field", "no-header", "quote", "-z", "delimiter"}) {
    if (is_among(specs, name) && !(is_vcf && name == "format")) return false;
  }
  return (is_vcf || !has_header()) && is_sort_or_check();
}

bool Request::is_sort_or_check() const {
  return !debug && !explain && !columns && !shards.asks_for_shards() && !join.asks_for_join();
}

}  // namespace sortie::option
