// Holds a GPU's memory while sorts run beside it (side_by_side). Reports when it has the memory, and keeps it until
// its standard input ends.
//
//   hold_device_memory PERCENT [DEVICE]   holds that share of all memory; 100 takes all that the driver gives
//   hold_device_memory flicker [DEVICE]   takes and frees nearly all free memory, over and over
#include <cuda_runtime_api.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr std::size_t kLeastBlock = 1 << 20;
constexpr int kFlickerMilliseconds = 3;

struct Memory {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};

Memory ask() {
  Memory memory;
  if (cudaMemGetInfo(&memory.free_bytes, &memory.total_bytes) != cudaSuccess) {
    std::fprintf(stderr, "hold_device_memory: %s\n", cudaGetErrorString(cudaGetLastError()));
    std::exit(2);
  }
  return memory;
}

/// Takes memory in ever smaller blocks until `left_bytes` are free or no more can be had. The driver frees it at the
/// end.
void hold_all_but(std::size_t left_bytes) {
  std::size_t block = ask().free_bytes;
  while (block >= kLeastBlock) {
    const std::size_t free_bytes = ask().free_bytes;
    if (free_bytes <= left_bytes) return;
    block = std::min(block, free_bytes - left_bytes);
    void* held = nullptr;
    if (block >= kLeastBlock && cudaMalloc(&held, block) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      block /= 2;
    }
  }
}

bool input_has_ended(int wait_milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, wait_milliseconds) <= 0) return false;
  char byte;
  return ::read(STDIN_FILENO, &byte, 1) <= 0;
}

void say_ready() {
  const Memory memory = ask();
  std::printf("holds %zu of %zu, %zu are free\n", memory.total_bytes - memory.free_bytes, memory.total_bytes,
              memory.free_bytes);
  std::fflush(stdout);
}

void flicker() {
  while (!input_has_ended(kFlickerMilliseconds)) {
    const std::size_t free_bytes = ask().free_bytes;
    void* held = nullptr;
    if (cudaMalloc(&held, free_bytes - free_bytes / 50) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      continue;
    }
    if (input_has_ended(kFlickerMilliseconds)) return;
    cudaFree(held);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: hold_device_memory PERCENT|flicker [DEVICE]\n");
    return 2;
  }
  cudaSetDevice(argc > 2 ? std::atoi(argv[2]) : 0);
  if (argv[1] == std::string("flicker")) {
    say_ready();
    flicker();
    return 0;
  }
  const auto percent = static_cast<std::size_t>(std::clamp(std::atoi(argv[1]), 0, 100));
  hold_all_but(ask().total_bytes / 100 * (100 - percent));
  say_ready();
  while (!input_has_ended(-1)) {
  }
  return 0;
}
