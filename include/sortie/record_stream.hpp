// Records that come from the calling program, and sorted ones that go back to it, without files and pipes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace sortie {

/// Fills `target`, which is not empty, with the next bytes of the records and returns how many; 0 at the end. It may
/// cut records anywhere, and may wait. The sort calls it from one thread at a time, but perhaps while it calls its
/// sink.
using RecordSource = std::function<std::size_t(std::span<std::byte> target)>;

/// Where a record of a source comes from.
struct SourcePlace {
  std::string file;
  std::uint64_t number = 0;  ///< of the record in it, from 1
};
/// The place of a record that a source has given; `record`: its number among all of them, from 0.
using SourcePlaces = std::function<SourcePlace(std::uint64_t record)>;

/// Takes the next sorted records: whole ones, valid during the call only. The sort calls it from one thread at a time,
/// and waits for it before long.
using RecordSink = std::function<void(std::span<const std::byte> records)>;

}  // namespace sortie
