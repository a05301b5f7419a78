#include "pipeline/join_side.hpp"

#include <system_error>
#include <utility>

#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#include "io/files/caller_streams.hpp"
#include "pipeline/sort_job.hpp"
#include "record/record_form.hpp"

namespace sortie {

JoinSide::JoinSide(FileSystem& files, SortOptions options, const Terms& terms, const Listeners& listeners)
    : files_(files),
      options_(std::move(options)),
      terms_(terms),
      observer_(listeners.whole, listeners.name, listeners.watch),
      hand_over_(terms.hand_over_bytes),
      records_(hand_over_, listeners.whole) {
  forwarded_stop_.emplace(std::exchange(options_.stop, stop_.get_token()), [this] { stop_.request_stop(); });
  options_.output = kSinkName;
  try {
    thread_ = std::jthread([this] { run(); });
  } catch (const std::system_error& error) {
    throw Error("cannot start a thread for an input of the join: " + error.code().message() + "; use fewer",
                Remedy::kFewerThreads);
  }
}

JoinSide::~JoinSide() {
  forwarded_stop_.reset();
  stop_.request_stop();
  hand_over_.close();
}

void JoinSide::run() noexcept {
  try {
    ThreadTeam team(options_.threads, options_.stop);
    team.run([this] { sort(); });
    hand_over_.end();
  } catch (...) {
    hand_over_.end(std::current_exception());
  }
}

void JoinSide::sort() {
  const auto files = with_caller_streams(files_, {}, [this](std::span<const std::byte> records) {
    const auto span = observer_.span("pass records on", records.size());
    hand_over_.give(records);
  });
  SortJob job(*files, options_, this_machine(), terms_.least_passed_bytes);
  job.tell(observer_);
  job.write_as(RecordForm::kKeyed);
  if (terms_.lets_ordered_lines_pass) job.let_ordered_lines_pass();
  report_ = job.run();
}

}  // namespace sortie
