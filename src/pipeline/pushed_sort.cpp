#include "pipeline/pushed_sort.hpp"

#include <algorithm>
#include <cassert>
#include <system_error>
#include <utility>

#include <sortie/error.hpp>

#include "base/release_memory.hpp"
#include "base/thread_team.hpp"

namespace sortie {
namespace {

/// Waiting for the sort to take fewer bytes would take longer than copying them.
constexpr std::size_t kBufferBytes = 1 << 20;

void refuse_other_ways(const SortOptions& options) {
  if (options.source || options.sink) throw Error("a sorter is the source and the sink of its sort: name no others");
  if (!options.inputs.empty()) throw Error("a sorter takes the records that are pushed: name no inputs");
  if (options.output != "-") throw Error("a sorter gives its records back: name no output");
  if (options.merge_only) throw Error("a merge gives records back before it has all: let a source and a sink serve it");
}

}  // namespace

PushedSort::PushedSort(SortOptions options, SortCall sort) : options_(std::move(options)), sort_(std::move(sort)) {
  refuse_other_ways(options_);
  options_.source = [this](std::span<std::byte> target) { return give(target); };
  options_.sink = [this](std::span<const std::byte> records) { take(records); };
  forwarded_stop_.emplace(std::exchange(options_.stop, stop_.get_token()), [this] { end(); });
}

PushedSort::~PushedSort() {
  forwarded_stop_.reset();
  {
    const std::scoped_lock lock(mutex_);
    is_given_up_ = true;
  }
  end();
}

const SortReport& PushedSort::report() const {
  assert(report_);
  return *report_;
}

std::size_t PushedSort::give(std::span<std::byte> target) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [this] { return !pushed_.empty() || one_has_ended_ || input_has_ended_ || stop_.stop_requested(); });
  throw_if_stopped();
  if (pushed_.empty()) one_has_ended_ = false;
  const std::size_t bytes = std::min(pushed_.size(), target.size());
  std::copy_n(pushed_.begin(), bytes, target.begin());
  pushed_ = pushed_.subspan(bytes);
  changed_.notify_all();
  return bytes;
}

void PushedSort::take(std::span<const std::byte> records) {
  throw_if_stopped();
  std::unique_lock lock(mutex_);
  sorted_ = records;
  changed_.notify_all();
  // A stop does not end this wait: the program may still read the records.
  changed_.wait(lock, [this] { return sorted_.empty() || is_given_up_; });
  throw_if_stopped();
}

void PushedSort::push(std::span<const std::byte> bytes) {
  throw_if_failed();
  if (input_has_ended_) throw Error("a sorter takes no more records once they are pulled: push all of them before");
  if (buffer_.size() + bytes.size() <= kBufferBytes) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return;
  }
  flush();
  if (bytes.size() > kBufferBytes / 2) return hand_over(bytes);
  buffer_.assign(bytes.begin(), bytes.end());
}

void PushedSort::begin_input() {
  throw_if_failed();
  flush();
  std::unique_lock lock(mutex_);
  one_has_ended_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !one_has_ended_ || is_done_; });
  if (std::exchange(one_has_ended_, false)) throw_failure();
}

void PushedSort::flush() {
  hand_over(buffer_);
  buffer_.clear();
}

void PushedSort::hand_over(std::span<const std::byte> bytes) {
  begin();
  std::unique_lock lock(mutex_);
  pushed_ = bytes;
  changed_.notify_all();
  changed_.wait(lock, [this] { return pushed_.empty() || is_done_; });
  if (!std::exchange(pushed_, {}).empty()) throw_failure();
}

std::span<const std::byte> PushedSort::pull() {
  if (!input_has_ended_) end_input();
  std::unique_lock lock(mutex_);
  // The sort may have handed over its first records by now, which nobody has seen.
  if (std::exchange(is_lent_, false)) sorted_ = {};
  changed_.notify_all();
  changed_.wait(lock, [this] { return !sorted_.empty() || is_done_; });
  if (sorted_.empty()) throw_failure();
  is_lent_ = !sorted_.empty();
  return sorted_;
}

void PushedSort::end_input() {
  flush();
  release_memory(buffer_);
  const std::scoped_lock lock(mutex_);
  input_has_ended_ = true;
  changed_.notify_all();
}

void PushedSort::begin() {
  if (sorting_.joinable()) return;
  try {
    sorting_ = std::jthread([this] { run(); });
  } catch (const std::system_error& error) {
    throw Error("cannot start a thread for the sort: " + error.code().message() + "; use fewer", Remedy::kFewerThreads);
  }
}

void PushedSort::run() noexcept {
  ::uselocale(locale_.get());  // of this thread alone, which ends with the sort
  try {
    report_ = sort_(options_);
  } catch (...) {
    failure_ = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  is_done_ = true;
  changed_.notify_all();
}

void PushedSort::throw_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

void PushedSort::throw_if_failed() {
  if (stop_.stop_requested()) throw Stopped("the sort was stopped by its caller");
  const std::scoped_lock lock(mutex_);
  if (is_done_) throw_failure();
}

void PushedSort::end() {
  stop_.request_stop();
  const std::scoped_lock lock(mutex_);
  changed_.notify_all();
}

}  // namespace sortie
