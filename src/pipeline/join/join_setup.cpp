#include "pipeline/join/join_setup.hpp"

#include "pipeline/join/join_check.hpp"

namespace sortie {

JoinSetup set_up_join(const JoinOptions& wanted) {
  JoinOptions options = wanted;
  options.sort = with_warnings_once(with_last_day(options.sort));  // both sides have the same
  const SortOptions& sort = options.sort;
  JoinSetup setup{{}, {}, left_sort(options), right_sort(options)};
  setup.whole.options = sort;
  setup.whole.input_format = sort.format;
  setup.whole.threads = thread_count(sort);
  set_budget(setup.whole, file_bytes(sort.inputs));
  setup.shares = share_for_join(setup.whole.memory_bytes, setup.whole.threads, file_bytes({sort.inputs[0]}),
                                file_bytes({sort.inputs[1]}));
  setup.left.memory_bytes = setup.shares.left_memory_bytes;
  setup.left.threads = setup.shares.left_threads;
  setup.right.memory_bytes = setup.shares.right_memory_bytes;
  setup.right.threads = setup.shares.right_threads;
  return setup;
}

}  // namespace sortie
