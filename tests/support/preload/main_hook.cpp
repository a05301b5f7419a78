// Faults begin and end with main(). There are none while libraries are loaded, because the C library's loader (glibc
// 2.36) crashes if it has no memory for the text of an error.
#include <dlfcn.h>

#include "support/preload/fault_plan.hpp"

namespace {

using Main = int (*)(int, char**, char**);
using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

Main intercepted_main = nullptr;

int main_with_faults(int argc, char** argv, char** environment) {
  sortie::test::start_faults();
  const int status = intercepted_main(argc, argv, environment);
  sortie::test::stop_faults();
  return status;
}

}  // namespace

extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                 void* stack_end) {
  intercepted_main = main;
  const auto start = reinterpret_cast<StartMain>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(main_with_faults, argc, argv, init, fini, rtld_fini, stack_end);
}

extern "C" void* dlopen(const char* file, int mode) noexcept {
  static const auto load = reinterpret_cast<void* (*)(const char*, int)>(::dlsym(RTLD_NEXT, "dlopen"));
  const sortie::test::FaultPause pause;
  return load(file, mode);
}
