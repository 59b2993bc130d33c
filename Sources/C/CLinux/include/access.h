#pragma once

#include <sys/types.h>

// Whether a process of this user, with these groups, could open the file for reading: 1 or 0, or -1 and errno. Asks the
// kernel in a child process; for root.
int vg_may_read(const char *path, uid_t user, gid_t group, const gid_t *groups, int count);

// The file's access list as the kernel keeps it (acl(5)): bytes, 0 where it has none, or -1 and errno.
ssize_t vg_access_list(const char *path, void *buffer, size_t size);
