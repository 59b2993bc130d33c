#pragma once

#include <stdint.h>
#include <sys/types.h>

// Removing the network and other programs' sockets from this process before exec, in its own namespaces
// (vg_sandbox_enter_namespaces). Each returns 0 or an errno.

// Brings up the loopback device of this network.
int vg_raise_loopback(void);

// Makes later mounts invisible outside.
int vg_keep_mounts_private(void);

// Mounts an empty folder in memory over this one.
int vg_cover_folder(const char *path, unsigned int mode);

// Mounts the descriptor's file over the file at this path.
int vg_mount_over(int descriptor, const char *path);

// Opens a file as a reference only (O_PATH), close-on-exec; -1 and errno on failure.
int vg_open_place(const char *path);

// Permanently, also for child processes: no capabilities, no setuid programs, no input into its terminal (TIOCSTI,
// TIOCLINUX), no sockets of families that a network namespace does not confine, such as AF_VSOCK, no signals to processes
// outside if the kernel can refuse them: the role VG_NO_NETWORK.
int vg_drop_privileges(void);

// Resets the signals for the next program: none blocked, and the default for SIGPIPE, which VoiceGate's programs ignore.
// Signals that the user ignores (nohup) stay ignored.
int vg_reset_signals(void);

// Marks all descriptors from this one on as close-on-exec.
int vg_close_from_on_exec(int first);
