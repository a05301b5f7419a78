#include <algorithm>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/files/file.hpp"
#include "run/file_run_storage.hpp"
#include "run/memory_run_storage.hpp"
#include "run/run_support.hpp"
#include "run/run_writer.hpp"
#include "support/resident_bytes.hpp"
#include "support/temporary_directory.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::as_writable;
using test::resident_bytes;

std::string read(const RunStorage& storage, std::uint64_t offset, std::size_t bytes) {
  std::string text(bytes, '?');
  storage.read(offset, as_writable(text));
  return text;
}

TEST(MemoryRunStorage, KeepsRangesOfAnySize) {
  MemoryRunStorage storage;
  std::vector<std::pair<std::uint64_t, std::string>> ranges;
  for (const std::size_t bytes : {0u, 1u, 4096u, 3'000'000u, 5u, 2u << 20, 20'000'000u, 7u}) {
    std::string contents(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) contents[i] = static_cast<char>(i * 7 + bytes);
    ranges.emplace_back(storage.append(as_bytes(contents)), contents);
  }
  for (const auto& [offset, contents] : ranges) {
    EXPECT_EQ(read(storage, offset, contents.size()), contents);
    EXPECT_EQ(read(storage, offset + contents.size() / 2, contents.size() / 2).size(), contents.size() / 2);
  }
  EXPECT_FALSE(storage.in_file());
  EXPECT_EQ(storage.name(), "memory");
  EXPECT_EQ(storage.path(), "");
}

TEST(MemoryRunStorage, WritesPartsOfAReservedRange) {
  MemoryRunStorage storage;
  const std::uint64_t offset = storage.reserve(6);
  storage.write(offset + 3, as_bytes("def"));
  storage.write(offset, as_bytes("abc"));
  EXPECT_EQ(read(storage, offset, 6), "abcdef");
}

TEST(MemoryRunStorage, GivesReleasedMemoryBackToTheSystem) {
  MemoryRunStorage storage;
  constexpr std::size_t kBlockBytes = 1 << 20;
  constexpr std::size_t kBlocks = 200;
  const std::string block(kBlockBytes, 'b');
  std::vector<std::uint64_t> offsets;
  for (std::size_t i = 0; i < kBlocks; ++i) offsets.push_back(storage.append(as_bytes(block)));
  const std::uint64_t full = resident_bytes();
  for (std::size_t i = 0; i < kBlocks; i += 2) storage.release(offsets[i], kBlockBytes);
  EXPECT_LT(resident_bytes(), full - kBlocks / 2 * kBlockBytes * 9 / 10);
  for (std::size_t i = 1; i < kBlocks; i += 2) ASSERT_EQ(read(storage, offsets[i], kBlockBytes), block);
}

TEST(MemoryRunStorage, ShowsWhatLiesInOneStretch) {
  MemoryRunStorage storage(std::make_unique<RunMemory>(3'000'000));
  const std::string block(1'000'000, 'v');
  const std::uint64_t first = storage.append(as_bytes(block));
  storage.append(as_bytes(block));
  const auto shown = storage.view(first, 2'000'000);
  EXPECT_TRUE(std::ranges::equal(shown, as_bytes(block + block)));
  EXPECT_TRUE(storage.view(first, 2'000'001).empty());
  storage.append(as_bytes(block));
  storage.append(as_bytes(block));  // more bytes than expected
  EXPECT_EQ(storage.view(first, 3'000'000).size(), 3'000'000U);
  EXPECT_TRUE(storage.view(first, 4'000'000).empty());
}

TEST(MemoryRunStorage, KeepsWhatWasPutInPlace) {
  const MemoryPinner pin = [](std::span<std::byte>) { return std::make_unique<MemoryPin>(); };
  MemoryRunStorage storage(std::make_unique<RunMemory>(10, pin));
  const std::span<std::byte> pinned = storage.pinned_memory();
  ASSERT_EQ(pinned.size(), 10U);
  std::ranges::copy(as_bytes("0123456789"), pinned.begin());
  const std::uint64_t first = storage.append(pinned.first(4));
  const std::uint64_t second = storage.append(pinned.subspan(4));
  EXPECT_EQ(read(storage, first, 4) + read(storage, second, 6), "0123456789");
  EXPECT_TRUE(MemoryRunStorage().pinned_memory().empty());
  EXPECT_TRUE(MemoryRunStorage(std::make_unique<RunMemory>(10)).pinned_memory().empty());
}

TEST(MemoryRunStorage, ReleaseLeavesNeighboursAlone) {
  MemoryRunStorage storage;
  const std::string contents = test::sorted_lines(10'000);
  std::vector<std::uint64_t> offsets;
  for (int i = 0; i < 9; ++i) offsets.push_back(storage.append(as_bytes(contents)));
  for (int i = 0; i < 9; i += 2) storage.release(offsets[i], contents.size());
  for (int i = 1; i < 9; i += 2) EXPECT_EQ(read(storage, offsets[i], contents.size()), contents);
}

TEST(FileRunStorage, KeepsRangesOneBehindTheOther) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  FileRunStorage storage(files->create(directory / "run"));
  EXPECT_EQ(storage.append(as_bytes("one")), 0u);
  EXPECT_EQ(storage.append(as_bytes("three")), 3u);
  EXPECT_EQ(read(storage, 1, 5), "nethr");
  EXPECT_TRUE(storage.in_file());
  EXPECT_EQ(storage.name(), "'" + (directory / "run") + "'");
  EXPECT_EQ(storage.path(), directory / "run");
  EXPECT_EQ(test::read_whole_file(directory / "run"), "onethree");
}

TEST(FileRunStorage, NamesTheFileThatEndsTooEarly) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  FileRunStorage storage(files->create(directory / "run"));
  storage.append(as_bytes("one"));
  EXPECT_EQ(test::error_of([&] { read(storage, 1, 3); }),
            "run file '" + (directory / "run") + "' cannot be used: it ends too early");
}

TEST(FileRunStorage, ShowsAFileThatLiesInMemory) {
  const auto files = make_posix_file_system();
  FileRunStorage storage(files->create_unnamed("/dev/shm"));
  const std::string block(1 << 20, 'b');
  storage.append(as_bytes("head"));
  storage.append(as_bytes(block));
  storage.append(as_bytes("tail"));
  const auto shown = storage.view(4, block.size() + 4);
  if (shown.empty()) GTEST_SKIP() << "/dev/shm is no file system in memory";
  EXPECT_TRUE(std::ranges::equal(shown, as_bytes(block + "tail")));
  storage.release(4, block.size() - 1);
  EXPECT_TRUE(std::ranges::equal(shown.last(5), as_bytes("btail")));
  EXPECT_EQ(read(storage, 0, 4), "head");
}

std::string varied_text(std::size_t bytes) {
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(i * 2654435761U >> 13);
  return text;
}

std::uint64_t stored_bytes(File& file) {
  struct stat status;
  EXPECT_EQ(::stat(file.path().c_str(), &status), 0);
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

// Space is prepared for more than the run has. The first part that is mapped waits until all of it is prepared.
TEST(FileRunStorage, WritesLongStretchesByAllThreadsAndGivesBackTheRest) {
  const auto files = make_posix_file_system();
  const std::string path = "/dev/shm/sortie-test-" + std::to_string(::getpid());
  const std::string stretch = varied_text(24 << 20);
  test::with_threads(4, [&] {
    const auto file = std::make_shared<ScratchFile>(files->create(path));
    auto writer = std::make_unique<ParallelWriter>(file->file());
    writer->reserve(200 << 20);
    FileRunStorage storage(file, nullptr, std::move(writer));
    storage.append(as_bytes("head"));
    for (int i = 0; i < 6; ++i) storage.write_stretch(storage.reserve(stretch.size()), as_bytes(stretch));
    storage.append(as_bytes("tail"));
    EXPECT_GE(stored_bytes(file->file()), 200U << 20);
    storage.complete();
    const std::uint64_t end = 8 + 6 * stretch.size();
    EXPECT_EQ(file->file().size(), end);
    EXPECT_LT(stored_bytes(file->file()), end + (1 << 20));
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(read(storage, 4 + i * stretch.size(), stretch.size()) == stretch) << i;
    EXPECT_EQ(read(storage, end - 4, 4), "tail");
  });
  files->remove(path);
}

// What is written is no longer memory of this process.
TEST(FileRunStorage, TakesRecordsThatWereMadeInItsHugePages) {
  const auto files = make_posix_file_system();
  const RecordOrder order(parse_format("lines"));
  const std::string lines = test::sorted_lines(600'000);
  test::with_threads(4, [&] {
    const auto file = std::make_shared<ScratchFile>(files->create_unnamed("/dev/shm"));
    auto writer = std::make_unique<ParallelWriter>(file->file(), 4 << 20);
    writer->reserve(lines.size() + 1000);
    if (writer->early_room(0, 1, true).empty()) GTEST_SKIP() << "this system makes no huge pages of files in memory";
    RunWriter run_writer(order, {1, 2}, std::make_shared<FileRunStorage>(file, nullptr, std::move(writer)), {});
    EXPECT_TRUE(run_writer.room(lines.size(), 2000).empty()) << "the file ends";
    const std::span<std::byte> room = run_writer.room(0, lines.size());
    ASSERT_EQ(room.size(), lines.size());
    std::ranges::copy(as_bytes(lines), room.begin());
    const auto resident_before = static_cast<std::int64_t>(resident_bytes());
    const std::size_t half = lines.find('\n', lines.size() / 2) + 1;
    run_writer.append(room.first(half));
    run_writer.append(room.subspan(half));
    EXPECT_LT(static_cast<std::int64_t>(resident_bytes()) - resident_before, -std::int64_t{8 << 20});
    const sortie::Run run = run_writer.finish();
    EXPECT_TRUE(test::contents_of(run) == lines);
  });
}

// Another run may have begun behind this one.
TEST(FileRunStorage, KeepsWhatAnotherRunReservedInItsFile) {
  const auto files = make_posix_file_system();
  const auto file = std::make_shared<ScratchFile>(files->create_unnamed("/dev/shm"));
  test::with_threads(4, [&] {
    auto writer = std::make_unique<ParallelWriter>(file->file());
    writer->reserve(8 << 20);
    FileRunStorage first(file, nullptr, std::move(writer));
    FileRunStorage second(file);
    first.write_stretch(first.reserve(5), as_bytes("first"));
    const std::uint64_t offset = second.append(as_bytes("second"));
    first.complete();
    EXPECT_EQ(read(first, 0, 5), "first");
    EXPECT_EQ(read(second, offset, 6), "second");
  });
}

TEST(FileRunStorage, ShowsNoFileThatHasAName) {
  const auto files = make_posix_file_system();
  const std::string path = "/dev/shm/sortie-test-" + std::to_string(::getpid());
  FileRunStorage storage(files->create(path));
  storage.append(as_bytes("one"));
  EXPECT_TRUE(storage.view(0, 3).empty()) << "others may cut it short";
  files->remove(path);
}

TEST(FileRunStorage, GivesReleasedSpaceBackToTheFileSystem) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  FileRunStorage storage(files->create(directory / "run"));
  const std::string block(1 << 20, 'b');
  for (int i = 0; i < 8; ++i) storage.append(as_bytes(block));
  storage.release(0, 6 << 20);
  ::sync();
  struct stat status;
  ASSERT_EQ(::stat((directory / "run").c_str(), &status), 0);
  EXPECT_LT(status.st_blocks * 512, 4 << 20);
  EXPECT_EQ(read(storage, 6 << 20, 2 << 20), block + block);
}

}  // namespace
}  // namespace sortie
