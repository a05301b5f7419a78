#include <sortie/argsort.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "engine/cpu/argsort_numbers.hpp"
#include "pipeline/number_arrays.hpp"
#include "pipeline/public_call.hpp"

namespace sortie {
namespace {

void refuse_unsuitable_indexes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes,
                               unsigned number_bytes) {
  if (number_bytes != 4 && number_bytes != 8) {
    throw Error("argsort: numbers have 4 or 8 bytes, not " + std::to_string(number_bytes));
  }
  if (numbers.size() / number_bytes != indexes.size() || numbers.size() % number_bytes != 0) {
    throw Error("argsort: there is room for " + std::to_string(indexes.size()) + " indexes, and there are " +
                std::to_string(numbers.size() / number_bytes) + " numbers");
  }
  refuse_unaligned(numbers.data(), number_bytes, "argsort: the array of numbers");
  refuse_unaligned(indexes.data(), sizeof(std::int64_t), "argsort: the array of indexes");
  if (!numbers.empty() && !lie_apart(numbers, std::as_bytes(indexes))) {
    throw Error("argsort: numbers and indexes overlap; let them be apart");
  }
}

template <class Code>
void argsort_codes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, const KeyPart& field) {
  argsort_numbers<Code>({reinterpret_cast<const Code*>(numbers.data()), indexes.size()},
                        {reinterpret_cast<std::uint64_t*>(indexes.data()), indexes.size()}, ArrayCodec<Code>(field));
}

}  // namespace

void argsort_bytes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, FieldKind kind,
                   unsigned number_bytes, const ArgsortOptions& options) {
  public_call([&] {
    refuse_unsuitable_indexes(numbers, indexes, number_bytes);
    const KeyPart field = number_field(kind, number_bytes, options.descending);
    const unsigned threads = std::min(options.threads == 0 ? available_threads() : options.threads, kMostThreads);
    ThreadTeam team(ThreadTeam::most_threads(threads), options.stop);
    team.run([&] {
      if (number_bytes == 4) return argsort_codes<std::uint32_t>(numbers, indexes, field);
      argsort_codes<std::uint64_t>(numbers, indexes, field);
    });
  });
}

}  // namespace sortie
