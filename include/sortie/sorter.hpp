// Sorts records that a program makes, and gives them back to it in order:
//
//   sortie::Sorter sorter(options);
//   while (more()) sorter.push(records());
//   for (auto part = sorter.pull(); !part.empty(); part = sorter.pull()) use(part);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <sortie/error.hpp>
#include <sortie/options.hpp>
#include <sortie/report.hpp>

namespace sortie {

enum class RecordForm : std::uint8_t;

/// One sort, on a thread of its own, whose source and sink are the calls below, which must not overlap. Every call
/// throws Error as sort() does; once the sort has failed or was stopped, all later calls do.
class Sorter {
 public:
  /// `options` name neither inputs and output nor source and sink, and do not ask for a merge. Starts nothing. Lines in
  /// the order of a locale get that of the calling thread, as it is now.
  explicit Sorter(SortOptions options);
  /// Stops the sort if it is not done.
  ~Sorter();
  Sorter(const Sorter&) = delete;
  Sorter& operator=(const Sorter&) = delete;

  /// Takes the next bytes of the records, which may be cut anywhere. Waits while the sort has no memory for them.
  /// Throws Error after pull() has been called.
  void push(std::span<const std::byte> bytes);

  /// The next sorted records: whole ones, which are there until the next call. Empty at the end. The first call ends
  /// the input, and waits until it is sorted.
  std::span<const std::byte> pull();

  /// What the sort did. Precondition: pull() has returned nothing.
  const SortReport& report() const;

 private:
  friend class SortChain;
  struct State;

  /// Gives records back in a form that other sorts and parts of an output take.
  Sorter(SortOptions options, RecordForm form);

  std::unique_ptr<State> state_;
};

}  // namespace sortie
