// Bytes are copied in the order in which they are asked for, whatever their lengths; files that change, or are more
// than may be open, are no trouble or are told.
#include "formats/places/place_copier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include <sortie/error.hpp>

#include "io/output/open_output.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using formats::Place;
using formats::PlacedFiles;
using test::read_whole_file;
using test::TemporaryDirectory;
using test::write_whole_file;

std::string random_text(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text(bytes, '\0');
  for (char& byte : text) byte = static_cast<char>(random());
  return text;
}

TEST(PlaceCopier, CopiesPlacesAndBytesInTurn) {
  const TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  std::vector<std::string> contents;
  for (const std::size_t most_open : {1, 2, 8}) {
    PlacedFiles placed(*files, most_open);
    contents.clear();
    for (std::uint64_t i = 0; i < 4; ++i) {
      const std::string path = directory / std::to_string(i);
      contents.push_back(random_text(1 << 20, i));
      write_whole_file(path, contents.back());
      ASSERT_EQ(placed.add(files->open_input(path)), i);
    }
    const auto output = open_output(*files, directory / "out");
    formats::PlaceCopier copier(placed, 1);
    copier.begin_output([&]() -> Output& { return *output; });
    std::mt19937_64 random(most_open);
    std::string expected;
    for (int i = 0; i < 200; ++i) {
      const auto input = static_cast<std::uint32_t>(random() % 4);
      const std::size_t offset = random() % (1 << 20);
      const std::size_t bytes =
          random() % (random() % 20 == 0 ? (1 << 20) - offset : std::min<std::size_t>(3000, (1 << 20) - offset) + 1);
      if (random() % 3 == 0) {
        const std::string text = contents[input].substr(offset, bytes);
        copier.append(std::as_bytes(std::span(text)));
        expected += text;
      } else {
        copier.append(Place{input, offset, bytes});
        expected += contents[input].substr(offset, bytes);
      }
    }
    copier.finish();
    placed.check();
    output->finish();
    EXPECT_EQ(read_whole_file(directory / "out"), expected) << most_open;
  }
}

// A buffer holds many of these, and some of them begin in one buffer and end in another.
TEST(PlaceCopier, WritesManySmallOutputsOneAfterTheOther) {
  const TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  PlacedFiles placed(*files, 1);
  const std::string contents = random_text(1 << 20, 7);
  write_whole_file(directory / "in", contents);
  placed.add(files->open_input(directory / "in"));
  formats::PlaceCopier copier(placed, 1);
  std::mt19937_64 random(5);
  std::unique_ptr<Output> output;
  std::vector<std::string> expected(300);
  std::vector<std::size_t> ended;
  for (std::size_t number = 0; number < expected.size(); ++number) {
    copier.begin_output([&, number]() -> Output& {
      output = open_output(*files, directory / std::to_string(number));
      return *output;
    });
    for (std::uint64_t i = random() % 4; i > 0; --i) {
      const std::size_t offset = random() % (1 << 19);
      const std::size_t bytes = random() % (random() % 30 == 0 ? 1 << 18 : 2000);
      copier.append(Place{0, offset, bytes});
      copier.append(std::as_bytes(std::span(std::string_view("end"))));
      expected[number] += contents.substr(offset, bytes) + "end";
    }
    copier.end_output([&, number] {
      output->finish();
      ended.push_back(number);
    });
  }
  copier.finish();
  ASSERT_EQ(ended.size(), expected.size());
  EXPECT_TRUE(std::ranges::is_sorted(ended));
  for (std::size_t number = 0; number < expected.size(); ++number) {
    EXPECT_EQ(read_whole_file(directory / std::to_string(number)), expected[number]) << number;
  }
}

TEST(PlaceCopier, ThrowsWhatTheEndOfAnOutputThrows) {
  const TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  PlacedFiles placed(*files, 1);
  formats::PlaceCopier copier(placed, 1);
  const auto output = open_output(*files, directory / "out");
  copier.begin_output([&]() -> Output& { return *output; });
  copier.end_output([] { throw Error("the disk is full"); });
  EXPECT_THROW(copier.finish(), Error);
}

TEST(PlacedFiles, TellOfAFileThatWasChanged) {
  const TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  const std::string path = directory / "in";
  write_whole_file(path, "hello");
  PlacedFiles placed(*files, 4);
  placed.add(files->open_input(path));
  std::byte target[8];
  EXPECT_THROW(placed.read(0, 0, target), Error);
  placed.check();
  write_whole_file(path, "hello, world");
  EXPECT_THROW(placed.check(), Error);
}

TEST(Place, IsStoredInItsBytes) {
  std::vector<std::byte> stored;
  Place{7, 1ULL << 40, 12345}.append_to(stored);
  ASSERT_EQ(stored.size(), Place::kBytes);
  const Place place = Place::load(stored);
  EXPECT_EQ(place.input, 7U);
  EXPECT_EQ(place.offset, 1ULL << 40);
  EXPECT_EQ(place.bytes, 12345U);
}

}  // namespace
}  // namespace sortie
