#pragma once

#include <sys/types.h>

// A pidfd of a running process, close-on-exec.
int vg_pidfd_open(pid_t pid);

// pipe2 with O_CLOEXEC: descriptors[0] reads what is written to descriptors[1].
int vg_pipe(int descriptors[2]);

// posix_spawn's flag for a session of its own.
extern const short vg_spawn_setsid;

// Closes all descriptors from first to last, both included; they need not be open.
int vg_close_range(unsigned int first, unsigned int last);

// The signal this process gets when its parent ends (PR_SET_PDEATHSIG). Not kept across fork.
int vg_set_parent_death_signal(int signal);

// Gives up core dumps and being traced by other processes of the same user (PR_SET_DUMPABLE 0).
int vg_set_not_dumpable(void);

// Nothing executed from here on gains privileges (PR_SET_NO_NEW_PRIVS).
int vg_set_no_new_privileges(void);

// The two halves of st_rdev and of tty_nr in /proc/PID/stat.
unsigned int vg_device_major(unsigned long device);
unsigned int vg_device_minor(unsigned long device);
