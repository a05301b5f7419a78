// A directory that belongs to this user and this process alone, for files that must outlive the process: those of
// --checkpoint. It is held open and locked, and its files are reached through it, so that nobody can put another
// directory or a link in its place. Opened by FileSystem::open_private_directory().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/files/file.hpp"

namespace sortie {

/// Every member but the noexcept ones throws Error that names the file or the directory. The directory stays locked
/// until this is destroyed.
class PrivateDirectory {
 public:
  virtual ~PrivateDirectory() = default;

  virtual const std::string& path() const = 0;
  /// Whether opening it made it.
  virtual bool is_new() const = 0;
  /// The names of all files in it.
  virtual std::vector<std::string> names() = 0;

  /// A new file, readable and writable by this user alone. Throws if the name exists. Thread-safe.
  virtual std::unique_ptr<File> create(const std::string& name) = 0;
  /// A regular file, to be read and written; no link is followed. Null if there is none of that name. Thread-safe.
  virtual std::unique_ptr<File> open(const std::string& name) = 0;
  /// Throws if a file with the name `to` exists, where the file system can say so.
  virtual void rename(const std::string& from, const std::string& to) = 0;
  /// Returns whether no file with that name is left.
  virtual bool remove(const std::string& name) noexcept = 0;
  /// Makes created, renamed and removed names durable.
  virtual void sync() = 0;
  /// Removes the directory itself, if it is empty and its path still leads to it. Best effort.
  virtual void remove_itself() noexcept = 0;
};

/// How posix_file_system.cpp makes one: see FileSystem::open_private_directory().
std::unique_ptr<PrivateDirectory> open_posix_directory(const std::string& path);

}  // namespace sortie
