#include "entries/loser_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

namespace sortie {
namespace {

struct Element {
  std::uint64_t word = 0;
  int tail = 0;
  std::size_t source = 0;
  std::size_t position = 0;

  friend bool operator==(const Element&, const Element&) = default;
};

class ListSource {
 public:
  explicit ListSource(std::vector<Element> elements) : elements_(std::move(elements)) {}

  bool exhausted() const { return next_ == elements_.size(); }
  std::uint64_t word() const { return elements_[next_].word; }
  void advance() { ++next_; }
  int compare_tail(const ListSource& other) const { return element().tail - other.element().tail; }
  const Element& element() const { return elements_[next_]; }

 private:
  std::vector<Element> elements_;
  std::size_t next_ = 0;
};

bool before(const Element& a, const Element& b) {
  return std::tie(a.word, a.tail, a.source, a.position) < std::tie(b.word, b.tail, b.source, b.position);
}

std::vector<std::vector<Element>> make_lists(std::size_t count, std::size_t most, std::mt19937_64& random) {
  // Few words and tails, so that most matches are ties. The tree uses the largest word for exhausted sources too.
  const std::uint64_t words[] = {0, 1, ~std::uint64_t{0}};
  std::vector<std::vector<Element>> lists(count);
  for (std::size_t s = 0; s < count; ++s) {
    lists[s].resize(random() % (most + 1));
    for (Element& element : lists[s]) element = {words[random() % 3], static_cast<int>(random() % 2), s, 0};
    std::ranges::sort(lists[s], before);
    for (std::size_t i = 0; i < lists[s].size(); ++i) lists[s][i].position = i;
  }
  return lists;
}

std::vector<Element> merged(const std::vector<std::vector<Element>>& lists) {
  LoserTree<ListSource> tree(std::vector<ListSource>(lists.begin(), lists.end()));
  std::vector<Element> out;
  while (!tree.top().exhausted()) {
    out.push_back(tree.top().element());
    tree.advance();
  }
  return out;
}

TEST(LoserTree, MergesAnyNumberOfSourcesStably) {
  std::mt19937_64 random(11);
  for (std::size_t sources = 1; sources <= 17; ++sources) {
    for (const std::size_t most : {0, 1, 3, 40}) {
      const auto lists = make_lists(sources, most, random);
      std::vector<Element> expected;
      for (const auto& list : lists) expected.insert(expected.end(), list.begin(), list.end());
      std::ranges::sort(expected, before);
      EXPECT_EQ(merged(lists), expected) << sources << " sources of up to " << most;
    }
  }
}

TEST(LoserTree, TakesTheLeastNextElementOfSourcesThatAreNotInOrder) {
  std::mt19937_64 random(12);
  for (std::size_t sources = 1; sources <= 9; ++sources) {
    auto lists = make_lists(sources, 20, random);
    for (auto& list : lists) std::ranges::shuffle(list, random);
    std::vector<Element> expected;
    std::vector<std::size_t> next(sources);
    while (true) {
      std::optional<std::size_t> least;
      for (std::size_t s = 0; s < sources; ++s) {
        const auto key = [&](std::size_t source) {
          return std::pair(lists[source][next[source]].word, lists[source][next[source]].tail);
        };
        if (next[s] < lists[s].size() && (!least || key(s) < key(*least))) least = s;
      }
      if (!least) break;
      expected.push_back(lists[*least][next[*least]++]);
    }
    EXPECT_EQ(merged(lists), expected) << sources << " sources";
  }
}

TEST(LoserTree, IsExhaustedAtOnceIfAllSourcesAre) { EXPECT_TRUE(merged({{}, {}, {}}).empty()); }

}  // namespace
}  // namespace sortie
