// The lines of a manifest: written lines are read, cut-off lines are dropped, damaged ones are refused.
#include "pipeline/checkpoint/manifest.hpp"

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

const CheckpointLocation kLocation{"DIR"};

ManifestHeader some_header() {
  ManifestHeader header;
  header.job_id = 0xfedc'ba98'7654'3210;
  header.made_directory = true;
  for (std::size_t i = 0; i < header.seed.size(); ++i) header.seed[i] = std::byte(i + 1);
  header.identity = {{1, 2}, {3, ~std::uint64_t{0}}};
  return header;
}

KeptRun some_run(std::uint64_t number) {
  return {number, 1000 + number, number * 77, {number, 8 * number, {number, 5}}};
}

InputMark some_mark(std::uint64_t records) {
  InputMark mark{records / 100, records, {records, 10 * records, {records, 9}}};
  mark.assumed.records = records - records % 2;
  if (records < 100) return mark;
  mark.assumed.guesses.push_back({.kind = GuessKind::kUnreadTime,
                                  .subject = "key 1",
                                  .count = records / 7,
                                  .text = std::string("a b\n\0", 5),
                                  .position = {.path = "/in put", .line = 8}});
  mark.assumed.guesses.push_back({.kind = GuessKind::kEmptyKey, .subject = "key 2", .count = records});
  return mark;
}

struct Written {
  Manifest manifest{some_header()};
  std::vector<std::string> lines{manifest.header_line()};

  std::string text() const {
    std::string all;
    for (const std::string& line : lines) all += line;
    return all;
  }
};

Written some_manifest() {
  Written written;
  written.lines.push_back(written.manifest.add_run(some_run(0), some_mark(50)));
  written.lines.push_back(written.manifest.add_run(some_run(2), some_mark(120)));
  written.lines.push_back(written.manifest.add_run(some_run(1), some_mark(130)));
  written.lines.push_back(written.manifest.replace_runs(1, 2, some_run(3)));
  return written;
}

TEST(Manifest, IsReadAsItWasWritten) {
  const Written written = some_manifest();
  const Manifest read = Manifest::parse(written.text(), kLocation);
  EXPECT_EQ(read.header(), some_header());
  EXPECT_EQ(read.runs(), (std::vector{some_run(0), some_run(3)}));
  EXPECT_EQ(read.runs(), written.manifest.runs());
  EXPECT_EQ(read.end(), some_mark(130));
  EXPECT_EQ(read.next_number(), 4U);
  EXPECT_EQ(read.text_bytes(), written.text().size());
}

TEST(Manifest, GoesOnWhereItWasRead) {
  Written written = some_manifest();
  Manifest read = Manifest::parse(written.text(), kLocation);
  EXPECT_EQ(read.add_run(some_run(9), some_mark(500)), written.manifest.add_run(some_run(9), some_mark(500)));
}

TEST(Manifest, DropsALastLineThatIsCutShort) {
  const Written written = some_manifest();
  const std::string text = written.text();
  const std::size_t last = text.size() - written.lines.back().size();
  for (std::size_t bytes = last; bytes < text.size(); ++bytes) {
    const Manifest read = Manifest::parse(text.substr(0, bytes), kLocation);
    EXPECT_EQ(read.text_bytes(), last) << bytes;
    EXPECT_EQ(read.runs().size(), 3U);
    EXPECT_EQ(Manifest::parse(text.substr(0, bytes) + std::string(text.size() - bytes, '\0'), kLocation).text_bytes(),
              last);
  }
}

TEST(Manifest, RefusesEveryFlippedBitButInTheLastLine) {
  const Written written = some_manifest();
  const std::string text = written.text();
  const std::size_t last = text.size() - written.lines.back().size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      if (i + 1 == last) continue;  // without the newline between them, the last two lines are one
      if (i < last) {
        EXPECT_THROW(Manifest::parse(damaged, kLocation), Error) << i << " bit " << bit;
      } else {
        EXPECT_LE(Manifest::parse(damaged, kLocation).text_bytes(), last) << i << " bit " << bit;
      }
    }
  }
}

TEST(Manifest, RefusesLinesThatAreMissingOrExchanged) {
  const Written written = some_manifest();
  const std::vector<std::string>& lines = written.lines;
  EXPECT_THROW(Manifest::parse(lines[0] + lines[2] + lines[3], kLocation), Error);
  EXPECT_THROW(Manifest::parse(lines[0] + lines[2] + lines[1] + lines[3], kLocation), Error);
  EXPECT_THROW(Manifest::parse(lines[1], kLocation), Error);
  EXPECT_THROW(Manifest::parse("", kLocation), Error);
}

TEST(Manifest, RefusesWhatContradictsItself) {
  const auto refuses = [](const auto& change) {
    Written written = some_manifest();
    const std::string line = change(written.manifest);
    const std::string next = written.manifest.add_run(some_run(10), some_mark(900));
    EXPECT_EQ(
        error_of([&] { Manifest::parse(written.text() + line + next, kLocation); }),
        "checkpoint 'DIR' cannot be used: line 6 of its manifest is damaged; remove the directory 'DIR' to sort anew");
  };
  refuses([](Manifest& manifest) { return manifest.add_run(some_run(3), some_mark(200)); });  // a number that is taken
  refuses([](Manifest& manifest) { return manifest.add_run(some_run(8), some_mark(130)); });  // no advance
  refuses([](Manifest& manifest) {  // more records than there are
    InputMark mark = some_mark(200);
    mark.assumed.records = 201;
    return manifest.add_run(some_run(8), mark);
  });
  refuses([](Manifest& manifest) { return manifest.replace_runs(0, 1, some_run(8)); });  // only one run
  refuses([](Manifest& manifest) { return manifest.replace_runs(1, 2, some_run(8)); });  // more runs than there are
  refuses([](Manifest& manifest) { return manifest.replace_runs(0, ~std::size_t{0}, some_run(8)); });
}

TEST(Manifest, NamesTheVersionThatItCannotRead) {
  std::string text = some_manifest().text();
  text.replace(text.find(" 4 "), 3, " 3 ");
  EXPECT_EQ(error_of([&] { Manifest::parse(text, kLocation); }),
            "checkpoint 'DIR' cannot be used: it has format version 3, this program reads version 4; go on with the "
            "program that began it, or remove the directory 'DIR' to sort anew");
}

// The bytes of version 4. A change to them needs a new version.
TEST(Manifest, HasTheBytesOfItsFormat) {
  Written written;
  written.lines.push_back(written.manifest.add_run(some_run(0), some_mark(50)));
  written.lines.push_back(written.manifest.add_run(some_run(2), some_mark(120)));
  EXPECT_EQ(written.text(),
            "sortie-checkpoint 4 fedcba9876543210 1 100f0e0d0c0b0a090807060504030201 00000000000000020000000000000001 "
            "ffffffffffffffff0000000000000003 051d98d2e7e67cf2cb4f13a8dc2c0118\n"
            "run 0 1000 0000000000000000 0 0 00000000000000050000000000000000 0 50 50 500 "
            "00000000000000090000000000000032 50 0 fd05603794ed2c8c58d55eae7cd41f3b\n"
            "run 2 1002 000000000000009a 2 16 00000000000000050000000000000002 1 120 120 1200 "
            "00000000000000090000000000000078 120 2 0 17 :a2V5IDE= :YSBiCgA= :L2luIHB1dA== 8 :bGluZQ== "
            "11 120 :a2V5IDI= : : 0 :bGluZQ== 196490e87ba5bf5cd6cc1b66be2daa6b\n");
}

}  // namespace
}  // namespace sortie
