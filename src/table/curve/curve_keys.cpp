#include <sortie/curve_keys.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "table/curve/curve_column.hpp"
#include "table/curve/curve_words.hpp"

namespace sortie {
namespace {

/// Rows that a thread takes at once, and those of which the coordinates are in the cache.
constexpr std::size_t kRowsOfTurn = 8192;
constexpr std::size_t kRowsAtOnce = 1024;

}  // namespace

struct CurveKeys::State {
  State(Curve given, unsigned threads) : curve(given), team(ThreadTeam::most_threads(threads)) {}

  void write(std::span<const ArrowArray* const> arrays, std::span<std::uint64_t* const> words, std::size_t begin,
             std::size_t count) const {
    std::array<std::array<std::uint32_t, kRowsAtOnce>, kMostColumns> cells;
    std::array<const std::uint32_t*, kMostColumns> coordinates{};
    const unsigned bits = table::curve_bits(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].write_cells(*arrays[i], begin, count, bits, cells[i].data());
      coordinates[i] = cells[i].data();
    }
    std::array<std::uint64_t*, table::kMostCurveWords> out{};
    for (std::size_t i = 0; i < words.size(); ++i) out[i] = words[i] + begin;
    table::write_curve_words(curve, bits, {coordinates.data(), columns.size()}, count, {out.data(), words.size()});
  }

  const Curve curve;
  std::vector<table::CurveColumn> columns;
  ThreadTeam team;
};

CurveKeys::CurveKeys(Curve curve, unsigned threads) : state_(std::make_unique<State>(curve, threads)) {}

CurveKeys::~CurveKeys() = default;

void CurveKeys::add_column(const ArrowSchema& schema, const ArrowArray& bounds, const CurveColumnOptions& options) {
  state_->columns.emplace_back(schema, bounds, options);
}

std::size_t CurveKeys::words() const {
  const std::size_t count = state_->columns.size();
  return table::curve_words(count, table::curve_bits(count));
}

void CurveKeys::require_type(std::size_t column, const ArrowSchema& schema) const {
  state_->columns.at(column).require_type(schema);
}

void CurveKeys::write(std::span<const ArrowArray* const> columns, std::span<std::uint64_t* const> words) {
  const auto rows = static_cast<std::size_t>(columns.front()->length);
  state_->team.run([&] {
    parallel_for_ranges(0, rows, kRowsOfTurn, [&](std::size_t begin, std::size_t end) {
      for (; begin < end; begin += kRowsAtOnce)
        state_->write(columns, words, begin, std::min(kRowsAtOnce, end - begin));
    });
  });
}

}  // namespace sortie
