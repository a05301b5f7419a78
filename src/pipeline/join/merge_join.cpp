#include "pipeline/join/merge_join.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/release_memory.hpp"
#include "base/thread_team.hpp"

namespace sortie {
namespace {

/// Rows are passed on in stretches of this length.
constexpr std::size_t kRowBytes = 1 << 20;
/// The memory of a longer stretch is given back.
constexpr std::size_t kUsualRows = 2;

int compare(Record a, Record b) {
  const int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (order != 0) return order;
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

bool equal(Record a, Record b) { return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0; }

}  // namespace

MergeJoin::MergeJoin(JoinKind kind, KeyedStream& left, KeyedStream& right, RowShaper& shaper, RepeatedGroup& group,
                     RowSink sink)
    : shows_pairs_(kind != JoinKind::kAnti),
      shows_left_(kind == JoinKind::kLeft || kind == JoinKind::kFull || kind == JoinKind::kAnti),
      shows_right_(kind == JoinKind::kRight || kind == JoinKind::kFull),
      left_(left),
      right_(right),
      shaper_(shaper),
      group_(group),
      sink_(std::move(sink)) {}

void MergeJoin::run() {
  while (left_.is_there() || right_.is_there()) {
    const int order = !left_.is_there() ? 1 : !right_.is_there() ? -1 : compare(left_.key(), right_.key());
    if (order < 0) {
      pass_left();
    } else if (order > 0) {
      pass_right();
    } else {
      join_equal();
    }
  }
  flush();
}

void MergeJoin::pass_left() {
  if (shows_left_) {
    shaper_.shape_left(left_.record(), shaped_left_);
    append_row(shaped_left_, shaper_.no_right());
  }
  left_.next();
}

void MergeJoin::pass_right() {
  if (shows_right_) {
    shaper_.shape_keys_of_right(right_.record(), shaped_left_);
    shaper_.shape_right(right_.record(), shaped_right_);
    append_row(shaped_left_, shaped_right_);
  }
  right_.next();
}

void MergeJoin::join_equal() {
  const Record key = left_.key();
  key_.assign(key.begin(), key.end());
  if (!shows_pairs_) {
    skip_key(left_);
    return skip_key(right_);
  }
  group_.clear();
  do {
    shaper_.shape_right(right_.record(), shaped_right_);
    group_.add(shaped_right_);
  } while (right_.next() && equal(right_.key(), key_));
  do {
    shaper_.shape_left(left_.record(), shaped_left_);
    group_.for_each([this](std::string_view right) { append_row(shaped_left_, right); });
  } while (left_.next() && equal(left_.key(), key_));
}

void MergeJoin::skip_key(KeyedStream& stream) {
  while (stream.next() && equal(stream.key(), key_)) {
  }
}

void MergeJoin::append_row(std::string_view left, std::string_view right) {
  shaper_.append_row(left, right, [this](std::string_view text) {
    rows_[current_] += text;
    if (rows_[current_].size() >= kRowBytes) flush();
  });
  ++row_count_;
}

void MergeJoin::flush() {
  throw_if_stopped();
  if (rows_[current_].empty()) return;
  sink_(rows_[current_]);
  current_ = 1 - current_;
  if (rows_[current_].capacity() > kUsualRows * kRowBytes) release_memory(rows_[current_]);
  rows_[current_].clear();
}

}  // namespace sortie
