// Escaped keys keep their order, can be restored, contain neither delimiter nor end mark, and stay within their room.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <sortie/text_keys.hpp>

#include "record/text/key_writer.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

struct Scheme {
  char delimiter;
  bool descending;
};

constexpr Scheme kSchemes[] = {{'\n', false}, {'\n', true},    {'\0', false},
                               {'\0', true},  {'\x1e', false}, {'\x1e', true}};

std::string written(const KeyWriter& writer, const std::string& key) {
  std::string out(KeyWriter::room(key.size()) + 4, '\x55');
  const std::byte* const begin = test::as_writable(out).data();
  const std::byte* const end = writer.write(key, test::as_writable(out).data());
  EXPECT_EQ(out.substr(out.size() - 4), "\x55\x55\x55\x55") << "written beyond the room";
  return out.substr(0, static_cast<std::size_t>(end - begin));
}

std::string restored(const KeyWriter& writer, std::string key) {
  std::byte* const begin = test::as_writable(key).data();
  const std::size_t bytes = writer.restored_bytes(begin, begin + key.size());
  std::string elsewhere(key.size() + 4, '\x55');
  std::byte* const out = test::as_writable(elsewhere).data();
  const auto size = static_cast<std::size_t>(writer.restore(begin, begin + key.size(), out) - out);
  EXPECT_EQ(elsewhere.substr(key.size()), "\x55\x55\x55\x55") << "restored beyond the room";
  EXPECT_EQ(static_cast<std::size_t>(writer.restore(begin, begin + key.size(), begin) - begin), size);
  key.resize(size);
  EXPECT_EQ(key.size(), bytes);
  EXPECT_EQ(elsewhere.substr(0, size), key);
  return key;
}

/// All keys of up to `most` bytes that have a meaning in a scheme, or are neighbours of such bytes.
std::vector<std::string> short_keys(std::size_t most) {
  const std::string bytes("\x00\x01\x02\x03\x04\x09\x0a\x0b\x0c\x1e\x1f\x20\xe0\xe1\xf3\xf4\xf5\xf6\xfd\xfe\xff", 21);
  std::vector<std::string> keys = {""};
  for (std::size_t begin = 0, length = 0; length < most; ++length) {
    const std::size_t end = keys.size();
    for (; begin < end; ++begin) {
      for (const char byte : bytes) keys.push_back(keys[begin] + byte);
    }
  }
  return keys;
}

void expect_order_kept(std::vector<std::string> keys, const Scheme& scheme) {
  const KeyWriter writer(scheme.delimiter, scheme.descending, nullptr);
  std::sort(keys.begin(), keys.end());
  if (scheme.descending) std::reverse(keys.begin(), keys.end());
  std::string before;
  for (const std::string& key : keys) {
    // Bytes after a key must not count.
    const std::string after = written(writer, key);
    ASSERT_LT(before, after) << testing::PrintToString(key) << " with delimiter " << int{scheme.delimiter}
                             << (scheme.descending ? ", descending" : "");
    before = after + '\xff';
    ASSERT_EQ(after.find(scheme.delimiter), std::string::npos);
    ASSERT_EQ(after.find(static_cast<char>(writer.end_mark())), after.size() - 1);
    ASSERT_EQ(restored(writer, after.substr(0, after.size() - 1)), key);
  }
}

TEST(KeyWriter, KeepsTheOrderOfKeysOfEveryByte) {
  for (const Scheme& scheme : kSchemes) expect_order_kept(short_keys(3), scheme);
}

TEST(KeyWriter, KeepsTheOrderOfLongKeys) {
  std::mt19937 random(5);
  const std::vector<std::string> parts = short_keys(1);
  std::vector<std::string> keys;
  for (int i = 0; i < 5000; ++i) {
    std::string key(random() % 10, 'x');
    for (auto more = random() % 30; more > 0; --more) key += random() % 4 == 0 ? parts[random() % parts.size()] : "y";
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const Scheme& scheme : kSchemes) expect_order_kept(keys, scheme);
}

std::string written_without_mark(const KeyWriter& writer, const std::string& key) {
  const std::string out = written(writer, key);
  return out.substr(0, out.size() - 1);
}

TEST(KeyWriter, EscapesAByteWhereverItStands) {
  for (const Scheme& scheme : kSchemes) {
    const KeyWriter writer(scheme.delimiter, scheme.descending, nullptr);
    const auto without_mark = [&](const std::string& key) { return written_without_mark(writer, key); };
    for (std::size_t length = 1; length < 50; ++length) {
      const std::string text(length, 'm');
      for (std::size_t at = 0; at < length; ++at) {
        for (const char byte :
             {'\x00', '\x01', '\x02', '\x0a', '\x0b', '\x1e', '\x1f', '\xe1', '\xf4', '\xf5', '\xff'}) {
          std::string key = text;
          key[at] = byte;
          ASSERT_EQ(without_mark(key), without_mark(text.substr(0, at)) + without_mark(std::string(1, byte)) +
                                           without_mark(text.substr(at + 1)));
        }
      }
    }
  }
}

TEST(KeyWriter, EscapesTwoBytesWhereverTheyStand) {
  for (const Scheme& scheme : kSchemes) {
    const KeyWriter writer(scheme.delimiter, scheme.descending, nullptr);
    for (const std::string& bytes : {std::string("\x00\x0a", 2), std::string("\x01\xf5"), std::string("\x1f\xe1")}) {
      for (const std::size_t length : {8, 15, 16, 17, 31, 33}) {
        for (std::size_t first = 0; first < length; ++first) {
          for (std::size_t second = 0; second < length; ++second) {
            std::string key(length, 'm');
            key[first] = bytes[0];
            key[second] = bytes[1];
            std::string each;
            for (const char byte : key) each += written_without_mark(writer, std::string(1, byte));
            ASSERT_EQ(written_without_mark(writer, key), each);
          }
        }
      }
    }
  }
}

TEST(KeyWriter, LeavesTextAsItIs) {
  const KeyWriter writer('\n', false, nullptr);
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string text = std::string("The quick brown fox jumps over the lazy dog.").substr(0, length);
    EXPECT_EQ(written(writer, text), text + '\0');
  }
}

TEST(KeyWriter, ComplementsDescendingText) {
  EXPECT_EQ(written(KeyWriter('\n', true, nullptr), "AB\xc3"), "\xbe\xbd\x3c\xff");
}

TEST(KeyWriter, FoldsAndFiltersOnTheWay) {
  const TextLocale locale = c_text_locale();
  const std::string text = "az{`@AZ[ Mixed, \xe4\xff\t-.";
  for (const char* const definition : {"1f", "1d", "1i", "1df"}) {
    const TextFilter filter(parse_text_key(definition), locale);
    std::string filtered;
    filter.apply(text, filtered);
    for (const Scheme& scheme : kSchemes) {
      EXPECT_EQ(written(KeyWriter(scheme.delimiter, scheme.descending, &filter), text),
                written(KeyWriter(scheme.delimiter, scheme.descending, nullptr), filtered));
    }
  }
}

TEST(KeyWriter, EndsPlainKeysInPlace) {
  std::string key = "\x10\x80\xf0?";
  const auto bytes = test::as_writable(key);
  EXPECT_EQ(KeyWriter('\n', true, nullptr).finish_plain(bytes.data(), bytes.data() + 3), bytes.data() + 4);
  EXPECT_EQ(key, "\xef\x7f\x0f\xff");
}

}  // namespace
}  // namespace sortie
