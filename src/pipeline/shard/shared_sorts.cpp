#include "pipeline/shard/shared_sorts.hpp"

#include <sortie/shard.hpp>

#include "pipeline/setup/chain_shape.hpp"

namespace sortie {

// Each process has its memory for one of the sorts: they come one after the other.
SharedSort first_shared_sort(const SortOptions& options) {
  if (chain_length(options) == 1) return {options};
  SharedSort sort{first_of_chain(options), RecordForm::kPositioned};
  sort.options.output_order = OutputOrder::kKeys;
  sort.options.sample_records = 0;
  return sort;
}

SortOptions sort_by_place(const SortOptions& options) {
  SortOptions second = second_of_chain(options, options.threads, options.memory_bytes);
  second.memory_bytes = options.memory_bytes;
  second.top_records = 0;
  second.inputs = options.inputs;
  second.output = options.output;
  second.output_level = options.output_level;
  second.unpack = options.unpack;
  second.protected_files = options.protected_files;
  return second;
}

}  // namespace sortie
