#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// The same on every architecture since Linux 5.3 and 5.9.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

const short vg_spawn_setsid = POSIX_SPAWN_SETSID;

int vg_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

int vg_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int vg_close_range(unsigned int first, unsigned int last) { return (int)syscall(SYS_close_range, first, last, 0); }

int vg_set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

int vg_set_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int vg_set_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

unsigned int vg_device_major(unsigned long device) { return major(device); }

unsigned int vg_device_minor(unsigned long device) { return minor(device); }
