// Makes file operations of a sort fail, one after another, and checks the outcome. The tests that use it say what is
// sorted and how.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

#include "pipeline/check_job.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie::test {

struct FaultedJob {
  enum class Task { kSort, kSortToPipe, kCheck };

  Format format = parsed("lines");
  std::vector<std::string> contents;
  std::function<void(SortForTest&)> set_up = [](SortForTest&) {};
  Task task = Task::kSort;
  FaultPlan file_system = {};  ///< abilities that it lacks
  std::uint64_t least_mapped_bytes = kLeastMappedBytes;
  int threads = 2;
};

/// The end of a sort: its error message, empty if it succeeded, and what came out of the pipe if it wrote to one.
struct FaultedEnd {
  std::string error;
  std::string printed;
  std::string first_failed;      ///< the first operation that failed
  std::uint64_t operations = 0;  ///< number of counted operations
};

/// Reads what is written to path() until no writer has it open any more.
class ReadPipe {
 public:
  ReadPipe() {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    reader_ = std::thread([this] {
      std::array<char, 4096> part;
      for (ssize_t bytes; (bytes = ::read(ends_[0], part.data(), part.size())) > 0;) {
        read_.append(part.data(), static_cast<std::size_t>(bytes));
      }
    });
  }
  ~ReadPipe() { ::close(ends_[0]); }
  ReadPipe(const ReadPipe&) = delete;
  ReadPipe& operator=(const ReadPipe&) = delete;

  std::string path() const { return "/dev/fd/" + std::to_string(ends_[1]); }
  std::string finish() {
    ::close(ends_[1]);
    reader_.join();
    return read_;
  }

 private:
  std::array<int, 2> ends_{};
  std::string read_;
  std::thread reader_;
};

class FaultLoop {
 public:
  explicit FaultLoop(const FaultedJob& faulted) : faulted_(faulted), job_(faulted.format, faulted.contents) {
    faulted_.set_up(job_);
    const auto& inputs = job_.options.inputs;
    const bool replaces_input = std::ranges::find(inputs, job_.options.output) != inputs.end();
    if (!replaces_input) write_whole_file(job_.options.output, "as it was");
    before_ = job_.output();
    names_ = job_.directory.names();
    const FaultedEnd end = run(faulted_.file_system);
    EXPECT_EQ(end.error, "");
    EXPECT_TRUE(faulted_.task != FaultedJob::Task::kSort || job_.output() != before_) << "nothing was done";
    operations_ = end.operations;
    expected_ = job_.output();
    expected_print_ = end.printed;
    write_whole_file(job_.options.output, before_);
  }

  /// Makes some operations fail, at even distances: each one alone, and then with all later ones. With
  /// SORTIE_FAULT_STEP=N every Nth operation fails, with every error that it may have. With SORTIE_TURN_STEP=N, which
  /// tools/sanitize sets, N times fewer operations fail.
  void survive_all() {
    const char* const wanted = std::getenv("SORTIE_FAULT_STEP");
    const std::uint64_t step =
        wanted ? std::max(1, std::atoi(wanted)) : std::max<std::uint64_t>(1, operations_ * turn_step() / 16);
    const std::uint64_t begin = wanted ? 1 : 1 + first_turn(operations_);
    for (std::uint64_t first = begin; first <= operations_ && !testing::Test::HasFailure(); first += step) {
      for (const bool later : {false, true}) survive(first, later, wanted == nullptr);
    }
    std::cout << "[ faults   ] " << survived_ << " survived, " << refused_ << " refused" << std::endl;
  }

 private:
  void survive(std::uint64_t first, bool later, bool quickly) {
    FaultPlan plan = faulted_.file_system;
    plan.first = first;
    plan.from_then_on = later;
    if (quickly) {
      plan.error_number = first % 2 == 0 ? EIO : ENOSPC;
      survive(plan);
      return;
    }
    for (const int error_number : {EIO, ENOSPC, EACCES, EMFILE}) {
      plan.error_number = error_number;
      const std::string action = survive(plan);
      const bool opens = action == "open" || action == "create";
      if (error_number == ENOSPC && !opens) return;
    }
  }

  /// Returns the first operation that failed.
  std::string survive(const FaultPlan& plan) {
    const FaultedEnd end = run(plan);
    SCOPED_TRACE("operation " + std::to_string(plan.first) + (plan.from_then_on ? " and all later ones: " : ": ") +
                 end.first_failed + ": " + std::strerror(plan.error_number) + ": " + end.error);
    EXPECT_EQ(job_.directory.names(), names_);
    job_.expect_no_scratch_files();
    const bool struck = !end.first_failed.empty();
    EXPECT_TRUE(struck || end.error.empty());
    if (struck) ++(end.error.empty() ? survived_ : refused_);
    if (!end.error.empty()) expect_clear(end.error);
    const bool complete = output_is_complete(end.error);
    EXPECT_TRUE(job_.output() == (complete ? expected_ : before_))
        << job_.output().size() << " bytes, not " << (complete ? expected_ : before_).size() << ": "
        << job_.output().substr(0, 100);
    EXPECT_TRUE(complete ? end.printed == expected_print_ : expected_print_.starts_with(end.printed));
    if (complete) write_whole_file(job_.options.output, before_);
    return end.first_failed;
  }

  // The pipe is opened first, because a file system knows the descriptors that were open before it.
  FaultedEnd run(const FaultPlan& plan) {
    std::optional<ReadPipe> pipe;
    SortOptions options = job_.options;
    if (faulted_.task == FaultedJob::Task::kSortToPipe) options.output = pipe.emplace().path();
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    FaultyFileSystem faulty(*files, plan);
    FaultedEnd end;
    with_threads(faulted_.threads, [&] {
      try {
        run_task(faulty, options);
      } catch (const Error& error) {
        end.error = error.what();
      }
    });
    if (pipe) end.printed = pipe->finish();
    end.first_failed = faulty.first_failed();
    end.operations = faulty.operations();
    return end;
  }

  void run_task(FileSystem& files, const SortOptions& options) {
    switch (faulted_.task) {
      case FaultedJob::Task::kSort:
        SortJob(files, options, {},
                {.run_later = execute_later_sort, .least_mapped_bytes = faulted_.least_mapped_bytes})
            .run();
        return;
      case FaultedJob::Task::kSortToPipe:
        SortJob(files, options).run();
        return;
      case FaultedJob::Task::kCheck:
        EXPECT_FALSE(find_disorder_in_inputs(files, options));
    }
  }

  /// Checks that the error is one line and names a file.
  void expect_clear(const std::string& error) const {
    EXPECT_EQ(error.find('\n'), std::string::npos);
    EXPECT_TRUE(error.find(job_.directory.path().string()) != std::string::npos ||
                error.find("/dev/fd/") != std::string::npos);
  }

  FaultedJob faulted_;
  SortForTest job_;
  std::string before_;
  std::set<std::string> names_;
  std::uint64_t operations_ = 0;
  std::string expected_;
  std::string expected_print_;
  std::uint64_t survived_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace sortie::test
