// The sort runs on a thread of its own. Its source waits there for what is pushed, and its sink until the program has
// done with what it has pulled. Few bytes that are pushed are collected in a buffer first.
#include <sortie/sorter.hpp>

#include <clocale>

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#include "pipeline/engine_fallback.hpp"
#include "pipeline/public_call.hpp"
#include "record/collation/collated_text.hpp"

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

struct Sorter::State {
  State(SortOptions given, RecordForm wanted_form) : options(std::move(given)), form(wanted_form) {
    refuse_other_ways(options);
    options.source = [this](std::span<std::byte> target) { return give(target); };
    options.sink = [this](std::span<const std::byte> records) { take(records); };
    forwarded_stop.emplace(std::exchange(options.stop, stop.get_token()), [this] { end(); });
  }
  ~State() {
    forwarded_stop.reset();
    {
      const std::scoped_lock lock(mutex);
      is_given_up = true;
    }
    end();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Called by the sort.
  std::size_t give(std::span<std::byte> target) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !pushed.empty() || input_has_ended || stop.stop_requested(); });
    throw_if_stopped();
    const std::size_t bytes = std::min(pushed.size(), target.size());
    std::copy_n(pushed.begin(), bytes, target.begin());
    pushed = pushed.subspan(bytes);
    changed.notify_all();
    return bytes;
  }

  /// Called by the sort.
  void take(std::span<const std::byte> records) {
    throw_if_stopped();
    std::unique_lock lock(mutex);
    sorted = records;
    changed.notify_all();
    // A stop does not end this wait: the program may still read the records.
    changed.wait(lock, [this] { return sorted.empty() || is_given_up; });
    throw_if_stopped();
  }

  void push(std::span<const std::byte> bytes) {
    throw_if_failed();
    if (input_has_ended) throw Error("a sorter takes no more records once they are pulled: push all of them before");
    if (buffer.size() + bytes.size() <= kBufferBytes) {
      buffer.insert(buffer.end(), bytes.begin(), bytes.end());
      return;
    }
    flush();
    if (bytes.size() > kBufferBytes / 2) return hand_over(bytes);
    buffer.assign(bytes.begin(), bytes.end());
  }

  void flush() {
    hand_over(buffer);
    buffer.clear();
  }

  /// Waits until the sort has copied the bytes.
  void hand_over(std::span<const std::byte> bytes) {
    begin();
    std::unique_lock lock(mutex);
    pushed = bytes;
    changed.notify_all();
    changed.wait(lock, [this] { return pushed.empty() || is_done; });
    if (!std::exchange(pushed, {}).empty()) throw_failure();
  }

  std::span<const std::byte> pull() {
    if (!input_has_ended) end_input();
    std::unique_lock lock(mutex);
    // The sort may have handed over its first records by now, which nobody has seen.
    if (std::exchange(is_lent, false)) sorted = {};
    changed.notify_all();
    changed.wait(lock, [this] { return !sorted.empty() || is_done; });
    if (sorted.empty()) throw_failure();
    is_lent = !sorted.empty();
    return sorted;
  }

  void end_input() {
    flush();
    buffer = {};
    const std::scoped_lock lock(mutex);
    input_has_ended = true;
    changed.notify_all();
  }

  void begin() {
    if (sorting.joinable()) return;
    try {
      sorting = std::jthread([this] { run(); });
    } catch (const std::system_error& error) {
      throw Error("cannot start a thread for the sort: " + error.code().message() + "; use fewer",
                  Remedy::kFewerThreads);
    }
  }

  void run() noexcept {
    ::uselocale(locale.get());  // of this thread alone, which ends with the sort
    try {
      report = sort_in_form(options, form);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    is_done = true;
    changed.notify_all();
  }

  /// Precondition: the sort is done.
  void throw_failure() const {
    if (failure) std::rethrow_exception(failure);
  }

  void throw_if_failed() {
    if (stop.stop_requested()) throw Stopped("the sort was stopped by its caller");
    const std::scoped_lock lock(mutex);
    if (is_done) throw_failure();
  }

  void end() {
    stop.request_stop();
    const std::scoped_lock lock(mutex);
    changed.notify_all();
  }

  SortOptions options;
  RecordForm form;
  const LocaleHandle locale = LocaleHandle::current();  // of the thread that makes the sorter
  std::stop_source stop;
  std::optional<std::stop_callback<std::function<void()>>> forwarded_stop;  // from the caller's
  std::vector<std::byte> buffer;
  std::mutex mutex;
  std::condition_variable changed;
  std::span<const std::byte> pushed;  // guarded by the mutex, as are the next six
  std::span<const std::byte> sorted;
  bool is_lent = false;  // `sorted`: to the program, until it pulls again
  bool input_has_ended = false;
  bool is_given_up = false;  // by the program
  bool is_done = false;
  std::optional<SortReport> report;  // set before `is_done`, as is the next
  std::exception_ptr failure;
  std::jthread sorting;  // the first member to be destroyed: that waits for the sort
};

Sorter::Sorter(SortOptions options) : Sorter(std::move(options), RecordForm::kPlain) {}

Sorter::Sorter(SortOptions options, RecordForm form)
    : state_(public_call([&] { return std::make_unique<State>(std::move(options), form); })) {}

Sorter::~Sorter() = default;

void Sorter::push(std::span<const std::byte> bytes) {
  public_call([&] { state_->push(bytes); });
}

std::span<const std::byte> Sorter::pull() {
  return public_call([&] { return state_->pull(); });
}

const SortReport& Sorter::report() const {
  assert(state_->report);
  return *state_->report;
}

}  // namespace sortie
