#include "device/device_thread.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "support/require_gpu.hpp"

namespace sortie {
namespace {

TEST(DeviceThread, DeviceThatCannotBeSelectedFailsEveryTask) {
  DeviceThread thread(1000);
  auto result = thread.post([] { return 1; });
  EXPECT_THROW(result.get(), Error);
}

TEST(DeviceThreadGpu, TasksHaveItsDeviceSelected) {
  SORTIE_REQUIRE_GPU();
  DeviceThread thread(0);
  EXPECT_EQ(thread
                .post([] {
                  int device = -1;
                  cudaGetDevice(&device);
                  return device;
                })
                .get(),
            0);
}

}  // namespace
}  // namespace sortie
