#include "pipeline/pushed_sort.hpp"

#include <algorithm>
#include <cassert>
#include <clocale>
#include <exception>
#include <system_error>
#include <utility>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
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

SortThread::SortThread(RecordQueue& records, const std::stop_token& stop, std::function<void()> when_stopped)
    : records_(records), told_(stop_.get_token(), [stopped = std::move(when_stopped)] {
        if (stopped) stopped();
      }) {
  forwarded_.emplace(stop, [this] { stop_.request_stop(); });
}

SortThread::~SortThread() {
  forwarded_.reset();
  stop_.request_stop();
  records_.close();
}

void SortThread::start(std::function<SortReport()> sort) {
  try {
    thread_ = std::jthread([this, sort = std::move(sort)]() noexcept {
      ::uselocale(locale_.get());  // of this thread alone, which ends with the sort
      try {
        report_ = sort();
        records_.end();
      } catch (...) {
        records_.end(std::current_exception());
      }
    });
  } catch (const std::system_error& error) {
    throw Error("cannot start a thread for the sort: " + error.code().message() + "; use fewer", Remedy::kFewerThreads);
  }
}

const SortReport& SortThread::report() const {
  assert(report_);
  return *report_;
}

// A stop wakes the sort where it waits for what is pushed. It does not end its wait for who has pulled: the program may
// still read the records.
PushedSort::PushedSort(SortOptions options, SortCall sort)
    : options_(std::move(options)),
      sort_(std::move(sort)),
      // The exception is made now: where a stop is told, nothing may throw, and memory may have run out.
      thread_(sorted_, options_.stop,
              [this, stopped = std::make_exception_ptr(Stopped("the sort was stopped by its caller"))] {
                pushed_.end(stopped);
              }) {
  refuse_other_ways(options_);
  options_.source = [this](std::span<std::byte> target) { return give(target); };
  options_.sink = [this](std::span<const std::byte> records) { take(records); };
  options_.stop = thread_.stop();
}

std::size_t PushedSort::give(std::span<std::byte> target) {
  if (rest_.empty()) rest_ = pushed_.take();
  throw_if_stopped();
  const std::size_t bytes = std::min(rest_.size(), target.size());
  copy_in_parallel(target, rest_.first(bytes));
  rest_ = rest_.subspan(bytes);
  return bytes;
}

// Runs of a checkpoint may hold all records: then nobody reads those that are pushed once more.
void PushedSort::take_no_more() {
  if (!has_all_.exchange(true)) pushed_.close();
}

void PushedSort::take(std::span<const std::byte> records) {
  throw_if_stopped();
  if (options_.sink_end) take_no_more();
  sorted_.give(records);
  throw_if_stopped();
}

void PushedSort::push(std::span<const std::byte> bytes) {
  if (options_.stop.stop_requested()) throw Stopped("the sort was stopped by its caller");
  sorted_.throw_if_failed();
  if (input_has_ended_) throw Error("a sorter takes no more records once they are pulled: push all of them before");
  if (bytes.size() <= room()) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return;
  }
  flush();
  if (bytes.size() > kBufferBytes / 2) return send(bytes);
  buffer_.assign(bytes.begin(), bytes.end());
}

void PushedSort::hold_end() {
  options_.sink_end = [this] {
    take_no_more();
    sorted_.give_empty();
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, options_.stop, [this] { return may_end_; }))
      throw Stopped("what was sorted was not completed");
  };
}

void PushedSort::let_end() {
  const std::scoped_lock lock(mutex_);
  may_end_ = true;
  changed_.notify_all();
}

std::size_t PushedSort::room() const { return kBufferBytes - buffer_.size(); }

void PushedSort::begin_input() {
  flush();
  pushed_.give_empty();
}

void PushedSort::flush() {
  send(buffer_);
  buffer_.clear();
}

// Waits until the sort has copied the bytes.
void PushedSort::send(std::span<const std::byte> bytes) {
  begin();
  try {
    pushed_.give(bytes);
  } catch (const Stopped&) {
    if (has_all_) return sorted_.throw_if_failed();
    sorted_.take();  // throws what the sort has ended with
  }
}

std::span<const std::byte> PushedSort::pull() {
  if (!std::exchange(input_has_ended_, true)) {
    flush();
    release_memory(buffer_);
    pushed_.end();
  }
  return sorted_.take();
}

void PushedSort::begin() {
  if (thread_.has_started()) return;
  thread_.start([this] {
    struct AtEnd {
      RecordQueue& pushed;
      ~AtEnd() { pushed.close(); }
    } const nothing_is_taken{pushed_};
    return sort_(options_);
  });
}

}  // namespace sortie
