// glibc's settings of malloc (mallopt(3), malloc_trim(3)), which Swift's own module of the C library leaves out. They
// do nothing where the C library is another one.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static inline void tintype_malloc_settings(int arenas, int mapped_bytes) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_MMAP_THRESHOLD, mapped_bytes);
#endif
}

static inline void tintype_malloc_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
