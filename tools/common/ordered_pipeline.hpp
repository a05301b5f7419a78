// A pipeline of three stages: items are taken one after another, worked on by several threads, and passed on in the
// order in which they were taken. Used by sortie-gen and sortie-check.
#pragma once

#include <cstddef>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>

namespace sortie::tools {

/// The threads that a tool works with: those asked for, or all if `threads` is 0.
inline unsigned worker_threads(unsigned threads) {
  return threads != 0 ? threads : static_cast<unsigned>(oneapi::tbb::info::default_concurrency());
}

/// Uses the items in turn, each again when it has been passed on. `take(item)` fills an item and returns true, or
/// returns false at the end; `work(item)` runs on several threads at once, for different items. An exception of a stage
/// ends the pipeline and is thrown to the caller.
template <class Item, class Take, class Work, class Pass>
void run_in_order(unsigned workers, std::vector<Item>& items, const Take& take, const Work& work, const Pass& pass) {
  namespace tbb = oneapi::tbb;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
  std::size_t turn = 0;
  const auto take_next = [&](tbb::flow_control& flow) -> Item* {
    // Items are passed on in order, and there are no more tokens than items: this one is free when its turn comes.
    Item& item = items[turn++ % items.size()];
    if (take(item)) return &item;
    flow.stop();
    return nullptr;
  };
  const auto work_on = [&](Item* item) {
    work(*item);
    return item;
  };
  tbb::parallel_pipeline(items.size(), tbb::make_filter<void, Item*>(tbb::filter_mode::serial_in_order, take_next) &
                                           tbb::make_filter<Item*, Item*>(tbb::filter_mode::parallel, work_on) &
                                           tbb::make_filter<Item*, void>(tbb::filter_mode::serial_in_order,
                                                                         [&](Item* item) { pass(*item); }));
}

}  // namespace sortie::tools
