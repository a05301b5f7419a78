#include "run/run_file.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/file_run_storage.hpp"
#include "run/memory_run_storage.hpp"
#include "run/run_format.hpp"
#include "run/run_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::error_of;
using testing::HasSubstr;

constexpr RunIdentity kIdentity{0x1122334455667788, 3};
const std::string kGoldenFolder = SORTIE_GOLDEN_RUNS;

class RunFileTest : public testing::Test {
 protected:
  /// Writes a run file and returns its bytes.
  std::string make_run_file(const char* format, const std::string& records, const RunWriterOptions& options,
                            RunIdentity identity = kIdentity) {
    std::filesystem::remove(path());
    auto storage = std::make_shared<FileRunStorage>(files_->create(path()));
    test::write_run(RecordOrder(parse_format(format)), records, storage, options, identity);
    return test::read_whole_file(path());
  }

  RunFile open(const std::string& contents) {
    std::filesystem::remove(path());
    test::write_whole_file(path(), contents);
    return open_run_file(*files_, path());
  }

  /// The records of a whole run file. Throws if anything is wrong with it.
  std::string read_file(const std::string& contents) { return test::contents_of(open(contents).run); }
  std::string read_file() { return test::contents_of(open_run_file(*files_, path()).run); }

  std::string path() const { return directory_ / "run"; }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_F(RunFileTest, TellsWhatWasWritten) {
  const std::string lines = test::sorted_lines(1000);
  const std::string contents = make_run_file("lines", lines, {4096, BlockCodec::kZstd, 3});
  const RunFile file = open(contents);
  EXPECT_EQ(file.header.version, 2u);
  EXPECT_EQ(file.header.identity, kIdentity);
  EXPECT_EQ(file.header, make_run_header(RecordOrder(parse_format("lines")), kIdentity));
  EXPECT_EQ(file.run.identity, kIdentity);
  EXPECT_EQ(file.run.record_count, 1000u);
  EXPECT_EQ(file.run.record_bytes, lines.size());
  EXPECT_EQ(file.run.stored_bytes, contents.size());
  EXPECT_TRUE(test::contents_of(file.run) == lines);
}

TEST_F(RunFileTest, IndexSurvives) {
  const std::string lines = std::string(300, 'a') + "\n" + std::string(300, 'b') + "\n";
  auto storage = std::make_shared<FileRunStorage>(files_->create(path()));
  const sortie::Run written =
      test::write_run(RecordOrder(parse_format("lines")), lines, storage, {64, BlockCodec::kRaw, 1}, kIdentity);
  const RunFile file = open_run_file(*files_, path());
  EXPECT_EQ(file.run.blocks, written.blocks);
  EXPECT_EQ(file.run.stored_bytes, written.stored_bytes);
  EXPECT_TRUE(file.run.blocks[0].key_is_cut);
}

TEST_F(RunFileTest, AnEmptyRunIsARunFile) {
  const RunFile file = open(make_run_file("u32", "", {}));
  EXPECT_EQ(file.run.record_count, 0u);
  EXPECT_TRUE(file.run.blocks.empty());
}

TEST_F(RunFileTest, TheHashOfTheOrderTellsOrdersApart) {
  const auto hash = [](const char* format, bool descending) {
    Format parsed = parse_format(format);
    parsed.descending = descending;
    return make_run_header(RecordOrder(parsed), kIdentity).order_hash;
  };
  EXPECT_EQ(hash("u32", false), hash("u32", false));
  EXPECT_NE(hash("u32", false), hash("u32", true));
  EXPECT_NE(hash("u32", false), hash("i32", false));
  EXPECT_NE(hash("u32", false), hash("u64", false));
  EXPECT_NE(hash("lines", false), hash("lines", true));
  EXPECT_NE(hash("gensort", false), hash("fixed:100", false));
}

TEST_F(RunFileTest, FindsEveryTruncation) {
  for (const BlockCodec codec : {BlockCodec::kRaw, BlockCodec::kDeltaShuffleZstd}) {
    const std::string contents = make_run_file("fixed:16", test::sorted_records(40, 16), {256, codec, 1});
    EXPECT_THROW(read_file(contents + "x"), Error);
    for (std::size_t bytes = contents.size(); bytes-- > 0;) {
      std::filesystem::resize_file(path(), bytes);
      EXPECT_THAT(error_of([&] { read_file(); }), HasSubstr(path())) << bytes;
    }
  }
}

TEST_F(RunFileTest, FindsEveryFlippedBit) {
  for (const BlockCodec codec : {BlockCodec::kRaw, BlockCodec::kZstd, BlockCodec::kDeltaShuffleZstd}) {
    const std::string records = test::sorted_records(40, 16);
    const std::string contents = make_run_file("fixed:16", records, {256, codec, 1});
    ASSERT_EQ(open_run_file(*files_, path()).run.blocks.at(0).codec, codec);
    ASSERT_EQ(read_file(), records);
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    const auto put = [&](std::size_t at, char byte) {
      file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
      ASSERT_TRUE(file);
    };
    for (std::size_t at = 0; at < contents.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        put(at, static_cast<char>(contents[at] ^ (1 << bit)));
        EXPECT_THAT(error_of([&] { read_file(); }), HasSubstr(path())) << "byte " << at;
      }
      put(at, contents[at]);
    }
    EXPECT_EQ(read_file(), records);
  }
}

TEST_F(RunFileTest, NamesRunBlockAndFile) {
  std::string contents = make_run_file("u32", test::sorted_numbers<std::uint32_t>(100), {128, BlockCodec::kRaw, 1});
  contents[kRunHeaderBytes + 128 + 5] ^= 1;
  EXPECT_EQ(
      error_of([&] { read_file(contents); }),
      "block 1 of run 3 in '" + path() + "' is damaged (its checksum differs); check disk and memory, then sort again");
}

TEST_F(RunFileTest, FindsABlockOfAnotherRun) {
  const std::string numbers = test::sorted_numbers<std::uint32_t>(100);
  const RunWriterOptions options{128, BlockCodec::kRaw, 1};
  const std::string mine = make_run_file("u32", numbers, options, {1, 1});
  for (const RunIdentity other : {RunIdentity{1, 2}, RunIdentity{2, 1}}) {
    const std::string theirs = make_run_file("u32", numbers, options, other);
    const std::string blocks = theirs.substr(kRunHeaderBytes, numbers.size());
    ASSERT_EQ(blocks, numbers);
    // The blocks have the same bytes, but the index entries are those of the other run.
    std::string mixed = mine.substr(0, kRunHeaderBytes) + theirs.substr(kRunHeaderBytes);
    EXPECT_THAT(error_of([&] { read_file(mixed); }), HasSubstr("index is damaged or belongs to another run"));
    const RunFile my_file = open(mine);
    sortie::Run run = my_file.run;
    run.blocks = open(theirs).run.blocks;
    run.storage = std::make_shared<FileRunStorage>(files_->open_input(path()), theirs.size());
    EXPECT_THAT(error_of([&] { test::contents_of(run); }), HasSubstr("checksum differs"));
  }
}

TEST_F(RunFileTest, FindsExchangedBlocks) {
  // All blocks have equal bytes, so that only their numbers tell them apart.
  const std::string numbers(1024, 'n');
  open(make_run_file("u32", numbers, {128, BlockCodec::kRaw, 1}));
  sortie::Run run = open_run_file(*files_, path()).run;
  std::swap(run.blocks[1], run.blocks[2]);
  EXPECT_THAT(error_of([&] { test::contents_of(run); }), HasSubstr("block 1 of run 3"));
}

TEST_F(RunFileTest, NamesTheWrongVersion) {
  std::string contents = make_run_file("u32", "", {});
  contents[8] = 3;
  EXPECT_EQ(error_of([&] { open(contents); }),
            "run file '" + path() + "' cannot be used: it has format version 3, this program reads version 2");
}

TEST_F(RunFileTest, RefusesOtherFiles) {
  EXPECT_THAT(error_of([&] { open("short"); }), HasSubstr("too short"));
  EXPECT_THAT(error_of([&] { open(std::string(1000, 'x')); }), HasSubstr("does not begin like a run file"));
  EXPECT_THAT(error_of([&] { open_run_file(*files_, directory_ / "none"); }), HasSubstr("No such file"));
  EXPECT_THAT(error_of([&] { open_run_file(*files_, "/dev/zero"); }), HasSubstr("too short"));
}

/// Footers with valid checksums and bad contents. An attacker would write them, a disk would not.
TEST_F(RunFileTest, RefusesAnIndexThatContradictsItself) {
  const std::string numbers = test::sorted_numbers<std::uint32_t>(64);
  open(make_run_file("u32", numbers, {128, BlockCodec::kRaw, 1}));
  const RunFile good = open_run_file(*files_, path());
  const auto refused = [&](auto change) {
    sortie::Run run = good.run;
    change(run);
    const std::vector<std::byte> footer = encode_run_footer(run);
    const std::uint64_t footer_offset = kRunHeaderBytes + numbers.size();
    const std::vector<std::byte> trailer = encode_run_trailer(footer, footer_offset, kIdentity);
    const RunTrailer decoded = decode_run_trailer(trailer, footer_offset + footer.size() + trailer.size(), "crafted");
    return error_of([&] { decode_run_footer(footer, decoded, good.header, "crafted"); });
  };
  const auto contradicts = HasSubstr("run file 'crafted' cannot be used: its index contradicts itself");
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks[0].offset -= 64; }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks[1].offset += 1; }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks[1].stored_bytes = ~std::uint64_t{0}; }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks[1].record_bytes += 4; }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks[1].record_count += 1; }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks[1].record_count = 0; }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks.pop_back(); }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.record_count += 1; }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.record_bytes += 1; }), contradicts);
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks[1].codec = BlockCodec(3); }), HasSubstr("malformed"));
  EXPECT_THAT(refused([](sortie::Run& run) { run.blocks[1].first_key.resize(257); }), HasSubstr("malformed"));
  // A block that claims to unpack to more than zstd can pack.
  EXPECT_THAT(refused([](sortie::Run& run) {
                BlockInfo& block = run.blocks[1];
                block.codec = BlockCodec::kZstd;
                block.record_count = std::uint64_t{1} << 40;
                block.record_bytes = block.record_count * 4;
                run.record_count += block.record_count - 32;
                run.record_bytes += block.record_bytes - 128;
              }),
              contradicts);
}

/// A reader asks for memory by what a block may hold, so that no forged index and no zstd bomb makes it take more.
TEST_F(RunFileTest, RefusesBlocksThatHoldMoreThanAnyWriterPutsIntoOne) {
  const RunHeader header = make_run_header(RecordOrder(parse_format("lines")), kIdentity);
  const auto decode = [&](const BlockInfo& block, std::uint64_t index_at) {
    sortie::Run run;
    run.identity = kIdentity;
    run.blocks = {block};
    const std::vector<std::byte> footer = encode_run_footer(run);
    return decode_index_entries(std::span(footer).subspan(static_cast<std::size_t>(index_begin(0))), index_at, header,
                                "crafted");
  };
  BlockInfo block;
  block.offset = kRunHeaderBytes;
  block.record_count = 1;
  block.codec = BlockCodec::kZstd;
  block.stored_bytes = 1000;
  block.record_bytes = kMostPackedBytes;
  const std::uint64_t end = block.offset + block.stored_bytes;
  EXPECT_EQ(decode(block, end).size(), 1U);
  const auto contradicts = HasSubstr("its index contradicts itself");
  EXPECT_THAT(error_of([&] { decode(block, end - 1); }), contradicts);
  block.record_count = 2;
  EXPECT_THAT(error_of([&] { decode(block, end); }), contradicts);
  block.record_bytes = kMostBlockBytes;
  EXPECT_EQ(decode(block, end).size(), 1U);
  block.record_count = 1;
  block.record_bytes = kMostPackedBytes + 1;
  EXPECT_THAT(error_of([&] { decode(block, end); }), contradicts);
  // Raw, a record may be as long as the file.
  block.codec = BlockCodec::kRaw;
  block.stored_bytes = block.record_bytes = std::uint64_t{1} << 40;
  EXPECT_EQ(decode(block, block.offset + block.stored_bytes).size(), 1U);
}

/// What a forged index says of a packed block must not make the reader ask for that much memory.
TEST_F(RunFileTest, AsksForNoMoreMemoryThanABlockUnpacksTo) {
  const std::string numbers = test::sorted_numbers<std::uint32_t>(64 << 10);
  open(make_run_file("u32", numbers, {256 << 10, BlockCodec::kDeltaShuffleZstd, 1}));
  RunFile forged = open_run_file(*files_, path());
  ASSERT_EQ(forged.run.blocks[0].codec, BlockCodec::kDeltaShuffleZstd);
  EXPECT_EQ(BlockRecords(forged.run, 0).bytes().size(), numbers.size());
  forged.run.blocks[0].record_bytes = std::uint64_t{1} << 50;
  EXPECT_THAT(error_of([&] { BlockRecords(forged.run, 0); }), HasSubstr("cannot be unpacked"));
}

/// Golden files pin the format as it was written down. SORTIE_UPDATE_GOLDEN=1 writes them anew, which is right only
/// together with a new version in FORMAT.md.
std::string golden(const std::string& name, const std::string& contents) {
  const std::string path = kGoldenFolder + "/" + name;
  if (std::getenv("SORTIE_UPDATE_GOLDEN") != nullptr) test::write_whole_file(path, contents);
  return test::read_whole_file(path);
}

TEST_F(RunFileTest, RawRunsMatchTheGoldenFile) {
  const std::string lines = "alpha\nbravo\ncharlie\n" + std::string(300, 'd') + "\necho\n";
  const std::string contents = make_run_file("lines", lines, {16, BlockCodec::kRaw, 1});
  const std::string kept = golden("lines-raw-v2.run", contents);
  EXPECT_TRUE(contents == kept) << "the format has changed: FORMAT.md and its version must change too";
  EXPECT_EQ(read_file(kept), lines);
}

TEST_F(RunFileTest, CompressedGoldenFilesAreRead) {
  // Not compared byte by byte, because another zstd may compress to other bytes.
  std::string numbers(4000, '\0');
  for (std::uint32_t i = 0; i < 1000; ++i) store_as(numbers.data() + 4 * i, i * i * 4000);
  const std::string contents = make_run_file("u32", numbers, {1000, BlockCodec::kDeltaShuffleZstd, 1});
  const RunFile file = open(golden("u32-delta-shuffle-v2.run", contents));
  EXPECT_EQ(file.run.blocks.at(0).codec, BlockCodec::kDeltaShuffleZstd);
  EXPECT_TRUE(test::contents_of(file.run) == numbers);
  EXPECT_EQ(file.header, make_run_header(RecordOrder(parse_format("u32")), kIdentity));
}

TEST(MemoryRuns, CompressedBlocksAreChecked) {
  const std::string numbers = test::sorted_numbers<std::uint32_t>(1000);
  const RecordOrder order(parse_format("u32"));
  const sortie::Run run = test::write_run(order, numbers, std::make_shared<MemoryRunStorage>(),
                                          {1 << 20, BlockCodec::kDeltaShuffleZstd, 1}, kIdentity);
  ASSERT_NE(run.blocks.at(0).codec, BlockCodec::kRaw);
  run.storage->write(run.blocks[0].offset + 10, test::as_bytes("damage"));
  EXPECT_THAT(error_of([&] { test::contents_of(run); }), HasSubstr("block 0 of run 3 in memory is damaged"));
}

}  // namespace
}  // namespace sortie
