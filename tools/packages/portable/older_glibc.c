/* What the archives of newer compilers ask the C library for, made of what older ones have. Goes into the part of the C
   library that is linked into every program (libc_nonshared.a); hidden, so that a newer library's own stays alone. */
#define _GNU_SOURCE
#include <features.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc 2.32. Zero: counts of references are atomic also before a second thread is started. */
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;

/* glibc 2.36. */
__attribute__((visibility("hidden"))) unsigned arc4random(void) {
  unsigned value;
  if (getrandom(&value, sizeof(value), 0) != (ssize_t)sizeof(value)) abort();
  return value;
}

#if !__GLIBC_PREREQ(2, 28)
struct statx;

__attribute__((visibility("hidden"))) int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                                                    unsigned flags) {
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

__attribute__((visibility("hidden"))) int statx(int folder, const char* path, int flags, unsigned mask,
                                                struct statx* status) {
  return (int)syscall(SYS_statx, folder, path, flags, mask, status);
}
#endif
