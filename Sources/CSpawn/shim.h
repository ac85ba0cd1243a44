#include <spawn.h>

// Of the GNU C library, 2.34 and later; it declares this only where GNU's own functions are asked for.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
