// Runs are listed in the order of the input, in whatever order they become complete.
#include "pipeline/checkpoint/run_journal.hpp"

#include "pipeline/checkpoint/checkpoint_support.hpp"
#include "pipeline/input/record_reader_support.hpp"
#include "pipeline/runs/run_location.hpp"
#include "run/kept_run_storage.hpp"
#include "run/run_writer.hpp"

namespace sortie {
namespace {

using namespace test;

struct DiskWithInput : PowerCutDisk {
  DiskWithInput() { add_file("/input/0", "c\nb\na\n"); }
};

class RunJournalTest : public testing::Test {
 protected:
  RunJournalTest() { checkpoint_.begin({}, {}); }

  sortie::Run make_run() {
    Checkpoint::NewRun made = checkpoint_.create_run();
    const auto storage =
        std::make_shared<KeptRunStorage>(std::move(made.file), checkpoint_.source_of(made.identity), open_files_,
                                         std::make_shared<RunUsage>(std::make_shared<StoreUsage>(), observer_));
    RunWriter writer(order_, made.identity, storage, {});
    writer.append(as_bytes("a\n"));
    return writer.finish();
  }

  static InputMark mark(std::uint64_t records) { return {0, 2 * records, {records, 2 * records, {}}}; }

  std::vector<std::uint64_t> listed() const {
    std::vector<std::uint64_t> numbers;
    for (const KeptRun& run : checkpoint_.runs()) numbers.push_back(run.number);
    return numbers;
  }

  const Format format_ = parsed("lines");
  const RecordOrder order_{format_};
  DiskWithInput disk_;
  PowerCutFileSystem files_{disk_};
  Checkpoint checkpoint_{files_, kCheckpointPath};
  const std::shared_ptr<OpenRunFiles> open_files_ = std::make_shared<OpenRunFiles>(1);
  SilentObserver observer_;
  RecordReader reader_ = reader_of(files_, {"/input/0"}, format_, observer_);
  RunJournal journal_{checkpoint_, reader_};
};

TEST_F(RunJournalTest, ListsRunsOnceAllBeforeThemAreListed) {
  const std::vector<sortie::Run> runs = [&] {
    std::vector<sortie::Run> made;
    for (int i = 0; i < 4; ++i) made.push_back(make_run());
    return made;
  }();
  EXPECT_FALSE(journal_.goes_on());
  journal_.take(1, mark(2), runs[0], {});
  EXPECT_TRUE(listed().empty());
  journal_.take(3, mark(4), runs[1], {});
  EXPECT_TRUE(listed().empty());
  journal_.take(0, mark(1), runs[2], {});
  EXPECT_EQ(listed(), (std::vector<std::uint64_t>{2, 0}));
  EXPECT_EQ(checkpoint_.end(), mark(2));
  journal_.take(2, mark(3), runs[3], {});
  EXPECT_EQ(listed(), (std::vector<std::uint64_t>{2, 0, 3, 1}));
  EXPECT_TRUE(journal_.goes_on());
}

TEST_F(RunJournalTest, MarksWhereTheRecordsEndThatWereHandedOut) {
  EXPECT_EQ(journal_.mark(reader_), InputMark());
  std::string piece(4, '?');
  ASSERT_EQ(reader_.read(as_writable(piece), 1).records, 1U);
  const InputMark end = journal_.mark(reader_);
  EXPECT_EQ(end.input, 0U);
  EXPECT_EQ(end.offset, 2U);
  EXPECT_EQ(end.totals, totals_of(format_, as_bytes("c\n"), true));
  RecordReader next = reader_of(files_, {"/input/0"}, format_, observer_, end);
  ASSERT_EQ(next.read(as_writable(piece), 1).records, 1U);
  EXPECT_EQ(piece.substr(0, 2), "b\n");
}

}  // namespace
}  // namespace sortie
