#include "device/copy.hpp"

#include <string>

#include <cuda_runtime_api.h>

#include "device/cuda_error.hpp"
#include "device/device_info.hpp"

namespace sortie {
namespace {

void copy(void* target, const void* source, std::uint64_t bytes, cudaMemcpyKind kind, const char* way,
          const CudaStream& stream) {
  const cudaError_t status =
      call_or_fault([&] { return cudaMemcpyAsync(target, source, bytes, kind, stream.handle()); });
  if (status != cudaSuccess) check_cuda(status, ("copying " + std::to_string(bytes) + " bytes " + way).c_str());
}

}  // namespace

void copy_to_device(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream) {
  copy(target, source, bytes, cudaMemcpyHostToDevice, "to the device", stream);
}

void copy_to_host(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream) {
  copy(target, source, bytes, cudaMemcpyDeviceToHost, "to the host", stream);
}

void copy_on_device(void* target, const void* source, std::uint64_t bytes, const CudaStream& stream) {
  copy(target, source, bytes, cudaMemcpyDeviceToDevice, "on the device", stream);
}

void allow_peer_access(int device, std::span<const int> others) {
  select_device(device);
  for (const int other : others) {
    if (other == device) continue;
    int possible = 0;
    check_cuda(cudaDeviceCanAccessPeer(&possible, device, other), "cudaDeviceCanAccessPeer");
    if (possible == 0) continue;
    const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
    if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
    if (status != cudaErrorPeerAccessAlreadyEnabled) check_cuda(status, "cudaDeviceEnablePeerAccess");
  }
}

void copy_between_devices(const DeviceMemory& target, const ConstDeviceMemory& source, std::uint64_t bytes,
                          cudaStream_t stream) {
  if (bytes == 0) return;
  if (target.device == source.device) {
    check_cuda(cudaMemcpyAsync(target.data, source.data, bytes, cudaMemcpyDeviceToDevice, stream),
               "copying on a device");
    return;
  }
  check_cuda(cudaMemcpyPeerAsync(target.data, target.device, source.data, source.device, bytes, stream),
             "copying between devices");
}

}  // namespace sortie
