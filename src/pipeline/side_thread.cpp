#include "pipeline/side_thread.hpp"

#include <span>
#include <utility>

#include "base/thread_team.hpp"
#include "io/files/caller_streams.hpp"

namespace sortie {

SideThread::SideThread(FileSystem& files, SortOptions options, std::size_t queue_bytes, const Listeners& listeners,
                       Work work)
    : files_(files),
      options_(std::move(options)),
      work_(std::move(work)),
      observer_(listeners.whole, listeners.name, listeners.watch),
      queue_(queue_bytes),
      records_(queue_, listeners.whole),
      thread_(queue_, options_.stop) {
  options_.stop = thread_.stop();
  options_.output = kSinkName;
  thread_.start([this] {
    ThreadTeam team(options_.threads, options_.stop);
    return team.run([this] { return this->work(); });
  });
}

SortReport SideThread::work() {
  const auto files = with_caller_streams(files_, {}, [this](std::span<const std::byte> records) {
    const auto span = observer_.span("pass records on", records.size());
    queue_.give(records);
  });
  return work_(*files, options_, observer_);
}

}  // namespace sortie
