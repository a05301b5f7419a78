// A disk in memory whose power can be cut. Data that was not synced is then lost, or only part of it remains.
// Directories exist from the beginning. Files are accessed through PowerCutFileSystem, a new one after each cut.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

namespace sortie::test {

class PowerCutDisk {
 public:
  /// A file, with or without a name.
  struct Node {
    std::string contents;
    std::string durable;
    std::uint64_t number = 0;
  };
  using NodePointer = std::shared_ptr<Node>;
  using Names = std::map<std::string, NodePointer>;

  /// A change to the names: one was added, one was removed (no node), or both, which is a rename.
  struct NameChange {
    std::string added;
    std::string removed;
    NodePointer node;
  };

  struct Directory {
    Names names;
    Names durable;
    std::vector<NameChange> unsynced;
    bool is_locked = false;
  };

  enum class Loss : std::uint8_t {
    kNone,    ///< only the process was killed
    kAll,     ///< all data that was not synced is lost
    kChance,  ///< of that data, any part may remain: all, half of it, or zeros in its place
  };

  PowerCutDisk() = default;
  /// Copies the files too. In the copy nobody has a file open or locked.
  PowerCutDisk(const PowerCutDisk& other) : last_number_(other.last_number_) {
    std::map<NodePointer, NodePointer> copies;
    const auto copy_names = [&](const Names& names) {
      Names copied;
      for (const auto& [name, node] : names) {
        NodePointer& copy = copies[node];
        if (!copy) nodes_.push_back(copy = std::make_shared<Node>(*node));
        copied[name] = copy;
      }
      return copied;
    };
    for (const auto& [path, directory] : other.directories_) {
      directories_[path].names = copy_names(directory.names);
      sync(directories_[path]);
    }
  }
  PowerCutDisk& operator=(const PowerCutDisk&) = delete;

  std::mutex mutex;  ///< protects all members below

  void add_file(const std::string& path, const std::string& contents) {
    const NodePointer node = make_node();
    node->contents = node->durable = contents;
    Directory& directory = directory_of(path);
    directory.names[name_in(path)] = directory.durable[name_in(path)] = node;
  }

  NodePointer make_node() {
    auto node = std::make_shared<Node>();
    node->number = ++last_number_;
    nodes_.push_back(node);
    return node;
  }

  /// Returns null if there is no such file.
  NodePointer find(const std::string& path) {
    const Names& names = directory_of(path).names;
    const auto found = names.find(name_in(path));
    return found != names.end() ? found->second : nullptr;
  }

  bool has_directory(const std::string& path) const { return directories_.contains(path); }
  Directory& directory(const std::string& path) { return directories_[path]; }
  void remove_directory(const std::string& path) {
    if (directories_[path].names.empty()) directories_.erase(path);
  }

  void change(Directory& directory, const NameChange& change) {
    apply(directory.names, change);
    directory.unsynced.push_back(change);
  }

  static void sync(Directory& directory) {
    directory.durable = directory.names;
    directory.unsynced.clear();
  }

  void cut_power(Loss loss, std::mt19937_64& random) {
    for (auto& [path, directory] : directories_) {
      directory.is_locked = false;
      if (loss == Loss::kNone) continue;
      for (const NameChange& change : directory.unsynced) {
        if (loss == Loss::kChance && random() % 2 == 0) apply(directory.durable, change);
      }
      directory.names = directory.durable;
      directory.unsynced.clear();
    }
    for (const auto& weak : nodes_) {
      if (const NodePointer node = weak.lock()) lose(*node, loss, random);
    }
  }

  static std::string directory_name(const std::string& path) { return path.substr(0, path.rfind('/')); }
  static std::string name_in(const std::string& path) { return path.substr(path.rfind('/') + 1); }
  Directory& directory_of(const std::string& path) { return directories_[directory_name(path)]; }

 private:
  static void apply(Names& names, const NameChange& change) {
    if (!change.removed.empty()) names.erase(change.removed);
    if (!change.added.empty()) names[change.added] = change.node;
  }

  static void lose(Node& node, Loss loss, std::mt19937_64& random) {
    if (loss == Loss::kNone || node.contents == node.durable) return;
    std::string left = node.durable;
    if (loss == Loss::kChance) {
      left = node.contents;
      const std::size_t begin = std::min(node.durable.size(), left.size());  // where the appended bytes begin
      const std::size_t kept = begin + (left.size() - begin) / (1 + random() % 3);
      if (random() % 2 == 0) {
        left.resize(kept);
      } else {
        std::fill(left.begin() + static_cast<std::ptrdiff_t>(kept), left.end(), '\0');
      }
    }
    node.contents = node.durable = left;
  }

  std::map<std::string, Directory> directories_;
  std::vector<std::weak_ptr<Node>> nodes_;
  std::uint64_t last_number_ = 0;
};

}  // namespace sortie::test
