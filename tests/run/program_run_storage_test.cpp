// Runs that a program compresses: their contents, how often the program is run, and what it leaves behind.
#include "run/program_run_storage.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/run_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::as_writable;
using testing::HasSubstr;

constexpr std::size_t kPartBytes = 100'000;
constexpr std::size_t kParts = 12;

/// Storage for packed bytes that knows which of them were released.
class CountingStorage final : public RunStorage {
 public:
  std::uint64_t reserve(std::uint64_t bytes) override { return std::exchange(end_, end_ + bytes + kGap); }
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    written += bytes.size();
    parts_.emplace_back(offset, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  void read(std::uint64_t offset, std::span<std::byte> target) const override {
    for (const auto& [begin, bytes] : parts_) {
      if (offset < begin || offset - begin + target.size() > bytes.size()) continue;
      std::memcpy(target.data(), bytes.data() + (offset - begin), target.size());
      return;
    }
    ADD_FAILURE() << "read of " << target.size() << " bytes at " << offset << " that were not written in one piece";
  }
  void release(std::uint64_t, std::uint64_t bytes) noexcept override { released += bytes; }
  bool in_file() const override { return true; }
  std::string path() const override { return "counted"; }

  std::uint64_t written = 0;
  std::uint64_t released = 0;

 private:
  /// The gap between reserved ranges, as if other runs lay there.
  static constexpr std::uint64_t kGap = 4096;
  std::uint64_t end_ = 0;
  std::vector<std::pair<std::uint64_t, std::string>> parts_;
};

class ProgramRunStorageTest : public testing::Test {
 protected:
  /// Writes a script that serves as the program. It notes each start.
  std::string program(const std::string& text) {
    const std::string path = directory_.path() / "program";
    std::ofstream(path) << "#!/bin/sh\necho >> " << starts_path() << '\n' << text << '\n';
    EXPECT_EQ(::chmod(path.c_str(), 0700), 0);
    return path;
  }
  std::string starts_path() const { return directory_.path() / "starts"; }
  std::size_t starts() const {
    std::ifstream file(starts_path());
    return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  }

  void store(RunStorage& storage) const {
    for (const std::string& part : parts_) storage.append(as_bytes(part));
    storage.complete();
  }
  void expect_part(const RunStorage& storage, std::size_t index) const {
    std::string part(kPartBytes, '?');
    storage.read(index * kPartBytes, as_writable(part));
    EXPECT_TRUE(part == parts_[index]) << "part " << index;
  }
  std::string error_with(const std::string& text) {
    return test::error_of([&] {
      ProgramRunStorage storage(program(text), packed_);
      store(storage);
      for (std::size_t i = 0; i < kParts; ++i) expect_part(storage, i);
    });
  }

  std::shared_ptr<CountingStorage> packed_ = std::make_shared<CountingStorage>();

 private:
  static std::vector<std::string> make_parts() {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < kParts; ++i) parts.push_back(test::sorted_numbers<std::uint32_t>(kPartBytes / 4, i));
    return parts;
  }

  test::TemporaryDirectory directory_;
  std::vector<std::string> parts_ = make_parts();
};

TEST_F(ProgramRunStorageTest, GivesBackWhatWentIn) {
  ProgramRunStorage storage(program("exec gzip -1 $1"), packed_);
  store(storage);
  EXPECT_LT(packed_->written, kParts * kPartBytes);
  for (std::size_t i = 0; i < kParts; ++i) {
    expect_part(storage, i);
    storage.release(i * kPartBytes, kPartBytes);
  }
  EXPECT_EQ(packed_->released, packed_->written);
  EXPECT_EQ(starts(), 2);
}

TEST_F(ProgramRunStorageTest, SkipsAndGoesBack) {
  ProgramRunStorage storage(program("exec gzip -1 $1"), packed_);
  store(storage);
  for (const std::size_t i : {2, 7, 7, 0, 1, 11}) expect_part(storage, i);
  EXPECT_EQ(starts(), 1 + 3);
  EXPECT_EQ(packed_->released, 0);
}

TEST_F(ProgramRunStorageTest, ReleasesNoMoreThanWasRead) {
  ProgramRunStorage storage(program("exec cat"), packed_);
  store(storage);
  expect_part(storage, 0);
  storage.release(0, kPartBytes);
  EXPECT_GE(packed_->released, kPartBytes);
  EXPECT_LT(packed_->released, kParts * kPartBytes);
}

TEST_F(ProgramRunStorageTest, RunsNothingForNothing) {
  ProgramRunStorage storage(program("exit 1"), packed_);
  storage.complete();
  EXPECT_EQ(starts(), 0);
}

TEST_F(ProgramRunStorageTest, EndsAProgramThatIsNotReadToItsEnd) {
  ProgramRunStorage storage(program("test \"$1\" || exec cat; cat; exec sleep 1000"), packed_);
  store(storage);
  expect_part(storage, 0);
}

TEST_F(ProgramRunStorageTest, RefusesProgramsThatFail) {
  EXPECT_THAT(error_with("cat; exit 1"), HasSubstr("[-d] terminated abnormally"));
  EXPECT_THAT(error_with("exit 3"), HasSubstr("[-d] terminated abnormally"));
  EXPECT_THAT(error_with("cat; test ! \"$1\""), HasSubstr("[-d] terminated abnormally"));
  EXPECT_THAT(error_with("test \"$1\" || exec cat; kill -9 $$"), HasSubstr("[-d] terminated abnormally"));
}

TEST_F(ProgramRunStorageTest, RefusesProgramsThatDoNotGiveBackWhatWentIn) {
  EXPECT_THAT(error_with("test \"$1\" || exec cat; exec head -c 1000"), HasSubstr("does not give back, with -d, what"));
  EXPECT_THAT(error_with("cat; test ! \"$1\" || echo more"), HasSubstr("does not give back, with -d, what"));
  EXPECT_THAT(error_with("cat > /dev/null"), HasSubstr("does not give back, with -d, what"));
}

TEST_F(ProgramRunStorageTest, RefusesProgramsThatDoNotTakeWhatIsToBeCompressed) {
  EXPECT_THAT(error_with("exec head -c 1000"), HasSubstr("stopped before it had read its whole input"));
  EXPECT_THAT(error_with("exec yes"), HasSubstr("writes several times as much as it reads"));
  EXPECT_THAT(error_with("exec <&-; exec sleep 1"), HasSubstr("stopped before it had read its whole input"));
}

}  // namespace
}  // namespace sortie
