#pragma once

#include <stdint.h>
#include <sys/types.h>

// Taking the network and other programs' sockets away from this process, before it becomes another program. Each returns
// 0 or an errno. For a process with one thread: the kernel makes no user namespace for more.

// Namespaces of its own for the network and for mounts, within a user namespace in which everybody has the same number as
// outside; for root where there are no user namespaces, without one.
int vg_enter_own_namespaces(void);

// Brings the loopback device of this network up. It leads to nobody outside of it.
int vg_raise_loopback(void);

// Mounts made from now on are seen by nobody outside.
int vg_keep_mounts_private(void);

// An empty folder in memory over this one.
int vg_cover_folder(const char *path, unsigned int mode);

// What the descriptor stands for, over the file at this path.
int vg_mount_over(int descriptor, const char *path);

// A file by its place only (O_PATH), close-on-exec; -1 and errno on failure.
int vg_open_place(const char *path);

// For good, and for all that it starts: no capabilities, no setuid programs, no keystrokes put into its terminal
// (TIOCSTI, TIOCLINUX), no sockets of families that a network namespace does not hold back, such as those of virtual
// machines (AF_VSOCK).
int vg_give_up_ways_out(void);

// Signals as the program that comes next expects them: none blocked, and SIGPIPE, which a program of ours ignores, as
// ever. What the person had ignored before (nohup) stays so.
int vg_reset_signals(void);

// Marks all descriptors from this one on to be closed with the next program.
int vg_close_from_on_exec(int first);
