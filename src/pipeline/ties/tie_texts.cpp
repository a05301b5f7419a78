#include "pipeline/ties/tie_texts.hpp"

#include <span>

#include "pipeline/ties/stable_merge_sort.hpp"
#include "record/text/tie_rank.hpp"

namespace sortie {

void TieTexts::add(std::string_view text) {
  texts_.push_back({bytes_.size(), text.size(), texts_.size()});
  bytes_.append(text).push_back('\0');
}

std::vector<std::uint64_t> TieTexts::rank(const LocaleHandle& locale, bool descending) {
  std::vector<Repeats> different = find_repeats();
  const auto compare = [&](const Repeats& a, const Repeats& b) {
    const int order = compare_collated(locale, first_of(a), first_of(b));
    return descending ? -order : order;
  };
  stable_merge_sort(std::span(different), [&](const Repeats& a, const Repeats& b) { return compare(a, b) < 0; });
  std::vector<std::uint64_t> ranks(texts_.size());
  std::uint64_t rank = kNoRank + 1;
  for (std::size_t i = 0; i < different.size(); ++i) {
    if (i > 0 && compare(different[i - 1], different[i]) != 0) ++rank;
    for (std::size_t k = different[i].begin; k < different[i].end; ++k) ranks[texts_[k].number] = rank;
  }
  return ranks;
}

// Any order will do that puts equal texts side by side.
std::vector<TieTexts::Repeats> TieTexts::find_repeats() {
  stable_merge_sort(std::span(texts_), [this](const Text& a, const Text& b) {
    return a.size != b.size ? a.size < b.size : bytes_of(a) < bytes_of(b);
  });
  std::vector<Repeats> different;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (i == 0 || bytes_of(texts_[i]) != bytes_of(texts_[i - 1])) different.push_back({i, i});
    ++different.back().end;
  }
  return different;
}

TerminatedText TieTexts::first_of(const Repeats& repeats) const {
  const Text& text = texts_[repeats.begin];
  return {bytes_.data() + text.begin, text.size};
}

}  // namespace sortie
