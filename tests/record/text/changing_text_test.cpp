// Keys of lines that another program changes while they are made, as it may those of a mapped file. Such keys may have
// any value, but what is made of them must have the form that later stages rely on.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <string_view>
#include <thread>

#include <sortie/text_keys.hpp>

#include "record/text/line_reference.hpp"
#include "record/text/record_codec.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;

constexpr int kTurns = 500000;
// Longer than one block of 16 bytes but no multiple of it, and full of digits: all ways of writing are taken.
constexpr std::string_view kLine = "31415926535 89793238462.643383\n";
// What keys escape, what ends numbers and fields, and what does neither.
constexpr std::string_view kBytes("\n\0\1\2\t .-,059KxeZ\xFF", 17);

/// Changes bytes of a line, but not its end, and changes them back, for as long as it exists.
class Changing {
 public:
  explicit Changing(std::string& line)
      : thread_([this, &line, unchanged = line] {
          std::uint32_t random = 1;
          while (!stop_) {
            random = random * 1664525 + 1013904223;
            const std::size_t at = (random >> 8) % (line.size() - 1);
            volatile char* const text = line.data();
            text[at] = kBytes[(random >> 20) % kBytes.size()];
            text[at] = unchanged[at];
          }
        }) {}
  ~Changing() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

/// Whether keys of the right form stand in front of the reference, and the delimiter nowhere but at the end.
bool is_well_formed(const RecordCodec& codec, Record encoded) {
  const std::string_view text = as_text(encoded);
  if (text.find('\n') != text.size() - 1) return false;
  const KeyLayout& layout = codec.key_layout();
  std::size_t at = 0;
  for (std::size_t key = 0; key < layout.size(); ++key) {
    if (text.find(static_cast<char>(layout.end_mark(key)), at) == std::string_view::npos) return false;
    at = layout.behind_key(layout.behind_mark(encoded, at, key), key);
  }
  return at + kPositionBytes + 1 == text.size();
}

// The thread sanitizer would report what is tested here.
#ifndef __SANITIZE_THREAD__
void expect_form_kept(const Format& format, std::string_view unchanged, const char* key) {
  std::string line(unchanged);
  const RecordCodec codec = RecordCodec(format, false).referring_to(as_bytes(line));
  const Changing changing(line);
  EncodedLines out;
  int bad = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    out.clear();
    codec.encode(as_bytes(line), 0, out);
    bad += is_well_formed(codec, out.bytes()) ? 0 : 1;
  }
  EXPECT_EQ(bad, 0) << key;
}

TEST(KeysOfChangingText, KeepTheirForm) {
  for (const char* const key : {"1", "1r", "1,1", "2,2r", "1.2,1.20", "1f", "1d", "1n", "1nr", "2,2n", "1h", "1hr",
                                "1g", "1M", "1V", "1R", "1b,2.3b"}) {
    Format format;
    format.text.keys = {parse_text_key(key), parse_text_key("2,2")};
    expect_form_kept(format, kLine, key);
  }
}

TEST(KeysOfChangingText, KeepTheirFormIfTheyAreTimes) {
  for (const char* const key : {"1:time", "1:time:desc", "2:time(ns)", "1:time(%F %T.%f)"}) {
    Format format;
    format.text.keys = {parse_text_key(key), parse_text_key("2,2")};
    expect_form_kept(format, "2000-10-10 13:55:36.123456789 +0200\n", key);
  }
}

TEST(KeysOfChangingText, KeepTheirFormIfTheyAreValuesOfJson) {
  for (const char* const key : {".a", ".a:desc", ".a:n", ".b", ".b:V", ".c[1]"}) {
    Format format;
    format.text.json = true;
    format.text.keys = {make_text_key(parse_json_key(key), {}), make_text_key(parse_json_key(".b"), {})};
    expect_form_kept(format,
                     R"({"a":-12.5e+11,"b":"x\ud83d\ude00\n9","c":[0,"y"]})"
                     "\n",
                     key);
  }
}
#endif

}  // namespace
}  // namespace sortie
