// Reads inputs for the tests of record readers, and of what takes records from them.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "io/files/file.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/pipeline_support.hpp"
#include "record/record_scan.hpp"

namespace sortie::test {

inline constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

/// Files without a header.
inline InputSequence inputs_of(FileSystem& files, const std::vector<std::string>& paths, const Format& format,
                               Observer& observer) {
  SortOptions options;
  options.format = format;
  InputOpener opener(files, options);
  return InputSequence(opener, paths, format, Waiting::kUntilFull, observer);
}

inline RecordReader reader_of(FileSystem& files, const std::vector<std::string>& paths, const Format& format,
                              Observer& observer, const InputMark& begin = {}) {
  return RecordReader(inputs_of(files, paths, format, observer), format, true, observer, begin);
}

/// For who shares a reader with nobody.
inline std::shared_ptr<RecordReader> not_owned(RecordReader& reader) { return {std::shared_ptr<void>(), &reader}; }

class RecordReaderTest : public testing::Test {
 protected:
  RecordReader open(const std::vector<std::string>& paths, const Format& format) {
    return reader_of(*files_, paths, format, observer_);
  }

  /// Reads everything in pieces, growing them when a record does not fit, and checks the reader's promises.
  std::string read_all(RecordReader& reader, const Format& format, std::size_t piece_bytes, std::uint64_t max_records) {
    const Layout layout = layout_of(format);
    std::string all;
    std::string piece(piece_bytes, '?');
    for (int idle = 0; idle < 40;) {
      const RecordReader::Piece read = reader.read(as_writable(piece), max_records);
      if (read.status == RecordReader::Status::kEnd) {
        EXPECT_EQ(reader.totals(), totals_of(format, as_bytes(all), true));
        EXPECT_TRUE(reader.at_end());
        return all;
      }
      if (read.status == RecordReader::Status::kTooSmall) {
        piece.resize(2 * piece.size());
        ++idle;
        continue;
      }
      EXPECT_LE(read.bytes, piece.size());
      EXPECT_LE(read.records, max_records);
      EXPECT_EQ(read.records, count_records(layout, as_bytes(piece).first(read.bytes)));
      EXPECT_EQ(whole_records(layout, as_bytes(piece).first(read.bytes)), read.bytes);
      EXPECT_GT(read.bytes, 0U);
      all += piece.substr(0, read.bytes);
      piece.resize(piece_bytes);
      idle = 0;
    }
    ADD_FAILURE() << "the reader stands still";
    return all;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  SilentObserver observer_;
};

}  // namespace sortie::test
