// Records that are copied out of files and pipes, in pieces of any size, some of them read ahead.
#include "pipeline/input/record_reader.hpp"

#include <sys/stat.h>

#include <thread>

#include <sortie/text_keys.hpp>

#include "pipeline/input/record_reader_support.hpp"
#include "record/csv/csv_order.hpp"
#include "record/record_scan.hpp"
#include "support/faulty_file_system.hpp"

namespace sortie {
namespace {

using namespace test;

class RecordReaderPieces : public RecordReaderTest {
 protected:
  /// Expects the whole input if the first pieces are read ahead, in another size than that of the pieces that take
  /// them.
  void expect_whole_input_ahead(const Format& format, const std::vector<std::string>& contents) {
    const auto paths = write_inputs(directory_, contents);
    for (const std::size_t ahead_bytes : {20, 64, 1000}) {
      for (const std::size_t piece_bytes : {10, 64, 333, 5000}) {
        for (const std::uint64_t max_records : {std::uint64_t{1}, std::uint64_t{7}, kAnyNumber}) {
          SCOPED_TRACE("ahead " + std::to_string(ahead_bytes) + ", pieces of " + std::to_string(piece_bytes) +
                       ", at most " + std::to_string(max_records));
          RecordReader reader = open(paths, format);
          for (int i = 0; i < 5 && reader.read_ahead(ahead_bytes); ++i) EXPECT_FALSE(reader.at_end());
          EXPECT_EQ(reader.totals().records, 0U);
          ASSERT_EQ(read_all(reader, format, piece_bytes, max_records), completed(format, contents));
          EXPECT_EQ(reader.ahead_memory_bytes(), 0U);
        }
      }
    }
  }

  void expect_whole_input(const Format& format, const std::vector<std::string>& contents) {
    const auto paths = write_inputs(directory_, contents);
    for (const std::size_t piece_bytes : {1, 2, 3, 7, 64, 1000, 1 << 20}) {
      for (const std::uint64_t max_records : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{100}, kAnyNumber}) {
        SCOPED_TRACE("pieces of " + std::to_string(piece_bytes) + ", at most " + std::to_string(max_records));
        RecordReader reader = open(paths, format);
        ASSERT_EQ(read_all(reader, format, piece_bytes, max_records), completed(format, contents));
      }
    }
  }
};

// Reads pieces of any size, each of which is of one input, and says of which.
TEST_F(RecordReaderPieces, TellsWhereAPieceBegins) {
  const std::vector<std::string> contents = {"", "a\nbb\n", "", "ccc\nd", "e\n"};
  const auto paths = write_inputs(directory_, contents);
  for (const std::size_t piece_bytes : {5, 6, 7, 1000}) {
    for (const std::uint64_t max_records : {std::uint64_t{1}, kAnyNumber}) {
      InputSequence inputs = inputs_of(*files_, paths, parsed("lines"), observer_);
      inputs.end_pieces();
      RecordReader reader(std::move(inputs), parsed("lines"), true, observer_);
      std::vector<std::string> found(contents.size());
      std::string piece(piece_bytes, '?');
      while (true) {
        const RecordReader::Piece read = reader.read(as_writable(piece), max_records);
        if (read.status == RecordReader::Status::kEnd) break;
        ASSERT_EQ(read.status, RecordReader::Status::kRecords);
        const InputMark begin = reader.begin_of_last_piece();
        EXPECT_EQ(begin.offset, found.at(begin.input).size());
        found[begin.input] += piece.substr(0, read.bytes);
      }
      EXPECT_EQ(found, (std::vector<std::string>{"", "a\nbb\n", "", "ccc\nd\n", "e\n"}));
    }
  }
}

TEST_F(RecordReaderPieces, GivesTheWholeInputInPiecesOfAnySize) {
  for (const char* name : {"lines", "fixed:1", "fixed:10", "u32"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    expect_whole_input(format, {make_records(format, Distribution::kUniform, 300)});
  }
}

TEST_F(RecordReaderPieces, GivesCsvInPiecesOfAnySize) {
  const Format format = csv_format({});
  expect_whole_input(format, {well_formed_csv(60, 1), "", well_formed_csv(5, 2, "\r\n") + "\"a\n\",1", "b,\"\""});
  expect_whole_input_ahead(format, {well_formed_csv(300, 3)});
}

TEST_F(RecordReaderPieces, RecordsOfSeveralLinesEndWithTheirInput) {
  Format format;
  format.text.record_start = RecordStart("^[0-9]");
  const auto paths = write_inputs(directory_, {" x\n1 a\n  b", "", "  c\n\n2 d\n", "3 e", "  f\n  g\n4 h\n"});
  const std::vector<std::string> expected = {" x\n", "1 a\n  b\n", "  c\n\n", "2 d\n", "3 e\n", "  f\n  g\n", "4 h\n"};
  for (const std::size_t ahead_bytes : {0, 20, 1000}) {
    for (std::size_t piece_bytes = 1; piece_bytes < 60; ++piece_bytes) {
      for (const std::uint64_t max_records : {std::uint64_t{1}, std::uint64_t{2}, kAnyNumber}) {
        SCOPED_TRACE("ahead " + std::to_string(ahead_bytes) + ", pieces of " + std::to_string(piece_bytes) +
                     ", at most " + std::to_string(max_records));
        RecordReader reader = open(paths, format);
        for (int i = 0; ahead_bytes > 0 && i < 2 && reader.read_ahead(ahead_bytes); ++i) continue;
        std::vector<std::string> records;
        std::string piece(piece_bytes, '?');
        for (int idle = 0; idle < 40 && !reader.at_end();) {
          const RecordReader::Piece read = reader.read(as_writable(piece), max_records);
          idle = read.status == RecordReader::Status::kRecords ? 0 : idle + 1;
          if (read.status == RecordReader::Status::kTooSmall) piece.resize(2 * piece.size());
          if (read.status != RecordReader::Status::kRecords) continue;
          for_each_record(layout_of(format), as_bytes(piece).first(read.bytes), [&](const std::byte* data, auto bytes) {
            records.emplace_back(reinterpret_cast<const char*>(data), bytes);
          });
          piece.resize(piece_bytes);
        }
        ASSERT_EQ(records, expected);
        EXPECT_EQ(reader.totals().records, expected.size());
      }
    }
  }
}

TEST_F(RecordReaderPieces, NamesLinesByTheirInput) {
  Format format;
  format.text.json = true;
  format.text.keys.push_back(make_text_key(parse_json_key(".a"), {}));
  const auto paths = write_inputs(directory_, {"1\n2\n3", "4\n5\n"});
  RecordReader reader = open(paths, format);
  std::string piece(100, '?');
  std::vector<std::string> names;
  while (reader.read(as_writable(piece), 2).status == RecordReader::Status::kRecords) {
    names.push_back(name_of(reader.position_behind(as_bytes("x\n"))));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"input '" + paths[0] + "': line 2", "input '" + paths[0] + "': line 4",
                                             "input '" + paths[1] + "': line 2"}));
}

TEST_F(RecordReaderPieces, NamesRecordsBehindThoseThatAnEarlierAttemptHasRead) {
  Format csv;
  csv.text.csv = true;
  csv.text.separator = ",";
  Format entries;
  entries.text.record_start = RecordStart("^[0-9]");
  const std::string quoted = "\"1\n1\n1\",x\n2,y\n";
  const std::string started = "1 a\n  b\n  c\n2 d\n";
  for (const auto& [format, before] : {std::pair{csv, quoted}, {entries, started}}) {
    const auto paths = write_inputs(directory_, {before + "3,z\n4,w\n"});
    InputMark begin;
    begin.offset = before.size();
    RecordReader reader = reader_of(*files_, paths, format, observer_, begin);
    std::string piece(100, '?');
    ASSERT_EQ(reader.read(as_writable(piece), kAnyNumber).status, RecordReader::Status::kRecords);
    EXPECT_EQ(name_of(reader.position_behind({})), "input '" + paths[0] + "': record 3");
    EXPECT_EQ(name_of(reader.position_behind(as_bytes("3,z\n"))), "input '" + paths[0] + "': record 4");
  }
}

TEST_F(RecordReaderPieces, CountsPiecesThatAreReadInSlices) {
  for (const char* name : {"lines", "fixed:10", "u64"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    const std::string bytes = make_records(format, Distribution::kUniform, 400'000);
    const std::vector<std::string> contents = {bytes, bytes.substr(0, bytes.size() / 4000 * 1000), bytes};
    const auto paths = write_inputs(directory_, contents);
    for (const std::uint64_t max_records : {std::uint64_t{100'003}, kAnyNumber}) {
      RecordReader reader = open(paths, format);
      ASSERT_EQ(read_all(reader, format, 4'000'000, max_records), completed(format, contents));
    }
  }
}

TEST_F(RecordReaderPieces, ReadsSeveralInputsOneAfterAnother) {
  for (const char* name : {"lines", "fixed:10"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    expect_whole_input(
        format, {make_records(format, Distribution::kUniform, 50), "", "", make_records(format, Distribution::kZipf, 3),
                 make_records(format, Distribution::kSorted, 90), ""});
  }
}

TEST_F(RecordReaderPieces, CompletesTheLastLineOfEveryInput) {
  expect_whole_input(parsed("lines"), {"one\ntwo", "three", "\n", "", "four\n", "five"});
  expect_whole_input(parsed("lines"), {"x"});
  Format zero = parsed("lines");
  zero.delimiter = '\0';
  expect_whole_input(zero, {std::string("a\0b", 3), "c\nd"});
}

TEST_F(RecordReaderPieces, GivesWhatWasReadAheadFirst) {
  for (const char* name : {"lines", "fixed:10", "u32"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    expect_whole_input_ahead(
        format, {make_records(format, Distribution::kUniform, 300), "", make_records(format, Distribution::kZipf, 40)});
  }
}

TEST_F(RecordReaderPieces, ReadsAheadNoFurtherThanALineThatDoesNotFit) {
  const std::string long_line(100, 'x');
  const auto paths = write_inputs(directory_, {"a\nb\n" + long_line + "\nc"});
  RecordReader reader = open(paths, parsed("lines"));
  EXPECT_TRUE(reader.read_ahead(20));
  EXPECT_FALSE(reader.read_ahead(20));
  EXPECT_FALSE(reader.read_ahead(20));
  EXPECT_EQ(reader.ahead_memory_bytes(), 20U);
  EXPECT_EQ(reader.position(), "input '" + paths[0] + "' at offset 0");
  EXPECT_EQ(read_all(reader, parsed("lines"), 10, kAnyNumber), "a\nb\n" + long_line + "\nc\n");
}

TEST_F(RecordReaderPieces, KnowsTheSizeOfAPipeThatWasReadAheadToItsEnd) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write_whole_file(pipe, "one\ntwo\nthree"); });
  RecordReader reader = open({pipe}, parsed("lines"));
  EXPECT_EQ(reader.total_bytes(), std::nullopt);
  while (reader.read_ahead(10)) {
  }
  writer.join();
  EXPECT_EQ(reader.total_bytes(), 14U);
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(read_all(reader, parsed("lines"), 10, kAnyNumber), "one\ntwo\nthree\n");
  EXPECT_EQ(reader.total_bytes(), 14U);
}

// Memory is touched ahead once a pipe has given much: what was carried over from the piece before stays.
TEST_F(RecordReaderPieces, GivesAllOfALongPipe) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string text;
  for (int i = 0; text.size() < 80 << 20; ++i) text += "a line of some length, number " + std::to_string(i) + "\n";
  std::thread writer([&] { write_whole_file(pipe, text); });
  RecordReader reader = open({pipe}, parsed("lines"));
  EXPECT_TRUE(read_all(reader, parsed("lines"), 7 << 20, kAnyNumber) == text);
  writer.join();
}

TEST_F(RecordReaderPieces, ReportsWhatIsWrongWithInputThatIsReadAhead) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write_whole_file(pipe, std::string(34, 'y')); });
  RecordReader reader = open({pipe}, parsed("fixed:10"));
  const std::string message = error_of([&] {
    while (reader.read_ahead(20)) {
    }
  });
  writer.join();
  EXPECT_NE(message.find("a stray tail of 4 bytes begins at offset 30"), std::string::npos) << message;
}

TEST_F(RecordReaderPieces, GivesNothingForEmptyInputs) {
  expect_whole_input(parsed("lines"), {});
  expect_whole_input(parsed("lines"), {"", ""});
  expect_whole_input(parsed("gensort"), {""});
}

TEST_F(RecordReaderPieces, GivesLongLinesOnceThePieceIsLargeEnough) {
  expect_whole_input(parsed("lines"),
                     {std::string(5000, 'x') + "\nshort\n" + std::string(3000, 'y'), std::string(10'000, 'z')});
}

TEST_F(RecordReaderPieces, SaysHowMuchOfARecordThatDoesNotFitIsThere) {
  const auto paths = write_inputs(directory_, {std::string(100, 'x') + "\n"});
  RecordReader reader = open(paths, parsed("lines"));
  std::string piece(50, '?');
  const RecordReader::Piece read = reader.read(as_writable(piece), kAnyNumber);
  EXPECT_EQ(read.status, RecordReader::Status::kTooSmall);
  EXPECT_GE(read.bytes, 49U);
  EXPECT_EQ(reader.position(), "input '" + paths[0] + "' at offset 0");
  std::string larger(80, '?');
  EXPECT_EQ(reader.read(as_writable(larger), kAnyNumber).status, RecordReader::Status::kTooSmall);
  EXPECT_GE(reader.read(as_writable(piece), kAnyNumber).bytes, 79U) << "what is carried over is known, too";
}

TEST_F(RecordReaderPieces, KnowsTheSizeOfPlainFiles) {
  const auto paths = write_inputs(directory_, {"abc\n", "de"});
  EXPECT_EQ(open(paths, parsed("lines")).total_bytes(), 6U);
}

TEST_F(RecordReaderPieces, KnowsTheEndOfPlainFilesBeforeItReadsOn) {
  const auto paths = write_inputs(directory_, {"ab\n", "cd\n"});
  RecordReader reader = open(paths, parsed("lines"));
  std::string piece(4, '?');
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.read(as_writable(piece), kAnyNumber).bytes, 3U);
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.read(as_writable(piece), kAnyNumber).bytes, 3U);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.read(as_writable(piece), kAnyNumber).status, RecordReader::Status::kEnd);
}

TEST_F(RecordReaderPieces, GivesASampleAndKeepsIt) {
  const auto paths = write_inputs(directory_, {"ab\ncd\nef", "gh\n"});
  RecordReader reader = open(paths, parsed("lines"));
  const auto sample = [&](std::size_t most_bytes) { return std::string(as_text(reader.sample(most_bytes))); };
  EXPECT_EQ(sample(7), "ab\ncd\n");
  EXPECT_EQ(sample(100), "ab\ncd\n");
  EXPECT_EQ(sample(2), "");
  std::string piece(4, '?');
  EXPECT_EQ(reader.read(as_writable(piece), kAnyNumber).input_bytes, 3U);
  ASSERT_TRUE(reader.read_ahead(4));
  EXPECT_EQ(sample(100), "cd\n");
  EXPECT_EQ(sample(2), "");
}

TEST_F(RecordReaderPieces, RefusesAStrayTailWithItsOffsetWhenItIsOpened) {
  const auto paths = write_inputs(directory_, {std::string(20, 'x'), std::string(34, 'y')});
  const std::string message = error_of([&] { open(paths, parsed("fixed:10")); });
  EXPECT_NE(message.find(paths[1]), std::string::npos) << message;
  EXPECT_NE(message.find("a stray tail of 4 bytes begins at offset 30"), std::string::npos) << message;
}

TEST_F(RecordReaderPieces, RefusesAStrayTailOfAPipeAtItsEnd) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write_whole_file(pipe, std::string(34, 'y')); });
  RecordReader reader = open({pipe}, parsed("fixed:10"));
  EXPECT_EQ(reader.total_bytes(), std::nullopt);
  std::string piece(16, '?');
  const std::string message = error_of([&] {
    while (reader.read(as_writable(piece), kAnyNumber).status != RecordReader::Status::kEnd) {
    }
  });
  writer.join();
  EXPECT_NE(message.find("a stray tail of 4 bytes begins at offset 30"), std::string::npos) << message;
}

TEST_F(RecordReaderPieces, ReadsPipesThatGiveAByteAtATime) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kUniform, 100) + "unfinished";
  std::thread writer([&] { write_whole_file(pipe, bytes); });
  FaultPlan short_reads;
  short_reads.short_reads = true;
  FaultyFileSystem slow(*files_, short_reads);
  RecordReader reader = reader_of(slow, {pipe}, format, observer_);
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(read_all(reader, format, 40, kAnyNumber), bytes + "\n");
  writer.join();
}

TEST_F(RecordReaderPieces, NamesAMissingInputBeforeItReadsAny) {
  const auto paths = write_inputs(directory_, {"a\n"});
  const std::string message = error_of([&] { open({paths[0], directory_ / "missing"}, parsed("lines")); });
  EXPECT_NE(message.find("missing"), std::string::npos) << message;
}

}  // namespace
}  // namespace sortie
