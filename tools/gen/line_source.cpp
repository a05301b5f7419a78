// Lines of text of very different lengths: mostly a few words, sometimes an empty line or one of some kilobytes. The
// whole line is the key, so lines with equal codes are equal.

#include "tools/gen/record_source.hpp"
#include "tools/gen/text_words.hpp"

namespace sortie::tools {
namespace {

class LineSource final : public RecordSource {
 public:
  explicit LineSource(const DataSet& data_set)
      : keys_(data_set.distribution, static_cast<std::uint64_t>(data_set.first_record), data_set.record_count,
              data_set.seed) {}

  Layout layout() const override { return Layout{}; }
  std::uint64_t typical_record_bytes() const override { return 64; }

  void generate(std::uint64_t begin, std::uint64_t count, std::string& records) const override {
    records.clear();
    for (std::uint64_t position = begin; position < begin + count; ++position) {
      append_line(position, records);
      records += '\n';
    }
  }

 private:
  static void append_words(std::uint64_t seed, std::string& text) {
    constexpr std::uint64_t kEmptyEvery = 512;
    constexpr std::uint64_t kLongEvery = 2048;
    MixStream random(seed);
    const std::uint64_t luck = random.below(kEmptyEvery * kLongEvery);
    if (luck % kEmptyEvery == 1) return;
    const std::uint64_t words = 1 + random.below(luck % kLongEvery == 0 ? 500 : 14);
    for (std::uint64_t i = 0; i < words; ++i) {
      append_word(random, text);
      text += ' ';
    }
    append_decimal(random.next() >> 40, 1, text);
  }

  static void append_shared_beginning(std::uint64_t code, std::string& text) {
    constexpr int kWords = 6;
    MixStream random(code);
    for (int i = 0; i < kWords; ++i) {
      append_word(random, text);
      text += ' ';
    }
  }

  void append_line(std::uint64_t position, std::string& text) const {
    std::uint64_t code = 0;
    keys_.fill(position, {&code, 1});
    if (keys_.kind() == Distribution::kPrefix) {
      append_shared_beginning(code, text);
      code = keys_.random(position);
    } else if (keys_.ordered()) {
      append_ordered_letters(code, text);
      text += ' ';
    }
    append_words(code, text);
  }

  KeyDistribution keys_;
};

}  // namespace

std::unique_ptr<RecordSource> make_line_source(const DataSet& data_set) {
  return std::make_unique<LineSource>(data_set);
}

}  // namespace sortie::tools
