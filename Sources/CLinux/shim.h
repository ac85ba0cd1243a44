// What Linux and its C library have, and Swift's Glibc does not show.
#include <errno.h>
// malloc_trim(3).
#include <malloc.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/syscall.h>

// Of the GNU C library, 2.34 and later; it declares this only where GNU's own functions are asked for.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

long syscall(long number, ...);

// Gives the calling thread a nice value, and as its slice, after which others may run, some nanoseconds: sched(7),
// sched_setattr(2). Kernels before 6.12 leave the slice as it is. Returns 0, or -1 and errno.
static inline int pinfold_set_thread_priority(int32_t nice, uint64_t slice) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = 48, .nice = nice, .runtime = slice};
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}
