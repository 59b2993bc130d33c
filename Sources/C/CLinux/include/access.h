#pragma once

#include <sys/types.h>

// Whether a process of this user, with these groups, could open the file for reading: 1, 0, or -1 and errno. Tries it in a
// child process; requires root.
int vg_may_read(const char *path, uid_t user, gid_t group, const gid_t *groups, int count);

// Reads the file's access list in the kernel's format (acl(5)). Returns its bytes, 0 for none, or -1 and errno.
ssize_t vg_access_list(const char *path, void *buffer, size_t size);
