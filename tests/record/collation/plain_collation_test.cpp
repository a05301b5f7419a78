// Both ways to a collation key give the same bytes, so that texts by table and texts by strxfrm() mix in one sort.
#include <gtest/gtest.h>

#include <clocale>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "record/collation/backward_elements.hpp"
#include "record/collation/collation_levels.hpp"
#include "record/collation/collation_table.hpp"
#include "record/collation/plain_collation.hpp"
#include "record/collation/transformed_text.hpp"

namespace sortie {
namespace {

class PlainCollation : public testing::Test {
 protected:
  void SetUp() override {
    if (std::setlocale(LC_ALL, "en_US.UTF-8") == nullptr) GTEST_SKIP() << "no locale en_US.UTF-8";
    backward_.emplace();
    table_ = learn_collation_table(*backward_);
    if (!table_) GTEST_SKIP() << "letters are not plain in en_US.UTF-8 here";
  }
  void TearDown() override { std::setlocale(LC_ALL, "C"); }

  std::string key_by_strxfrm(const std::string& text) const {
    std::string transformed;
    append_transformed_piece(text, transformed);
    std::string key;
    append_collation_levels(*table_, transformed, backward_->seen_weights(text, split_levels(transformed)[1]), key);
    return key;
  }

  void expect_same_key(const std::string& text) const {
    std::string key = "before";
    ASSERT_TRUE(append_plain_collation(*table_, text, key)) << text;
    EXPECT_EQ(key, "before" + key_by_strxfrm(text)) << text;
  }

  std::optional<BackwardElements> backward_;
  std::optional<CollationTable> table_;
};

TEST_F(PlainCollation, OfTextsOfEveryLength) {
  std::mt19937 random(20274);
  for (const std::string_view alphabet : {"a", "aB", "a1 ,", "  zZ-09$", "1 ", "abcdefghijklmnopqrstuvwxyzABCXYZ .,"}) {
    for (std::size_t size = 0; size < 300; ++size) {
      std::string text(size, '\0');
      for (char& byte : text) byte = alphabet[random() % alphabet.size()];
      expect_same_key(text);
    }
  }
}

TEST_F(PlainCollation, OfRunsOfEveryLength) {
  for (std::size_t run = 0; run < 200; ++run) {
    expect_same_key("A" + std::string(run, 'b') + "C" + std::string(run, ' ') + "1" + std::string(run, 'D') + "e");
  }
}

TEST_F(PlainCollation, OfLongTexts) {
  std::mt19937 random(20275);
  std::string text(100000, '\0');
  for (char& byte : text) byte = static_cast<char>(' ' + random() % 95);
  expect_same_key(text);
}

TEST_F(PlainCollation, LeavesOtherTextsAlone) {
  std::string key = "before";
  EXPECT_FALSE(append_plain_collation(*table_, "é", key));
  EXPECT_FALSE(append_plain_collation(*table_, std::string_view("a\0", 2), key));
  EXPECT_FALSE(append_plain_collation(*table_, std::string(1000, 'a') + '\xff', key));
  EXPECT_EQ(key, "before");
}

TEST_F(PlainCollation, KeysAreShort) {
  const std::string text = "The quick brown fox jumps over the lazy dog, again and again, 1024 times";
  EXPECT_LT(key_by_strxfrm(text).size(), text.size() + text.size() / 2);
}

TEST_F(PlainCollation, ElementsAreTriedOutByManyThreads) {
  const std::vector<std::string> texts{"1 ä", "12 日本", "² ½a", "\xff 1a", "Ω 1 ω", "1-é-2", "11 й"};
  std::vector<std::string> expected;
  for (const std::string& text : texts) expected.push_back(key_by_strxfrm(text));
  backward_.emplace();  // knows nothing yet
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::size_t t = 0; t < texts.size(); ++t) EXPECT_EQ(key_by_strxfrm(texts[t]), expected[t]);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sortie
