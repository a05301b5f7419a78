#include <sortie/sorter.hpp>

#include <utility>

#include <sortie/error.hpp>
#include <sortie/sort.hpp>

#include "pipeline/public_call.hpp"
#include "pipeline/pushed_sort.hpp"

namespace sortie {

namespace {

// A checkpoint ends when the sort does, whatever the program has made of the records by then.
SortOptions without_checkpoint(SortOptions options) {
  if (options.source_identity.empty() || options.checkpoint_directory.empty()) return options;
  throw Error("a sorter keeps no checkpoint: let a source with an identity serve the sort, and a sink");
}

}  // namespace

struct Sorter::State {
  explicit State(SortOptions options) : sort(without_checkpoint(std::move(options)), &sortie::sort) {}

  PushedSort sort;
};

Sorter::Sorter(SortOptions options)
    : state_(public_call([&] { return std::make_unique<State>(std::move(options)); })) {}

Sorter::~Sorter() = default;

void Sorter::push(std::span<const std::byte> bytes) {
  public_call([&] { state_->sort.push(bytes); });
}

std::span<const std::byte> Sorter::pull() {
  return public_call([&] { return state_->sort.pull(); });
}

const SortReport& Sorter::report() const { return state_->sort.report(); }

}  // namespace sortie
