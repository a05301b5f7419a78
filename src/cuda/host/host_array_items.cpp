#include "cuda/host/host_array_items.hpp"

#include "device/device_info.hpp"
#include "kernels/positions.hpp"

namespace sortie::cuda {
namespace {

void make_positions(const Stretch& stretch, std::byte* target, std::size_t position_bytes, cudaStream_t stream) {
  if (position_bytes == 4) {
    kernels::fill_positions(reinterpret_cast<std::uint32_t*>(target), stretch.count, stream,
                            static_cast<std::uint32_t>(stretch.begin));
  } else {
    kernels::fill_positions(reinterpret_cast<std::uint64_t*>(target), stretch.count, stream, stretch.begin);
  }
}

/// Its device, selected before memory is taken there.
int selected(int device) {
  select_device(device);
  return device;
}

}  // namespace

void HostItems::upload(const Stretch& stretch, const StretchArrays& target, cudaStream_t stream) const {
  keys_.upload(stretch.begin * key_bytes(), stretch.count * key_bytes(), target.keys, stream);
  if (value_part_ == Part::kComes) return make_positions(stretch, target.values, value_bytes_, stream);
  values_.upload(stretch.begin * value_bytes_, stretch.count * value_bytes_, target.values, stream);
}

void HostItems::download(const StretchArrays& source, const Stretch& stretch, cudaStream_t stream) const {
  if (key_part_ != Part::kGoes) {
    keys_.download(source.keys, stretch.begin * key_bytes(), stretch.count * key_bytes(), stream);
  }
  values_.download(source.values, stretch.begin * value_bytes_, stretch.count * value_bytes_, stream);
}

DeviceLane::DeviceLane(int device, std::uint64_t bytes) : device_(selected(device)), memory_(bytes) {}

DeviceLane::~DeviceLane() {
  static_cast<void>(cudaSetDevice(device_));
  stream_.settle();
}

void DeviceLane::select() const { select_device(device_); }

void DeviceLane::synchronize() const {
  select();
  stream_.synchronize();
}

}  // namespace sortie::cuda
