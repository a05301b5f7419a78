// Files come in the samples that WebDataset makes of them, and no entry is in none.
#include "formats/tar/tar_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/tar/tar_bytes.hpp"

namespace sortie {
namespace {

namespace tar = formats::tar;

using test::tar_end;
using test::tar_entry;
using test::tar_file;
using testing::ElementsAre;

std::vector<tar::TarSample> samples_of(const std::string& archive) {
  test::TextBytes bytes(archive);
  tar::TarWalk walk(bytes);
  tar::TarSamples samples(walk);
  std::vector<tar::TarSample> found;
  while (auto sample = samples.next()) found.push_back(std::move(*sample));
  return found;
}

std::vector<std::string> keys_of(const std::string& archive) {
  std::vector<std::string> keys;
  for (const tar::TarSample& sample : samples_of(archive)) keys.push_back(sample.key);
  return keys;
}

// What re.match(r"^((?:.*/|)[^.]+)[.]([^/]*)$", name) gives.
TEST(SampleKey, IsThatOfWebDataset) {
  EXPECT_EQ(tar::sample_key("a.jpg"), "a");
  EXPECT_EQ(tar::sample_key("a.seg.png"), "a");
  EXPECT_EQ(tar::sample_key("dir.v2/a.jpg"), "dir.v2/a");
  EXPECT_EQ(tar::sample_key("./a/b.txt"), "./a/b");
  EXPECT_EQ(tar::sample_key("a."), "a");
  EXPECT_EQ(tar::sample_key("a"), std::nullopt);
  EXPECT_EQ(tar::sample_key("a.b/c"), std::nullopt);
  EXPECT_EQ(tar::sample_key(".hidden"), std::nullopt);
  EXPECT_EQ(tar::sample_key("./.hidden"), std::nullopt);
  EXPECT_EQ(tar::sample_key("dir/.hidden"), "dir/");
  EXPECT_EQ(tar::sample_key("/.hidden"), "/");
  EXPECT_EQ(tar::sample_key("a.b/.hidden"), std::nullopt);
  EXPECT_EQ(tar::sample_key(""), std::nullopt);
  EXPECT_EQ(tar::sample_key("__worker__/a.txt"), std::nullopt);
  EXPECT_EQ(tar::sample_key("__a.txt"), "__a");
}

TEST(TarSamples, AreConsecutiveFilesOfOneKey) {
  const std::string archive = tar_file("x/1.jpg", "a") + tar_file("x/1.json", "b") + tar_file("x/2.jpg", "c") +
                              tar_file("x/1.txt", "d") + tar_end();
  const auto samples = samples_of(archive);
  EXPECT_THAT(keys_of(archive), ElementsAre("x/1", "x/2", "x/1"));
  EXPECT_EQ(samples[0].begin, 0U);
  EXPECT_EQ(samples[0].end, 2048U);
  EXPECT_EQ(samples[1].begin, 2048U);
  EXPECT_EQ(samples[2].end, 4096U);
  ASSERT_EQ(samples[0].files.size(), 2U);
  EXPECT_EQ(samples[0].files[1].extension, ".json");
  EXPECT_EQ(samples[0].files[1].begin, 1024U + 512);
  EXPECT_EQ(samples[0].files[1].bytes, 1U);
}

TEST(TarSamples, HoldWhatNoLoaderReads) {
  const std::string folder = tar_entry({.name = "x/", .type = '5'}, "");
  const auto samples =
      samples_of(folder + tar_file("x/1.jpg", "a") + tar_file("README", "b") + tar_file("x/1.txt", "c") + folder +
                 tar_file("x/2.jpg", "d") + tar_file("LICENCE", "e") + tar_end());
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[0].key, "x/1");
  EXPECT_EQ(samples[0].begin, 0U);
  EXPECT_EQ(samples[0].end, samples[1].begin);
  EXPECT_EQ(samples[1].key, "x/2");
  EXPECT_EQ(samples[1].end, 512U + 3 * 1024 + 512 + 2 * 1024);
}

TEST(TarSamples, AnArchiveWithoutAnyIsOneRecord) {
  const auto samples = samples_of(tar_file("README", "b") + tar_file("LICENCE", "e") + tar_end());
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples[0].key, "README");
  EXPECT_TRUE(samples[0].files.empty());
  EXPECT_TRUE(samples_of(tar_end()).empty());
}

}  // namespace
}  // namespace sortie
