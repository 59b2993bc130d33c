#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// The same on every architecture since Linux 5.3.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

const short vg_spawn_setsid = POSIX_SPAWN_SETSID;

int vg_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int vg_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

int vg_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

unsigned int vg_device_major(unsigned long device) { return major(device); }

unsigned int vg_device_minor(unsigned long device) { return minor(device); }
