// What one row of the bench says: an operation, what it worked on, and how long we and our peers took.
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
  std::uint64_t count = 0;          ///< of items
  std::uint64_t traffic_bytes = 0;  ///< that the algorithm reads and writes; 0: not a matter of traffic
  double milliseconds = 0;          ///< of ours, a call
  std::vector<Peer> peers = {};
  std::string family = {};  ///< what it is drawn and summed up with

  double giga_items_per_second() const { return static_cast<double>(count) / milliseconds * 1e-6; }

  /// The fastest of the peers; null if there are none.
  const Peer* best_peer() const {
    const auto best = std::ranges::min_element(peers, {}, &Peer::milliseconds);
    return best == peers.end() ? nullptr : &*best;
  }

  /// How many times faster than the best peer; 0 without peers.
  double ratio() const { return peers.empty() ? 0 : best_peer()->milliseconds / milliseconds; }

  /// Share of the speed at which the device copies memory, `copy_gigabytes` read and written a second.
  double copy_share(double copy_gigabytes) const {
    return static_cast<double>(traffic_bytes) / milliseconds * 1e-6 / copy_gigabytes;
  }
};

}  // namespace sortie::bench
