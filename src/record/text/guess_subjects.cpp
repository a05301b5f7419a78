#include "record/text/guess_subjects.hpp"

#include <algorithm>

#include <sortie/genome_order.hpp>

#include "base/quote.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

/// What the keys of a place in a genome are called. A second key of the chromosome has no name.
std::vector<std::string> genome_names(GenomeFile file, ChromosomeOrder chromosomes) {
  std::vector<std::string> names = {"the chromosome"};
  if (chromosomes != ChromosomeOrder::kBytes) names.emplace_back();
  names.emplace_back(file == GenomeFile::kVcf ? "the position" : "the start");
  if (file != GenomeFile::kVcf) names.emplace_back("the end");
  return names;
}

/// The names of the keys that are those of a genome; other keys may stand in front of them, or behind. BED comes before
/// VCF, as its keys begin like those, and orders by bytes last, as others end like them.
void name_genome_keys(const TextOrder& order, std::vector<std::string>& names) {
  using enum ChromosomeOrder;
  constexpr std::size_t kFewestGenomeKeys = 2;  // the chromosome and the position
  if (order.last_resort || order.keys.size() < kFewestGenomeKeys) return;
  const auto is_same = [](TextKey key, const TextKey& wanted) {
    key.names.clear();
    key.names_are_optional = wanted.names_are_optional;
    return key == wanted;
  };
  for (const GenomeFile file : {GenomeFile::kBed, GenomeFile::kGff, GenomeFile::kVcf}) {
    for (const ChromosomeOrder chromosomes : {kNatural, kKaryotype, kList, kBytes}) {
      TextOrder genome = genome_order(file, chromosomes);
      // Other keys may stand in front of them.
      std::erase_if(genome.keys, [](const TextKey& key) { return key.kind == TextKind::kAlleles; });
      const auto found =
          std::search(order.keys.begin(), order.keys.end(), genome.keys.begin(), genome.keys.end(), is_same);
      if (found == order.keys.end() || order.separator != genome.separator) continue;
      std::ranges::copy(genome_names(file, chromosomes), names.begin() + (found - order.keys.begin()));
      return;
    }
  }
}

std::string name_of(const TextOrder& order, const TextKey& key, const std::string& without_column) {
  if (key.column.empty()) return without_column;
  // "2,2n" could be a name, but hardly is one.
  if (key.may_be_position && !std::ranges::all_of(key.column, is_digit)) return without_column;
  return (order.json ? "value " : "column ") + quote_word(key.column);
}

/// Guesses about two keys of one column are counted apart.
void distinguish_keys(std::vector<std::string>& subjects) {
  for (std::size_t i = 1; i < subjects.size(); ++i) {
    const bool is_named = std::find(subjects.begin(), subjects.begin() + static_cast<std::ptrdiff_t>(i), subjects[i]) !=
                          subjects.begin() + static_cast<std::ptrdiff_t>(i);
    if (is_named && !subjects[i].empty()) subjects[i] += ", key " + std::to_string(i + 1);
  }
}

}  // namespace

bool is_own_key(const TextOrder& order, const TextKey& key) {
  return order.csv || order.json || key.kind == TextKind::kTime || key.kind == TextKind::kKaryotype ||
         key.kind == TextKind::kListed || key.kind == TextKind::kHash || key.kind == TextKind::kShare ||
         key.normal.is_wanted();
}

bool has_last_resort(const TextOrder& order) {
  if (!order.last_resort || order.csv || order.record_start) return false;
  return std::ranges::none_of(order.keys, [&](const TextKey& key) { return is_own_key(order, key); });
}

std::vector<std::string> guess_subjects(const TextOrder& order, const Grouping* grouping, bool all_keys) {
  std::vector<std::string> subjects;
  for (const TextKey& key : order.keys) {
    const bool counts = all_keys || grouping != nullptr || is_own_key(order, key);
    subjects.push_back(counts ? name_of(order, key, "key " + std::to_string(subjects.size() + 1)) : "");
  }
  name_genome_keys(order, subjects);
  distinguish_keys(subjects);
  if (grouping != nullptr) {
    const auto keys = static_cast<std::ptrdiff_t>(subjects.size());
    for (const Aggregate& aggregate : grouping->aggregates) {
      if (aggregate.kind == AggregateKind::kCount) continue;
      std::string name = name_of(order, aggregate.field, "field " + std::to_string(aggregate.field.begin.field + 1));
      // A record without the value counts once, however many aggregates want it.
      const bool is_named = std::ranges::count(subjects.begin() + keys, subjects.end(), name) > 0;
      subjects.push_back(is_named ? std::string() : std::move(name));
    }
  }
  if (order.csv && order.quoting_is_assumed) subjects.emplace_back(kQuotesSubject);
  return subjects;
}

std::vector<std::string> guess_subjects(const SortOptions& options) {
  const Format& format = options.format;
  // A shuffle may have the key of a share.
  const bool is_unread = format.shuffle && !format.text.csv && format.text.keys.empty();
  if (format.kind != RecordKind::kLines || is_unread) return {};
  return guess_subjects(format.text, options.grouping ? &*options.grouping : nullptr,
                        options.strict || options.parts.by_first_key);
}

bool counts_guesses(const SortOptions& options) {
  return !std::ranges::all_of(guess_subjects(options), &std::string::empty);
}

}  // namespace sortie
