#include "pipeline/ties/tie_order.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>

#include "record/collation/collated_text.hpp"
#include "record/record_scan.hpp"
#include "record/text/line_reference.hpp"

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
    throw_if_stopped();
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

bool TieOrder::agree_up_to(Record a, Record b, std::size_t rank) const {
  const std::size_t bytes = codec_.key_layout().rank_offset(a, rank);
  return b.size() >= bytes && std::memcmp(a.data(), b.data(), bytes) == 0;
}

bool TieOrder::are_same_line(Record a, Record b) const {
  const Record line_a = codec_.decode(a);
  const Record line_b = codec_.decode(b);
  return line_a.size() == line_b.size() && std::memcmp(line_a.data(), line_b.data(), line_a.size()) == 0;
}

bool TieOrder::have_same_texts(Record a, Record b) const {
  throw_if_stopped();
  if (are_same_line(a, b)) return true;
  KeyTextScratch scratch_a;
  KeyTextScratch scratch_b;
  for (std::size_t rank = 0; rank < codec_.key_layout().collated_count(); ++rank) {
    if (codec_.collated_text(a, rank, scratch_a) != codec_.collated_text(b, rank, scratch_b)) return false;
  }
  return true;
}

bool TieOrder::have_texts_of(Record first, std::span<const std::byte> lines) const {
  return leading_bytes(layout_, lines, [&](Record line) { return have_same_texts(first, line); }) == lines.size();
}

void TieOrder::order(std::span<std::byte> bytes) const {
  if (have_texts_of(first_record(layout_, bytes), bytes)) return;
  std::vector<std::span<std::byte>> lines;
  for_each_record(layout_, bytes, [&](const std::byte* line, std::uint64_t stored) {
    lines.push_back(bytes.subspan(static_cast<std::size_t>(line - bytes.data()), static_cast<std::size_t>(stored)));
  });
  order_by_text(lines, 0);
  if (std::ranges::is_sorted(lines, {}, [](std::span<std::byte> line) { return line.data(); })) return;
  std::vector<std::byte> ordered;
  ordered.reserve(bytes.size());
  for (const std::span<std::byte> line : lines) ordered.insert(ordered.end(), line.begin(), line.end());
  std::ranges::copy(ordered, bytes.begin());
}

bool TieOrder::have_one_text(Lines lines, std::size_t rank) const {
  KeyTextScratch scratch;
  const std::string_view first = codec_.collated_text(lines[0], rank, scratch);
  KeyTextScratch other_scratch;
  return std::ranges::all_of(lines.subspan(1), [&](std::span<std::byte> line) {
    throw_if_stopped();
    return codec_.collated_text(line, rank, other_scratch) == first;
  });
}

/// Orders lines that agree up to `rank`.
void TieOrder::order_by_text(Lines lines, std::size_t rank) const {
  if (lines.size() < 2) return;
  if (have_one_text(lines, rank)) return order_classes(lines, rank);
  TieTexts texts;
  KeyTextScratch scratch;
  for (const std::span<std::byte> line : lines) {
    throw_if_stopped();
    texts.add(codec_.collated_text(line, rank, scratch));
  }
  const std::vector<std::uint64_t> ranks = texts.rank(codec_.locale(), codec_.is_descending(rank));
  // For every rank, the position of its next line.
  std::vector<std::size_t> positions(*std::ranges::max_element(ranks) + 1);
  for (const std::uint64_t number : ranks) ++positions[number];
  std::exclusive_scan(positions.begin(), positions.end(), positions.begin(), std::size_t{0});
  std::vector<std::span<std::byte>> ordered(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    store_rank(ranks[i], lines[i].data() + codec_.key_layout().rank_offset(lines[i], rank));
    ordered[positions[ranks[i]]++] = lines[i];
  }
  std::ranges::copy(ordered, lines.begin());
  order_classes(lines, rank);
}

/// Takes lines in the order of their ranks, and orders those with equal ranks by the keys that follow.
void TieOrder::order_classes(Lines lines, std::size_t rank) const {
  if (rank + 1 == codec_.key_layout().collated_count()) return;
  while (!lines.empty()) {
    std::size_t size = 1;
    while (size < lines.size() && agree_up_to(lines[0], lines[size], rank + 1)) ++size;
    order_by_text(lines.first(size), rank + 1);
    lines = lines.subspan(size);
  }
}

void TieOrder::open_ranks(std::span<std::byte> line) const {
  const KeyLayout& keys = codec_.key_layout();
  for (std::size_t rank = 0; rank < keys.collated_count(); ++rank) {
    store_rank(kNoRank, line.data() + keys.rank_offset(line, rank));
  }
}

void TieOrder::rank_behind(Record before, std::span<std::byte> line) const {
  throw_if_stopped();
  const KeyLayout& keys = codec_.key_layout();
  bool agrees = !before.empty();
  const bool repeats = agrees && are_same_line(before, line);
  for (std::size_t rank = 0; rank < keys.collated_count(); ++rank) {
    const std::size_t offset = keys.rank_offset(line, rank);
    std::uint64_t number = kNoRank + 1;
    agrees = agrees && agree_up_to(before, line, rank);
    if (repeats && agrees) {
      number = load_rank(before.data() + offset);
    } else if (agrees) {
      KeyTextScratch scratch;
      KeyTextScratch scratch_before;
      const int order = compare_collated(codec_.locale(), codec_.collated_text(before, rank, scratch_before),
                                         codec_.collated_text(line, rank, scratch));
      number = load_rank(before.data() + offset) + (order == 0 ? 0 : 1);
    }
    store_rank(number, line.data() + offset);
  }
}

}  // namespace sortie
