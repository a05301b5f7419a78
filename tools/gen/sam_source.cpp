// Alignments as SAM: pairs of reads on 24 long references and 200 short ones, with qualities of few values as
// sequencers give them, clipped ends, tags, pairs of which one read is not mapped, and pairs without a place. The first
// record has the header in front. The bases are those of made-up references, so that reads of one place are alike.
#include <algorithm>
#include <string>
#include <string_view>

#include "tools/gen/mix.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

constexpr std::uint64_t kLongReferences = 24;
constexpr std::uint64_t kShortReferences = 200;
constexpr std::uint64_t kReadBases = 150;
constexpr std::uint64_t kMostInsert = 600;
constexpr std::uint64_t kHundred = 100;

std::string reference_name(std::uint64_t number) {
  return number < kLongReferences ? "chr" + std::to_string(number + 1) : "contig" + std::to_string(number);
}

std::uint64_t reference_length(std::uint64_t number) {
  return number < kLongReferences ? 240'000'000 - number * 8'000'000 : 2'000 + number * 100;
}

/// A read, and what its mate knows of it.
struct Read {
  std::uint64_t position = 0;  // from 1
  bool is_mapped = true;
  bool is_reverse = false;
  std::uint64_t clipped = 0;  // bases at the end that lies first
};

/// Two reads of one fragment. It follows from the number of the pair.
struct Pair {
  Pair(std::uint64_t seed) : random(seed) {
    const std::uint64_t kind = random.below(kHundred);
    reference =
        random.below(kHundred) < 95 ? random.below(kLongReferences) : kLongReferences + random.below(kShortReferences);
    has_place = kind >= 3;
    reads[1].is_mapped = kind >= 6;
    reads[0].is_mapped = has_place;
    reads[0].position = 1 + (random.next() >> 16) % (reference_length(reference) - 2 * kMostInsert);
    reads[1].position = reads[0].position + (reads[1].is_mapped ? random.below(kMostInsert) : 0);
    const bool is_turned = random.below(2) == 1;
    for (Read& read : reads) {
      read.clipped = random.below(kHundred) < 10 ? 1 + random.below(30) : 0;
    }
    reads[is_turned ? 0 : 1].is_reverse = true;
  }

  MixStream random;
  std::uint64_t reference = 0;
  bool has_place = true;
  Read reads[2];
};

std::string cigar_of(const Read& read) {
  if (!read.is_mapped) return "*";
  if (read.clipped == 0) return std::to_string(kReadBases) + "M";
  return std::to_string(read.clipped) + "S" + std::to_string(kReadBases - read.clipped) + "M";
}

class SamSource final : public VariousSource {
 public:
  explicit SamSource(const DataSet& data_set) : VariousSource(data_set, {}, 400) {}

 private:
  static void append_header(std::string& text) {
    text += "@HD\tVN:1.6\tSO:unsorted\n";
    for (std::uint64_t i = 0; i < kLongReferences + kShortReferences; ++i) {
      text += "@SQ\tSN:" + reference_name(i) + "\tLN:" + std::to_string(reference_length(i)) + "\n";
    }
    text += "@RG\tID:lane1\tSM:sample\tLB:library1\n@RG\tID:lane2\tSM:sample\tLB:library2\n";
  }

  static void append_bases(std::uint64_t reference, std::uint64_t position, MixStream& random, std::string& text) {
    constexpr std::uint64_t kBasesOfWord = 32;
    for (std::uint64_t i = position; i < position + kReadBases; ++i) {
      const std::uint64_t word = random_at(reference, i / kBasesOfWord);
      text += "ACGT"[word >> 2 * (i % kBasesOfWord) & 3];
    }
    if (random.below(3) == 0) text[text.size() - 1 - static_cast<std::size_t>(random.below(kReadBases))] = 'N';
  }

  static void append_qualities(MixStream& random, std::string& text) {
    for (std::uint64_t done = 0; done < kReadBases;) {
      const std::uint64_t run = std::min(kReadBases - done, 1 + random.below(24));
      text.append(static_cast<std::size_t>(run), "FFFFFFF:,#"[random.below(10)]);
      done += run;
    }
  }

  static unsigned flag_of(const Pair& pair, const Read& read, const Read& mate, bool is_first) {
    unsigned flag = 1 | (is_first ? 0x40U : 0x80U);
    if (read.is_mapped && mate.is_mapped) flag |= 2;
    if (!read.is_mapped) flag |= 4;
    if (!mate.is_mapped) flag |= 8;
    if (read.is_mapped && read.is_reverse) flag |= 0x10;
    if (mate.is_mapped && mate.is_reverse && pair.has_place) flag |= 0x20;
    return flag;
  }

  void append_record(std::uint64_t position, std::uint64_t, std::string& text) const override {
    if (position == 0) append_header(text);
    const std::uint64_t number = position / 2;
    const std::uint64_t seed = keys().random(number);
    const Pair pair(seed);
    const bool is_first = position % 2 == 0;
    const Read& read = pair.reads[is_first ? 0 : 1];
    const Read& mate = pair.reads[is_first ? 1 : 0];
    MixStream random(~keys().random(position));
    text += "INSTR:12:FLOW:" + std::to_string(1 + seed % 4) + ":" + std::to_string(1101 + number / 100'000 % 1000) +
            ":" + std::to_string((seed >> 8) % 30'000) + ":" + std::to_string(number) + "\t" +
            std::to_string(flag_of(pair, read, mate, is_first)) + "\t";
    const std::string name = reference_name(pair.reference);
    const std::string place = pair.has_place ? std::to_string(read.position) : "0";
    const std::string mate_place = pair.has_place ? std::to_string(mate.position) : "0";
    text += (pair.has_place ? name : "*") + "\t" + place + "\t" + (read.is_mapped ? "60" : "0") + "\t" +
            cigar_of(read) + "\t" + (pair.has_place ? "=" : "*") + "\t" + mate_place + "\t0\t";
    append_bases(pair.reference, read.position, random, text);
    text += '\t';
    append_qualities(random, text);
    if (mate.is_mapped && pair.has_place) text += "\tMC:Z:" + cigar_of(mate);
    if (read.is_mapped)
      text += "\tNM:i:" + std::to_string(random.below(5)) + "\tAS:i:" + std::to_string(random.below(150));
    text += random.below(2) == 0 ? "\tRG:Z:lane1\n" : "\tRG:Z:lane2\n";
  }
};

}  // namespace

std::unique_ptr<RecordSource> make_sam_source(const DataSet& data_set) { return std::make_unique<SamSource>(data_set); }

}  // namespace sortie::tools
