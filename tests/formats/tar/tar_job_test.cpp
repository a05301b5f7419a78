// Archives are sorted, shuffled, cut and rid of duplicates, and every sample comes out byte for byte, from plain files,
// which are copied from their places, as from packed ones, which are carried through the sort.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include <sortie/error.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/output_file.hpp>

#include "formats/tar/tar_bytes.hpp"
#include "formats/tar/tar_samples.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

namespace tar = formats::tar;
using test::read_whole_file;
using test::tar_end;
using test::tar_entry;
using test::tar_file;
using test::TemporaryDirectory;
using test::write_whole_file;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Sample {
  std::string key;
  std::string bytes;  // with headers

  friend auto operator<=>(const Sample&, const Sample&) = default;
};

std::vector<Sample> stored_samples(const std::string& archive) {
  test::TextBytes bytes(archive);
  tar::TarWalk walk(bytes);
  tar::TarSamples samples(walk);
  std::vector<Sample> found;
  while (const auto sample = samples.next()) {
    found.push_back({sample->key, archive.substr(sample->begin, sample->end - sample->begin)});
  }
  return found;
}

std::vector<std::string> stored_keys(const std::string& archive) {
  std::vector<std::string> keys;
  for (const Sample& sample : stored_samples(archive)) keys.push_back(sample.key);
  return keys;
}

/// Samples of one to three files, some with long names, some large.
std::vector<Sample> random_samples(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key = "k" + std::to_string(i * 7919 % count) + (random() % 9 == 0 ? std::string(120, 'x') : "");
    Sample sample{key, ""};
    for (const char* extension : {".jpg", ".json", ".txt"}) {
      if (!sample.bytes.empty() && random() % 2 == 0) continue;
      const std::size_t bytes = random() % (random() % 50 == 0 ? 300000 : 2000);
      std::string contents(bytes, '\0');
      for (char& byte : contents) byte = static_cast<char>(random());
      const std::string name = key + extension;
      if (name.size() > 99) sample.bytes += tar_entry({.name = "././@LongLink", .type = 'L'}, name + '\0');
      sample.bytes += tar_file(name.substr(0, 99), contents);
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::string archive_of(std::span<const Sample> samples) {
  std::string archive;
  for (const Sample& sample : samples) archive += sample.bytes;
  return archive + tar_end();
}

class TarJob : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& contents) {
    const std::string path = directory_ / name;
    if (name.ends_with(".tar")) {
      write_whole_file(path, contents);
    } else {
      OutputFile file(path);
      file.write(std::as_bytes(std::span(contents)));
      file.finish();
    }
    return path;
  }

  SortOptions options(std::vector<std::string> inputs, const std::string& output = "out.tar") const {
    SortOptions made;
    made.inputs = std::move(inputs);
    made.output = directory_ / output;
    made.engine = EngineChoice::kCpu;
    made.memory_bytes = 4 << 20;
    made.threads = 2;
    made.warn = [this](const Warning& warning) { warnings_.push_back(warning.message); };
    return made;
  }

  std::string sorted(const SortOptions& asked, const FileFormatOptions& format = {}) {
    sort_files(asked, format);
    return read_whole_file(asked.output);
  }

  std::string refusal(const SortOptions& asked, const FileFormatOptions& format = {}) {
    try {
      sort_files(asked, format);
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  }

  TemporaryDirectory directory_;
  mutable std::vector<std::string> warnings_;
};

const FileFormatOptions kByContent{.settings = {{"by", "content"}}};

TEST_F(TarJob, SortsByKeyAndKeepsEveryByte) {
  std::vector<Sample> samples = random_samples(400, 1);
  const auto half = std::span(samples).first(200);
  const std::string first = write("a.tar", archive_of(half));
  const std::string second = write("b.tar", archive_of(std::span(samples).subspan(200)));
  const std::string out = sorted(options({first, second}));
  std::ranges::stable_sort(samples, {}, &Sample::key);
  EXPECT_TRUE(stored_samples(out) == samples);
  EXPECT_EQ(out.size() % 10240, 0U);
  EXPECT_THAT(warnings_, IsEmpty());
}

// Contents are passed over, and count as read.
TEST_F(TarJob, TellsHowFarTheArchiveIsRead) {
  const std::string archive = archive_of(random_samples(300, 9));
  SortOptions asked = options({write("in.tar", archive)});
  std::vector<std::uint64_t> done;
  asked.watch = [&](const Progress& progress) {
    if (progress.phase != "reading") return;
    EXPECT_EQ(progress.total_bytes, archive.size());
    done.push_back(progress.done_bytes);
  };
  sorted(asked);
  ASSERT_FALSE(done.empty());
  EXPECT_TRUE(std::ranges::is_sorted(done));
  EXPECT_EQ(done.back(), archive.size());
}

TEST_F(TarJob, PackedArchivesGiveTheSame) {
  const std::vector<Sample> samples = random_samples(300, 2);
  const std::string archive = archive_of(samples);
  const std::string expected = sorted(options({write("a.tar", archive)}));
  for (const char* name : {"a.tar.gz", "a.tar.zst", "a.tar.xz"}) {
    SortOptions small = options({write(name, archive)});
    small.memory_bytes = 1 << 20;
    EXPECT_TRUE(sorted(small) == expected) << name;
  }
  sort_files(options({directory_ / "a.tar.gz"}, "out.tar.gz"), {});
  EXPECT_TRUE(sorted(options({directory_ / "out.tar.gz"})) == expected);
}

TEST_F(TarJob, ShufflesAlikeWhateverTheMemoryAndThreads) {
  const std::vector<Sample> samples = random_samples(500, 3);
  const std::string input = write("a.tar", archive_of(samples));
  SortOptions asked = options({input});
  asked.format.kind = RecordKind::kPrefixed;
  asked.format.shuffle = true;
  asked.format.text.random_seed = RandomSeed{std::byte{7}};
  const std::string out = sorted(asked);
  EXPECT_TRUE(stored_samples(out) != samples);
  std::vector<Sample> again = stored_samples(out);
  std::vector<Sample> before = samples;
  std::ranges::sort(again);
  std::ranges::sort(before);
  EXPECT_TRUE(again == before);
  asked.threads = 1;
  asked.memory_bytes = 512 << 10;
  EXPECT_TRUE(sorted(asked) == out);
  asked.inputs = {write("a.tar.zst", archive_of(samples))};
  EXPECT_TRUE(sorted(asked) == out);
}

TEST_F(TarJob, ShardsAreArchivesThatHoldAllSamplesInTurn) {
  const std::vector<Sample> samples = random_samples(100, 4);
  const std::string input = write("a.tar", archive_of(samples));
  const std::vector<Sample> expected = stored_samples(sorted(options({input})));
  const auto check = [&](const Parts& parts, std::size_t count) {
    SortOptions asked = options({input}, "shard-{:04d}.tar");
    asked.parts = parts;
    sort_files(asked, {});
    std::vector<Sample> all;
    std::size_t shards = 0;
    for (const std::string& name : directory_.names()) {
      if (!name.starts_with("shard-")) continue;
      ++shards;
      const std::string archive = read_whole_file(directory_ / name);
      const std::vector<Sample> part = stored_samples(archive);
      EXPECT_TRUE(parts.most_records == 0 || part.size() <= parts.most_records);
      EXPECT_TRUE(parts.most_bytes == 0 || part.size() <= 1 || archive.size() < parts.most_bytes + 10240);
      all.insert(all.end(), part.begin(), part.end());
      std::filesystem::remove(directory_ / name);
    }
    EXPECT_TRUE(all == expected);
    if (count != 0) {
      EXPECT_EQ(shards, count);
    }
  };
  check({.most_records = 7}, 15);
  check({.most_bytes = 100000}, 0);
  check({.count = 9}, 9);
  check({.count = 200}, 200);
}

TEST_F(TarJob, AManifestIsAnIndexOfWebDataset) {
  const std::string input = write("a.tar", archive_of(random_samples(10, 5)));
  SortOptions asked = options({input}, "s-{}.tar");
  asked.parts = {.most_records = 6, .manifest_path = directory_ / "list.json"};
  sort_files(asked, {});
  const std::string list = read_whole_file(asked.parts.manifest_path);
  EXPECT_THAT(list, HasSubstr(R"("__kind__":"wids-shard-index-v1")"));
  const std::string size = std::to_string(std::filesystem::file_size(directory_ / "s-1.tar"));
  EXPECT_THAT(list, HasSubstr(R"({"url":"s-1.tar","nsamples":4,"filesize":)" + size + "}"));
  EXPECT_THAT(list, HasSubstr(R"({"file":"s-0.tar","records":6,)"));
}

TEST_F(TarJob, DropsDuplicatesByKeyOrByContent) {
  const std::string input = write("a.tar", tar_file("b.txt", "1") + tar_file("a.txt", "2") + tar_file("c.txt", "1") +
                                               tar_file("b.txt", "3") + tar_file("d.dat", "1") + tar_end());
  SortOptions asked = options({input});
  asked.unique = true;
  EXPECT_THAT(stored_keys(sorted(asked)), ElementsAre("a", "b", "c", "d"));
  // The extension is part of what a sample is, its key is not.
  asked.output_order = OutputOrder::kInput;
  EXPECT_THAT(stored_keys(sorted(asked, kByContent)), ElementsAre("b", "a", "b", "d"));
  asked.keep_last = true;
  EXPECT_THAT(stored_keys(sorted(asked, kByContent)), ElementsAre("a", "c", "b", "d"));
  asked.inputs = {write("a.tar.gz", read_whole_file(input))};
  EXPECT_THAT(stored_keys(sorted(asked, kByContent)), ElementsAre("a", "c", "b", "d"));
}

TEST_F(TarJob, FilesOfEqualBytesNeedNotKnowTheSumBefore) {
  const std::vector<Sample> samples = random_samples(60, 6);
  const std::string archive = archive_of(samples);
  write("a.tar", archive);
  SortOptions asked = options({directory_ / "a.tar", directory_ / "a.tar"}, "p-{}.tar");
  asked.unique = true;
  asked.parts.count = 3;
  sort_files(asked, {});
  std::size_t count = 0;
  for (const char* name : {"p-0.tar", "p-1.tar", "p-2.tar"}) {
    const auto found = stored_samples(read_whole_file(directory_ / name));
    EXPECT_THAT(found, testing::Not(IsEmpty()));
    count += found.size();
  }
  EXPECT_EQ(count, samples.size());
}

TEST_F(TarJob, TellsOfKeysThatLoadersWouldTakeForOne) {
  const std::string input =
      write("a.tar", tar_file("a.txt", "1") + tar_file("b.txt", "2") + tar_file("a.txt", "3") + tar_end());
  SortOptions asked = options({input});
  EXPECT_THAT(stored_keys(sorted(asked)), SizeIs(2));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("samples of one key stand side by side, once")));
  asked.strict = true;
  asked.output = directory_ / "strict.tar";
  EXPECT_THAT(refusal(asked), HasSubstr("samples of one key stand side by side"));
  EXPECT_FALSE(std::filesystem::exists(asked.output));
}

TEST_F(TarJob, GlobalHeadersStandInFrontOfEveryShard) {
  const std::string global = tar_entry({.name = "g", .type = 'g'}, test::pax_record("comment", "all"));
  const std::string input = write("a.tar", global + tar_file("b.txt", "1") + tar_file("a.txt", "2") + tar_end());
  SortOptions asked = options({input}, "s-{}.tar");
  asked.parts.most_records = 1;
  sort_files(asked, {});
  EXPECT_EQ(read_whole_file(directory_ / "s-1.tar").substr(0, global.size() + 1024), global + tar_file("b.txt", "1"));
  asked.inputs.push_back(write("other.tar", tar_file("c.txt", "1") + tar_end()));
  EXPECT_THAT(refusal(asked), HasSubstr("global pax headers are not those of"));
}

TEST_F(TarJob, MayReplaceItsInput) {
  const std::vector<Sample> samples = random_samples(50, 7);
  const std::string input = write("a.tar", archive_of(samples));
  const std::string expected = sorted(options({input}));
  EXPECT_TRUE(sorted(options({input}, "a.tar")) == expected);
  SortOptions shards = options({write("s-0.tar", archive_of(samples))}, "s-{}.tar");
  shards.parts.most_records = 9;
  EXPECT_THAT(refusal(shards), HasSubstr("could replace"));
}

TEST_F(TarJob, RefusesWhatItCannotReadAndLeavesTheOutput) {
  const std::string good = write("good.tar", tar_file("a.txt", "1") + tar_end());
  write("out.tar", "as it was");
  const std::string cut = tar_file("a.txt", std::string(5000, 'x')).substr(0, 3000);
  EXPECT_THAT(refusal(options({good, write("cut.tar", cut)})),
              HasSubstr("cut.tar, offset 0: the entry has 5000 bytes"));
  EXPECT_THAT(refusal(options({good, write("cut.tar.gz", cut)})), HasSubstr("offset 0: the entry has 5000 bytes"));
  EXPECT_THAT(refusal(options({good, write("text.tar", std::string(600, 'x'))})), HasSubstr("offset 0: the checksum"));
  EXPECT_THAT(refusal(options({good, write("empty.tar", "")})), HasSubstr("is cut off"));
  EXPECT_THAT(refusal(options({good}), {.settings = {{"by", "size"}}}), HasSubstr("by key or by content"));
  EXPECT_THAT(refusal(options({directory_ / "none.tar"}), {.format = "tar"}), HasSubstr("none.tar"));
  EXPECT_EQ(read_whole_file(directory_ / "out.tar"), "as it was");
  EXPECT_THAT(directory_.names(), SizeIs(6));
}

TEST_F(TarJob, AnArchiveWithoutSamplesStaysOne) {
  EXPECT_EQ(sorted(options({write("a.tar", tar_end())}), {.format = "tar"}), std::string(10240, '\0'));
}

}  // namespace
}  // namespace sortie
