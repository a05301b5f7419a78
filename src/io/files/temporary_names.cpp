#include <sortie/temporary_names.hpp>

#include <unistd.h>

namespace sortie {

TemporaryNames::Entry::Entry(TemporaryNames* names, std::string path) : names_(names), path_(std::move(path)) {
  if (names_ == nullptr) return;
  const std::lock_guard lock(names_->mutex_);
  names_->entries_.push_back(this);
}

TemporaryNames::Entry::~Entry() {
  if (names_ == nullptr) return;
  const std::lock_guard lock(names_->mutex_);
  std::erase(names_->entries_, this);
}

std::unique_lock<std::mutex> TemporaryNames::Entry::hold() const {
  return names_ == nullptr ? std::unique_lock<std::mutex>() : names_->hold();
}

void TemporaryNames::Entry::keep(const std::string& farewell) {
  const auto lock = hold();
  farewell_ = farewell;
}

std::unique_lock<std::mutex> TemporaryNames::remove_files() {
  std::unique_lock lock(mutex_);
  for (const Entry* entry : entries_) {
    if (entry->farewell_.empty()) ::unlink(entry->path().c_str());
  }
  return lock;
}

std::vector<std::string> TemporaryNames::farewells() const {
  std::vector<std::string> farewells;
  for (const Entry* entry : entries_) {
    if (!entry->farewell_.empty()) farewells.push_back(entry->farewell_);
  }
  return farewells;
}

}  // namespace sortie
