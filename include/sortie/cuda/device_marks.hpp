// Marks functions of public headers that run on the CPU and on the GPU. Host compilers see an empty word, so headers
// that use it hold no device syntax.
#pragma once

#if defined(__CUDACC__)
#define SORTIE_HOST_DEVICE __host__ __device__
#else
#define SORTIE_HOST_DEVICE
#endif
