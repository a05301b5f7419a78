// Places of lines, and the index that is made of them. tests/cli/compare_indexes asks tabix about what is written.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "record/places/place_index.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kBlock = 100;
constexpr std::uint64_t kMuch = 1 << 20;

std::string shown_place(GenomeFile file, std::string_view line) {
  try {
    const Place place = place_of(file, line);
    return std::string(place.chromosome) + ":" + std::to_string(place.begin) + "-" + std::to_string(place.end);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(PlaceReader, ReadsPlacesAsTabixDoes) {
  EXPECT_EQ(shown_place(GenomeFile::kBed, "chr1\t5\t9\tname"), "chr1:5-9");
  EXPECT_EQ(shown_place(GenomeFile::kBed, "chr1\t5\t9\r"), "chr1:5-9");
  EXPECT_EQ(shown_place(GenomeFile::kGff, "chr1\ts\tgene\t5\t9\t."), "chr1:4-9");
  EXPECT_EQ(shown_place(GenomeFile::kGtf, "chr1\ts\tgene\t5\t9"), "chr1:4-9");
  EXPECT_EQ(shown_place(GenomeFile::kVcf, "1\t5\t.\tACG\tA\t.\t.\tDP=1"), "1:4-7");
  EXPECT_EQ(shown_place(GenomeFile::kVcf, "1\t5\t.\tA\t<DEL>\t.\t.\tEND=90;DP=1"), "1:4-90");
  EXPECT_EQ(shown_place(GenomeFile::kVcf, "1\t5\t.\tA\t<DEL>\t.\t.\tCIEND=1;END=90"), "1:4-90");
  EXPECT_EQ(shown_place(GenomeFile::kVcf, "1\t5\t.\tAC\tA\t.\t.\tEND=3"), "1:4-6");
  EXPECT_EQ(shown_place(GenomeFile::kVcf, "1\t0\t.\tN\tA"), "1:-1-0");
}

TEST(PlaceReader, SaysWhatALineLacks) {
  EXPECT_EQ(shown_place(GenomeFile::kBed, "chr1\t5"), "has no field 3, in which its place stands");
  EXPECT_EQ(shown_place(GenomeFile::kBed, "chr1\tx\t5"), "has no place in field 2, but 'x'");
  EXPECT_EQ(shown_place(GenomeFile::kBed, "chr1\t-1\t5"), "has no place in field 2, but '-1'");
  EXPECT_EQ(shown_place(GenomeFile::kVcf, "chr1\t99999999999999999999\t.\tA"),
            "has no place in field 2, but '99999999999999999999'");
  EXPECT_EQ(shown_place(GenomeFile::kVcf, "chr1\t1\t."), "has no field REF");
}

TEST(PlaceReader, PassesOverCommentsAndLinesForBrowsers) {
  EXPECT_TRUE(lacks_place(GenomeFile::kVcf, "#CHROM"));
  EXPECT_TRUE(lacks_place(GenomeFile::kBed, "track name=a"));
  EXPECT_TRUE(lacks_place(GenomeFile::kBed, ""));
  EXPECT_FALSE(lacks_place(GenomeFile::kGff, "track\t1"));
}

std::string refusal_of(IndexForm form, const std::vector<Place>& places, std::uint64_t most_bytes = kMuch) {
  PlaceIndex index({GenomeFile::kBed, form}, kBlock, most_bytes);
  try {
    for (std::uint64_t i = 0; i < places.size(); ++i) index.add(places[i], i * 10, i * 10 + 10);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(PlaceIndex, RefusesWhatItCannotHold) {
  EXPECT_EQ(refusal_of(IndexForm::kTbi, {{"a", 5, 6}, {"a", 5, 9}, {"b", 0, 1}}), "none");
  EXPECT_EQ(refusal_of(IndexForm::kTbi, {{"a", 5, 6}, {"a", 4, 9}}), "comes behind a greater place of 'a'");
  EXPECT_EQ(refusal_of(IndexForm::kTbi, {{"a", 5, 6}, {"b", 4, 9}, {"a", 7, 8}}),
            "is of 'a', which has come before others");
  EXPECT_EQ(refusal_of(IndexForm::kTbi, {{"a", 1, 1 << 29}}), "none");
  EXPECT_EQ(refusal_of(IndexForm::kTbi, {{"a", 1, (1 << 29) + 1}}),
            "reaches to base 536870913, beyond the last one that this form of index takes: take csi");
  EXPECT_EQ(refusal_of(IndexForm::kCsi, {{"a", 1, (1 << 29) + 1}}), "none");
  EXPECT_EQ(refusal_of(IndexForm::kCsi, {{"a", 1, (std::int64_t{1} << 32) + 1}}),
            "reaches to base 4294967297, beyond the last one that this form of index takes");
  EXPECT_EQ(refusal_of(IndexForm::kTbi, {{"a", 5, 6}}, 10),
            "is too much for the index: it takes more than 10 bytes of memory; give more");
}

TEST(PlaceIndex, CountsWhatOthersTakeOfItsMemory) {
  PlaceIndex index({GenomeFile::kBed, IndexForm::kTbi}, kBlock, 100'000);
  index.add({"a", 0, 10}, 0, 10);
  index.set_bytes_beside(100'000);
  EXPECT_THROW(index.add({"a", 1, 10}, 10, 20), Error);
  EXPECT_THROW(index.add_without_place(), Error);
}

// Two bins, of which one has two stretches, as blocks without its records lie between, and one takes turns in one
// block.
TEST(PlaceIndex, JoinsStretchesOfOneBlock) {
  PlaceIndex index({GenomeFile::kBed, IndexForm::kTbi}, kBlock, kMuch);
  index.add({"a", 0, 10}, 0, 10);
  index.add({"a", 1, 20'000}, 10, 20);
  index.add({"a", 2, 10}, 20, 30);
  index.add({"a", 3, 20'000}, 30, 520);
  index.add({"a", 4, 10}, 520, 530);
  std::vector<std::byte> bytes;
  index.write([](std::uint64_t at) { return at; },
              [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
  // | head of 32 bytes, name | bins: 585 and 4681, and one for numbers | windows |
  const std::size_t head = 36 + 2;
  const std::size_t bins = 4 + (8 + 16) + (8 + 2 * 16) + (8 + 2 * 16);
  const std::size_t windows = 4 + 2 * 8;
  EXPECT_EQ(bytes.size(), head + bins + windows + 8);
}

// Reads of the second of three chromosomes, one without an alignment, and one without a place. The place of the one
// without an alignment is looked for, too: its windows reach to it.
TEST(PlaceIndex, TellsNumberedChromosomesAsBaiDoes) {
  PlaceIndex index(PlaceIndex::Numbered::kBai, {{"a", "b", "c"}}, kBlock, kMuch);
  EXPECT_EQ(index.suffix(), ".bai");
  EXPECT_FALSE(index.is_packed());
  index.add({"b", 5, 9}, 0, 10);
  index.add({"b", 40'000, 40'001, false}, 10, 20);
  index.add_without_place();
  std::vector<std::byte> bytes;
  index.write([](std::uint64_t at) { return at; },
              [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
  const std::size_t empty = 4 + 4;
  const std::size_t bins = 4 + 2 * (8 + 16) + (8 + 2 * 16);
  const std::size_t windows = 4 + 3 * 8;
  const std::size_t end = 8 + empty + bins + windows + empty;
  ASSERT_EQ(bytes.size(), end + 8);
  const auto number_at = [&](std::size_t at) { return load_as<std::uint64_t>(bytes.data() + at); };
  EXPECT_EQ(number_at(end), 1U);
  EXPECT_EQ(number_at(8 + empty + bins - 16), 1U);
  EXPECT_EQ(number_at(8 + empty + bins - 8), 1U);
}

// What looks for a place reads from where the first record of its window lies.
TEST(PlaceIndex, FindsAReadWithoutAnAlignmentThatComesFirst) {
  PlaceIndex index(PlaceIndex::Numbered::kBai, {{"a"}}, kBlock, kMuch);
  index.add({"a", 5, 6, false}, 0, 10);
  index.add({"a", 7, 9}, 10, 20);
  std::vector<std::byte> bytes;
  index.write([](std::uint64_t at) { return at; },
              [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
  const std::size_t bins = 4 + (8 + 16) + (8 + 2 * 16);
  ASSERT_EQ(bytes.size(), 8 + bins + (4 + 8) + 8);
  EXPECT_EQ(load_as<std::uint64_t>(bytes.data() + 8 + bins + 4), 0U);
}

TEST(PlaceIndex, HasAsManyLevelsAsTheLongestChromosomeNeeds) {
  const auto fits = [](std::int64_t longest, std::int64_t end) {
    PlaceIndex index(PlaceIndex::Numbered::kCsi, {{"a"}, longest}, kBlock, kMuch);
    try {
      index.add({"a", 0, end}, 0, 1);
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  EXPECT_TRUE(fits(1, 1 << 14));
  EXPECT_FALSE(fits(1, (1 << 14) + 1));
  EXPECT_TRUE(fits(1 << 14, 1 << 17));
  EXPECT_TRUE(fits(std::int64_t{1} << 31, std::int64_t{1} << 32));
}

}  // namespace
}  // namespace sortie
