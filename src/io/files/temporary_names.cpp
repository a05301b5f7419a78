#include <sortie/temporary_names.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace sortie {

void TemporaryNames::Mutex::lock() noexcept {
  while (!try_lock()) is_held_.wait(true);
}

bool TemporaryNames::Mutex::try_lock() noexcept { return !is_held_.exchange(true); }

// A signal that comes before the mutex is free finds it held, and leaves its work to this.
void TemporaryNames::Mutex::unlock() noexcept {
  is_held_ = false;
  is_held_.notify_one();
  if (const End end = names_.end_) names_.remove_files_and_end(end);
}

TemporaryNames::Entry::Entry(TemporaryNames* names, std::string path) : names_(names), path_(std::move(path)) {
  if (names_ == nullptr) return;
  const std::lock_guard lock(names_->mutex_);
  names_->entries_.push_back(this);
}

TemporaryNames::Entry::~Entry() {
  if (names_ == nullptr) return;
  const std::lock_guard lock(names_->mutex_);
  // Where there are many names, the last one mostly goes first.
  std::vector<const Entry*>& entries = names_->entries_;
  entries.erase(std::prev(std::find(entries.rbegin(), entries.rend(), this).base()));
}

TemporaryNames::Lock TemporaryNames::Entry::hold() const { return names_ == nullptr ? Lock() : names_->hold(); }

void TemporaryNames::Entry::keep(const std::string& farewell) {
  const auto lock = hold();
  farewell_ = farewell;
}

// From the last to the first: a directory has its name before the files in it.
void TemporaryNames::remove_held() const noexcept {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (!(*entry)->farewell_.empty()) continue;
    const char* const path = (*entry)->path().c_str();
    if (::unlink(path) != 0 && errno == EISDIR) ::rmdir(path);
  }
}

TemporaryNames::Lock TemporaryNames::remove_files() {
  Lock lock(mutex_);
  remove_held();
  return lock;
}

std::vector<std::string> TemporaryNames::farewells() const {
  std::vector<std::string> farewells;
  visit_farewells([&](const std::string& farewell) { farewells.push_back(farewell); });
  return farewells;
}

// The order matters: whoever holds the mutex releases it before it looks at `end_`.
void TemporaryNames::remove_files_and_end(End end) noexcept {
  end_ = end;
  if (!mutex_.try_lock()) return;
  remove_held();
  end(*this);
}

}  // namespace sortie
