// Inputs that are mapped: as one piece, or as lines that are referred to.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/memory_region.hpp"
#include "pipeline/input/keyed_reader.hpp"
#include "pipeline/input/record_reader_support.hpp"
#include "pipeline/input/whole_input.hpp"
#include "record/prefixed/prefixed_oracle.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

using namespace test;

/// Lines of a file that is long enough to be mapped, without a final newline.
class MappedInputTest : public RecordReaderTest {
 protected:
  void SetUp() override {
    for (std::uint64_t i = 0; lines_.size() < 40'000'000; ++i) lines_ += "line " + std::to_string(i * 7919) + "\n";
    const std::string contents = lines_.substr(0, lines_.size() - 1);
    path_ = write_inputs(directory_, {contents})[0];
    if (!open({path_}, Format()).map_in_place()) {
      GTEST_SKIP() << "files here cannot be mapped";
    }
  }

  std::unique_ptr<WholeInput> whole_of(RecordReader& reader, bool parts_change = false) {
    return std::make_unique<WholeInput>(reader, Format(), true, parts_change, observer_);
  }

  RecordTotals map(WholeInput& whole, std::uint64_t max_records = kAnyNumber) {
    return whole.map(memory_.bytes().first(whole.size().bytes), max_records);
  }

  std::string lines_;
  std::string path_;
  MemoryRegion memory_{48 << 20};
};

TEST_F(MappedInputTest, IsOnePieceOfAllRecords) {
  RecordReader reader = open({path_}, Format());
  const auto whole = whole_of(reader);
  ASSERT_GE(whole->size().bytes, lines_.size());
  const std::uint64_t most_records = whole->size().records;
  const RecordTotals totals = map(*whole);
  EXPECT_EQ(totals, totals_of(Format(), as_bytes(lines_), true));
  EXPECT_EQ(whole->totals(), totals);
  EXPECT_LE(totals.records, most_records);
  EXPECT_EQ(std::memcmp(memory_.data(), lines_.data(), lines_.size()), 0);
  EXPECT_TRUE(reader.at_end());
  whole->check();
}

TEST_F(MappedInputTest, MayBeWrittenToWhenItIsNotNeededAnyMore) {
  RecordReader reader = open({path_}, Format());
  auto whole = whole_of(reader);
  map(*whole);
  whole.reset();
  memory_ = MemoryRegion();
  const int writer = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_GE(writer, 0) << "the lease is still held";
  ::close(writer);
}

TEST_F(MappedInputTest, IsReadAsUsualWhenItHoldsTooManyRecords) {
  RecordReader reader = open({path_}, Format());
  const auto whole = whole_of(reader);
  EXPECT_EQ(map(*whole, 1000).records, 0U);
  EXPECT_EQ(whole->totals().records, 0U);
  memory_.data()[0] = std::byte('x');  // it is the caller's again
  EXPECT_EQ(read_all(reader, Format(), 10'000'000, kAnyNumber), lines_);
}

TEST_F(MappedInputTest, IsCopiedForThoseWhoChangeIt) {
  for (const bool parts_change : {false, true}) {
    RecordReader reader = open({path_}, Format());
    const auto whole = whole_of(reader, parts_change);
    const auto bytes = static_cast<std::size_t>(map(*whole).bytes);
    for (const std::size_t begin : {std::size_t{0}, bytes - 1000}) {
      const std::span<std::byte> part = memory_.bytes().subspan(begin, 1000);
      const std::span<std::byte> changeable = whole->changeable(part);
      EXPECT_EQ(changeable.data() != part.data(), parts_change);
      EXPECT_TRUE(as_text(changeable) == lines_.substr(begin, 1000));
      if (parts_change) std::ranges::fill(changeable, std::byte('x'));
    }
    EXPECT_EQ(std::memcmp(memory_.data(), lines_.data(), lines_.size()), 0);
    std::string elsewhere = "a\n";
    EXPECT_EQ(whole->changeable(as_writable(elsewhere)).data(), as_writable(elsewhere).data());
  }
}

TEST_F(MappedInputTest, IsTakenInBatchesWhereItLies) {
  RecordReader mapped = open({path_}, Format());
  mapped.map_in_place();
  const std::span<const std::byte> lines = mapped.in_place();
  EXPECT_TRUE(as_text(lines) == lines_);
  EXPECT_FALSE(mapped.at_end());
  const std::vector<std::byte> sample = mapped.sample_in_place();
  EXPECT_NE(as_text(sample).find("\nline " + std::to_string(7919 * 1'000'000ULL).substr(0, 3)), std::string::npos);
  EXPECT_EQ(as_text(first_record(Layout{}, sample)), as_text(first_record(Layout{}, lines)));
  EXPECT_EQ(as_text(last_record(Layout{}, sample)), as_text(last_record(Layout{}, lines)));
  std::size_t taken = 0;
  while (!mapped.at_end()) {
    EXPECT_NE(mapped.position().find("offset " + std::to_string(taken)), std::string::npos);
    const std::span<const std::byte> next = mapped.next({.wanted = 5'000'000}).bytes;
    ASSERT_EQ(next.data(), lines.data() + taken);
    ASSERT_EQ(as_text(next).back(), '\n');
    taken += next.size();
  }
  EXPECT_EQ(taken, lines_.size());
  EXPECT_EQ(mapped.next({.wanted = 5'000'000}).status, PieceSource::Status::kEnd);
  EXPECT_EQ(mapped.totals(), RecordTotals()) << "nobody has said what was counted";
  mapped.check_in_place();
}

TEST_F(MappedInputTest, IsSampledFromItsFirstPrefixedRecordToItsLast) {
  Format format;
  format.kind = RecordKind::kPrefixed;
  const std::string records = random_prefixed(100'000, 1);
  RecordReader mapped = open(write_inputs(directory_, {records}), format);
  mapped.map_in_place();
  const std::vector<std::byte> sample = mapped.sample_in_place();
  EXPECT_LT(sample.size(), records.size() / 2);
  EXPECT_EQ(whole_records(layout_of(format), sample), sample.size());
  EXPECT_TRUE(records.starts_with(as_text(sample).substr(0, 1000)));
  EXPECT_TRUE(records.ends_with(as_text(last_record(layout_of(format), sample))));
}

TEST_F(MappedInputTest, IsCountedWhenItIsDecorated) {
  Format format;
  format.text.keys.emplace_back().begin.byte = 5;
  const RecordCodec codec(format, false);
  for (const bool checksum : {false, true}) {
    const auto mapped =
        std::make_shared<RecordReader>(inputs_of(*files_, {path_}, format, observer_), format, false, observer_);
    mapped->map_in_place();
    const RecordCodec referring = codec.referring_to(mapped->in_place());
    KeyedReader reader(mapped, referring, {.memory_bytes = 8 << 20}, observer_, {}, checksum);
    std::uint64_t records = 0;
    while (!reader.at_end()) {
      records += reader.read(memory_.bytes().first(1 << 20), kAnyNumber).records;
      const RecordTotals handed_out = mapped->totals() - reader.kept_back();
      ASSERT_EQ(handed_out.records, records);
    }
    EXPECT_EQ(mapped->totals(), totals_of(format, as_bytes(lines_), checksum));
  }
}

TEST_F(MappedInputTest, IsReadAsUsualWhenItIsMappedNoMore) {
  RecordReader reader = open({path_}, Format());
  reader.map_in_place();
  reader.give_up_mapping();
  EXPECT_EQ(read_all(reader, Format(), 10'000'000, kAnyNumber), lines_);
}

TEST_F(MappedInputTest, IsNotReadAnewIfItWasChangedMeanwhile) {
  RecordReader mapped = open({path_}, Format());
  mapped.map_in_place();
  std::filesystem::last_write_time(path_, std::filesystem::file_time_type());  // as if the lease had been lost
  std::thread([this] { ::close(::open(path_.c_str(), O_WRONLY | O_CLOEXEC)); }).join();
  EXPECT_NE(error_of([&] { mapped.check_in_place(); }).find("it was changed while it was sorted"), std::string::npos);
  EXPECT_NE(error_of([&] { mapped.give_up_mapping(); }).find("it was changed while it was sorted"), std::string::npos);
}

}  // namespace
}  // namespace sortie
