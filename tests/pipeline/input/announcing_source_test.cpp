#include "pipeline/input/announcing_source.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sortie {
namespace {

constexpr std::uint64_t kMegabyte = 1 << 20;

// Gives pieces that hold two bytes for each byte of the input, as records with keys do.
class PiecesOf final : public PieceSource {
 public:
  explicit PiecesOf(std::vector<std::uint64_t> input_bytes) : input_bytes_(std::move(input_bytes)) {}

  Piece read(std::span<std::byte>, std::uint64_t) override {
    if (at_end()) return {};
    const std::uint64_t bytes = input_bytes_[next_++];
    return {Status::kRecords, static_cast<std::size_t>(2 * bytes), 1, bytes};
  }
  bool at_end() const override { return next_ == input_bytes_.size(); }
  std::string position() const override { return "piece " + std::to_string(next_); }

 private:
  std::vector<std::uint64_t> input_bytes_;
  std::size_t next_ = 0;
};

class ExpectedBytes final : public Output {
 public:
  void write(std::span<const std::byte>) override { FAIL() << "nothing is written while records are read"; }
  void expect(std::uint64_t bytes) override { expected.push_back(bytes); }
  void write_around_cache() override {}
  void finish() override {}

  std::vector<std::uint64_t> expected;
};

TEST(AnnouncingSource, AnnouncesWhatHasBeenReadOfTheInputNowAndThen) {
  PiecesOf pieces({40 * kMegabyte, 40 * kMegabyte, kMegabyte, 100 * kMegabyte, kMegabyte});
  ExpectedBytes output;
  AnnouncingSource source(pieces, output, 7, 200 * kMegabyte);
  std::vector<std::byte> target;
  std::uint64_t bytes = 0;
  while (!source.at_end()) bytes += source.read(target, 1).bytes;
  EXPECT_EQ(source.read(target, 1).status, PieceSource::Status::kEnd);
  EXPECT_EQ(bytes, 2 * 182 * kMegabyte);
  EXPECT_EQ(output.expected, (std::vector<std::uint64_t>{80 * kMegabyte + 7, 181 * kMegabyte + 7}));
  EXPECT_EQ(source.position(), "piece 5");
}

TEST(AnnouncingSource, AnnouncesNoMoreThanARunHolds) {
  PiecesOf pieces({100 * kMegabyte, 100 * kMegabyte, 100 * kMegabyte});
  ExpectedBytes output;
  AnnouncingSource source(pieces, output, 0, 200 * kMegabyte);
  while (source.read({}, 1).status == PieceSource::Status::kRecords) continue;
  EXPECT_EQ(output.expected, (std::vector<std::uint64_t>{100 * kMegabyte, 200 * kMegabyte}));
}

TEST(AnnouncingSource, AnnouncesNothingOfALittleInput) {
  PiecesOf pieces({kMegabyte, kMegabyte});
  ExpectedBytes output;
  AnnouncingSource source(pieces, output, 0, 200 * kMegabyte);
  while (source.read({}, 1).status == PieceSource::Status::kRecords) continue;
  EXPECT_TRUE(output.expected.empty());
}

}  // namespace
}  // namespace sortie
