#include "pipeline/input/keyed_reader.hpp"

#include "pipeline/input/record_reader_support.hpp"
#include "pipeline/keyed_lines.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
constexpr EncodingBudget kBudget{64 << 10, 1 << 20};

class KeyedReaderTest : public testing::Test {
 protected:
  RecordReader open(const std::vector<std::string>& contents) {
    return RecordReader(inputs_of(*files_, write_inputs(directory_, contents), format_, observer_), format_, false,
                        observer_);
  }

  /// Reads everything in pieces, growing them when a line does not fit, and checks the reader's promises.
  std::string read_all(PieceSource& reader, std::size_t piece_bytes, std::uint64_t max_records) {
    std::string all;
    std::string piece(piece_bytes, '?');
    while (true) {
      const PieceSource::Piece read = reader.read(as_writable(piece), max_records);
      if (read.status == PieceSource::Status::kEnd) break;
      if (read.status == PieceSource::Status::kTooSmall) {
        EXPECT_LE(read.bytes, piece.size());
        piece.resize(2 * piece.size());
        EXPECT_LT(piece.size(), 4U << 20) << "the reader stands still";
        if (piece.size() >= 4U << 20) break;
        continue;
      }
      const std::string lines = piece.substr(0, read.bytes);
      EXPECT_LE(read.records, max_records);
      EXPECT_EQ(read.records, static_cast<std::uint64_t>(std::ranges::count(lines, '\n')));
      EXPECT_EQ(read.input_bytes, decoded(lines).size());
      all += lines;
      piece.resize(piece_bytes);
    }
    EXPECT_TRUE(reader.at_end());
    return all;
  }

  std::shared_ptr<MergeSource> encode(RecordReader& lines, const EncodingBudget& budget = kBudget,
                                      std::uint64_t first_place = 0) {
    return sortable(not_owned(lines), codec_, budget, observer_, {first_place}, true);
  }

  std::string decoded(const std::string& lines) const {
    std::string all;
    for (const auto line : records_of(Layout{}, lines)) all += as_text(codec_.decode(as_bytes(line)));
    return all;
  }

  Format format_ = format_of({{{1, true}}, false});
  RecordCodec codec_{format_, false};
  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  SilentObserver observer_;
};

TEST_F(KeyedReaderTest, GivesEveryLineDecoratedInPiecesOfAnySize) {
  const std::vector<std::string> contents = {lines_with_fields(3000), "a 1\nb 2", "", lines_with_fields(200, 2)};
  const std::string expected = encoded(codec_, completed(format_, contents));
  for (const std::size_t piece_bytes : {1, 100, 3000, 1 << 20}) {
    for (const std::uint64_t max_records : {std::uint64_t{1}, std::uint64_t{7}, kNoLimit}) {
      SCOPED_TRACE("pieces of " + std::to_string(piece_bytes) + ", at most " + std::to_string(max_records));
      RecordReader lines = open(contents);
      const auto reader = encode(lines);
      EXPECT_FALSE(reader->at_end());
      ASSERT_TRUE(read_all(*reader, piece_bytes, max_records) == expected);
      EXPECT_EQ(lines.totals(), totals_of(format_, as_bytes(completed(format_, contents)), true));
    }
  }
}

// A sort with a checkpoint goes on behind what was handed out: the checksum of that must be known, too.
TEST_F(KeyedReaderTest, KnowsTheTotalsOfWhatItHasHandedOut) {
  const std::string bytes = lines_with_fields(3000);
  RecordReader lines = open({bytes});
  const auto reader = encode(lines);
  std::string piece(5000, '?');
  std::string handed_out;
  while (true) {
    const PieceSource::Piece read = reader->read(as_writable(piece), kNoLimit);
    if (read.status == PieceSource::Status::kEnd) break;
    handed_out += decoded(piece.substr(0, read.bytes));
    ASSERT_EQ(lines.totals() - reader->kept_back(), totals_of(format_, as_bytes(handed_out), true));
  }
  EXPECT_EQ(handed_out, bytes);
}

TEST_F(KeyedReaderTest, GivesWhatWasReadAheadFirst) {
  const std::vector<std::string> contents = {lines_with_fields(3000), "a 1\nb 2"};
  RecordReader lines = open(contents);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(lines.read_ahead(5000));
  const auto reader = encode(lines);
  EXPECT_TRUE(read_all(*reader, 4000, kNoLimit) == encoded(codec_, completed(format_, contents)));
}

TEST_F(KeyedReaderTest, CountsPlacesFromTheFirst) {
  RecordReader lines = open({"a 1\nb 2\n"});
  const auto reader = encode(lines, kBudget, 1'000'000);
  EXPECT_EQ(read_all(*reader, 1000, kNoLimit), encoded(codec_, "a 1\nb 2\n", 1'000'000));
}

TEST_F(KeyedReaderTest, GivesLongLinesOnceThePieceIsLargeEnough) {
  const std::string bytes = "a 1\n" + std::string(300'000, 'x') + " 2\n" + lines_with_fields(2000) + "y 3\n";
  RecordReader lines = open({bytes});
  const auto reader = encode(lines);
  EXPECT_TRUE(read_all(*reader, 1000, kNoLimit) == encoded(codec_, bytes));
}

TEST_F(KeyedReaderTest, DoesNotTakeMemoryForLinesBeyondTheLongest) {
  RecordReader lines = open({"a 1\n" + std::string(100'000, 'x') + "\n"});
  const auto reader = encode(lines, {16 << 10, 50'000});
  std::string piece(1 << 20, '?');
  EXPECT_EQ(reader->read(as_writable(piece), kNoLimit).records, 1U);
  EXPECT_EQ(reader->read(as_writable(piece), kNoLimit).status, PieceSource::Status::kTooSmall);
  EXPECT_NE(reader->position().find("input0' at offset 4"), std::string::npos) << reader->position();
}

TEST_F(KeyedReaderTest, GivesNothingForEmptyInputs) {
  RecordReader lines = open({"", ""});
  const auto reader = encode(lines);
  EXPECT_EQ(read_all(*reader, 100, kNoLimit), "");
}

TEST_F(KeyedReaderTest, IsMadeForRecordsThatGetKeys) {
  RecordReader reader = open({"a\n"});
  const std::shared_ptr<RecordReader> lines = not_owned(reader);
  EXPECT_EQ(sortable(lines, RecordCodec::plain(parsed("lines")), kBudget, observer_, {}, true), lines);
  EXPECT_NE(sortable(lines, codec_, kBudget, observer_, {}, true), lines);
}

}  // namespace
}  // namespace sortie
