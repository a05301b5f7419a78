// Marks functions of public headers that run on the CPU and on the GPU. Host compilers see an empty word, so headers
// that use it hold no device syntax.
#pragma once

#if __cplusplus < 202002L
#error "sortie::cuda needs C++20: compile with -std=c++20"
#endif

#if defined(__CUDACC__)
#define SORTIE_HOST_DEVICE __host__ __device__
#else
#define SORTIE_HOST_DEVICE
#endif
