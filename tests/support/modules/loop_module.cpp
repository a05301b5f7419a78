// A module with a copy of the thread team's code of its own, as the GPU engine's module has.
#include "base/parallel.hpp"

extern "C" __attribute__((visibility("default"))) void sortie_loop_in_module(sortie::ThreadTeam::Slot slot,
                                                                             std::size_t turns, void (*turn)()) {
  sortie::ThreadTeam::share_slot(slot);
  sortie::parallel_for(0, turns, [turn](std::size_t) { turn(); });
}
