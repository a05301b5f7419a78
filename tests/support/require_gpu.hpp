// Skips a test, with the reason, on a machine that has no usable GPU.
#pragma once

#include <gtest/gtest.h>

#include "device/device_info.hpp"

#define SORTIE_REQUIRE_GPU()                                                                            \
  do {                                                                                                  \
    const sortie::DeviceList require_gpu_list = sortie::list_devices();                                 \
    if (require_gpu_list.devices.empty()) GTEST_SKIP() << "no usable GPU: " << require_gpu_list.reason; \
  } while (false)
