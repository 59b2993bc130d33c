#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// The same on every architecture since Linux 5.3.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

void vg_return_freed_memory(void) {
    // Setting one of the two thresholds ends their growth.
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 256 << 10);
    mallopt(M_ARENA_MAX, 4);
}

const short vg_spawn_setsid = POSIX_SPAWN_SETSID;

int vg_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int vg_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

int vg_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

int vg_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int vg_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int vg_pidfd_send_signal(int pidfd, int signal) { return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0); }

unsigned int vg_device_major(unsigned long device) { return major(device); }

unsigned int vg_device_minor(unsigned long device) { return minor(device); }

// The same on every architecture since Linux 5.6.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

int vg_open_folder(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

int vg_open_in_root(int root, const char *path) {
    struct open_how how = {
        .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
        .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
}

static int64_t nanoseconds(struct statx_timestamp time) { return time.tv_sec * 1000000000 + time.tv_nsec; }

int vg_open_reference(int folder, const char *path, bool follow) {
    return openat(folder, path, O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
}

// In Linux since 5.12.
#ifndef RESOLVE_CACHED
#define RESOLVE_CACHED 0x20
#endif

int vg_open_cached(int folder, const char *path, bool follow) {
    struct open_how how = {
        .flags = (uint64_t)(O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)),
        .resolve = RESOLVE_CACHED,
    };
    int descriptor = -1;
    // The lookup is optimistic: a rename or a mount anywhere on the machine at that moment makes it give up.
    for (int tries = 0; tries < 8; tries++) {
        descriptor = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (descriptor >= 0 || errno != EAGAIN) break;
    }
    if (descriptor < 0 && (errno == EINVAL || errno == ENOSYS)) errno = EAGAIN;
    return descriptor;
}

int vg_file_status(int folder, const char *path, struct vg_file_status *status) {
    struct statx found;
    if (statx(folder, path, AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &found) != 0) return -1;
    *status = (struct vg_file_status){
        .device = makedev(found.stx_dev_major, found.stx_dev_minor),
        .inode = found.stx_ino,
        .links = found.stx_nlink,
        .size = (int64_t)found.stx_size,
        .modified_at = nanoseconds(found.stx_mtime),
        .changed_at = nanoseconds(found.stx_ctime),
        .owner = found.stx_uid,
        .mode = found.stx_mode,
    };
    return 0;
}

int vg_sync_files(int descriptor) { return syncfs(descriptor); }

int vg_rename_new(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

bool vg_has(const void *text, size_t length, const void *piece, size_t count) {
    return memmem(text, length, piece, count) != NULL;
}
