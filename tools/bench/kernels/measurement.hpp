// One row of the bench: an operation, what it worked on, and how long we and our peers took.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/kernels/key_fill.hpp"

namespace sortie::bench {

struct Peer {
  std::string name;
  double milliseconds = 0;
};

struct Measurement {
  std::string operation;
  KeyDistribution distribution = KeyDistribution::kUniform;
  std::uint64_t count = 0;          ///< number of items
  std::uint64_t traffic_bytes = 0;  ///< bytes that the algorithm reads and writes; 0 if traffic is no limit
  double milliseconds = 0;          ///< our time per call
  std::vector<Peer> peers = {};
  std::string family = {};  ///< rows of a family are drawn and summed up together

  double giga_items_per_second() const { return static_cast<double>(count) / milliseconds * 1e-6; }

  /// The fastest of the peers; null if there are none.
  const Peer* best_peer() const {
    const auto best = std::ranges::min_element(peers, {}, &Peer::milliseconds);
    return best == peers.end() ? nullptr : &*best;
  }

  /// How many times as fast as the best peer; 0 without peers.
  double ratio() const { return peers.empty() ? 0 : best_peer()->milliseconds / milliseconds; }

  /// The share of the speed of a copy on the device. `copy_gigabytes` is the GB that a copy reads and writes per
  /// second.
  double copy_share(double copy_gigabytes) const {
    return static_cast<double>(traffic_bytes) / milliseconds * 1e-6 / copy_gigabytes;
  }
};

}  // namespace sortie::bench
