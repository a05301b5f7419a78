// What several processes write between two sorts of the same records, and at the end of the second.
#include "pipeline/output/prefixed_outputs.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "pipeline/string_output.hpp"

namespace sortie {
namespace {

/// Keeps what is written where the test finds it.
class Forwarded final : public test::StringOutput {
 public:
  explicit Forwarded(std::string& target) : target_(target) {}
  void write(std::span<const std::byte> bytes) override { target_ += as_text(bytes); }

 private:
  std::string& target_;
};

std::vector<std::byte> positioned_records(std::span<const std::string> payloads) {
  std::vector<std::byte> records;
  std::uint64_t position = 0;
  for (const std::string& payload : payloads) {
    append_prefixed_record(std::as_bytes(std::span(&++position, 1)), std::as_bytes(std::span(payload)), records);
  }
  return records;
}

TEST(PrefixedOutputs, WriteThePayloadsOfShortAndLongRecords) {
  constexpr std::size_t kLong = 3 << 20;
  const std::vector<std::string> payloads{"b\n", "", std::string(kLong, 'x') + "\n", "a\n",
                                          std::string(kLong / 2, 'y')};
  std::string written;
  const RecordStart start;
  std::vector<std::uint64_t> begins;
  PayloadOutput output(std::make_unique<Forwarded>(written), EntryBegins(start, begins));
  output.write(positioned_records(payloads));
  output.write({});
  output.write(positioned_records(std::span(payloads).first(1)));
  std::string expected;
  for (const std::string& payload : payloads) expected += payload;
  EXPECT_TRUE(written == expected + payloads[0]);
  EXPECT_TRUE(begins.empty());
}

TEST(PrefixedOutputs, KeepWhereEntriesBeginWithNoLineOfTheirOwn) {
  const std::vector<std::string> payloads{"lost\n", "> a\nx\n", "lost, too\n> not a line of its own\n", "> b\n"};
  std::string written;
  const RecordStart start("^>");
  std::vector<std::uint64_t> begins;
  PayloadOutput output(std::make_unique<Forwarded>(written), EntryBegins(start, begins));
  output.write(positioned_records(std::span(payloads).first(2)));
  output.write(positioned_records(std::span(payloads).subspan(2)));
  EXPECT_EQ(begins, (std::vector<std::uint64_t>{0, payloads[0].size() + payloads[1].size()}));
}

TEST(PrefixedOutputs, TallyWhatTheNextSortReads) {
  const std::vector<std::string> payloads{"b\n", "a\n", ""};
  const std::vector<std::byte> records = positioned_records(payloads);
  for (const bool checksum : {false, true}) {
    std::string written;
    RecordTotals totals;
    TalliedOutput output(std::make_unique<Forwarded>(written), totals, checksum);
    output.write(records);
    output.write(positioned_records(std::span(payloads).first(1)));
    EXPECT_EQ(totals.records, 4U);
    EXPECT_EQ(totals.bytes, written.size());
    EXPECT_EQ(totals.checksum != Checksum{}, checksum);
    const auto whole = std::as_bytes(std::span(written));
    EXPECT_EQ(whole.size(), records.size() + 18);
  }
}

}  // namespace
}  // namespace sortie
