#pragma once

#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// A pidfd of a running process, close-on-exec.
int vg_pidfd_open(pid_t pid);

// Sends a signal to a pidfd's process. Returns 0, or -1 with errno.
int vg_pidfd_send_signal(int pidfd, int signal);

// pipe2 with O_CLOEXEC: descriptors[0] reads what is written to descriptors[1].
int vg_pipe(int descriptors[2]);

// Gives memory back to the kernel when it is freed: blocks of 256 kB and more at once, and what is free at the end of a heap.
// Otherwise glibc keeps, for each of up to eight heaps a processor, twice the size of the largest block that was ever freed
// (mallopt(3), M_MMAP_THRESHOLD). Call before there are threads.
void vg_return_freed_memory(void);

// posix_spawn's flag for a new session.
extern const short vg_spawn_setsid;

// posix_spawn's action that closes all descriptors from this one on (glibc 2.34). Returns 0 or an errno.
int vg_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

// posix_spawn's action that changes the working folder (glibc 2.29). Returns 0 or an errno.
int vg_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *path);

// The two halves of st_rdev and of tty_nr in /proc/PID/stat.
unsigned int vg_device_major(unsigned long device);
unsigned int vg_device_minor(unsigned long device);

// Whether a text has this piece: memmem(3).
bool vg_has(const void *text, size_t length, const void *piece, size_t count);

// Opens a folder as a reference only (O_PATH); follows links.
int vg_open_folder(const char *path);

// Opens a file for reading relative to a process's root folder: absolute links and ".." stay inside. Links of proc are not
// followed.
int vg_open_in_root(int root, const char *path);

// Exchanges two existing files or folders of one file system atomically (renameat2 with RENAME_EXCHANGE).
int vg_exchange(const char *one, const char *other);

// Writes the descriptor's file system to the disk: syncfs(2).
int vg_sync_files(int descriptor);

// Renames unless the new path exists (EEXIST); EINVAL if the file system does not support it.
int vg_rename_new(const char *from, const char *to);

// As in stat(2); times in nanoseconds since 1970.
struct vg_file_status {
    uint64_t device;
    uint64_t inode;
    uint64_t links;
    int64_t size;
    int64_t modified_at;
    int64_t changed_at;
    uint32_t owner;
    uint32_t mode;
};

// What the kernel knows of a file: its file server, which may not answer, is not asked (AT_STATX_DONT_SYNC), except to find the
// path. Follows links. An empty path is the file that the descriptor refers to.
int vg_file_status(int folder, const char *path, struct vg_file_status *status);

// Opens a file as a reference only (O_PATH). Has no effect on a device or a pipe.
int vg_open_reference(int folder, const char *path, bool follow);

// The same by a path that the kernel can follow without waiting (RESOLVE_CACHED). EAGAIN if it might have to, and for links of
// proc.
int vg_open_cached(int folder, const char *path, bool follow);
