// One sandbox for everything that VoiceGate confines. What each role may do is in sandbox_calls.h (system calls) and in
// sandbox.c (files, limits); what an attacker in each role achieves is in sandbox.outcomes, which a test compares.
#pragma once

#include <sys/types.h>

enum vg_role {
    // A recogniser of VoiceGate's while it reads its model: reads one folder, starts threads.
    VG_LOADING,
    // The same from then on, with a client's audio: no file, no program, no socket but its own.
    VG_RECOGNIZER,
    // Another's recogniser: any program, with threads and children; reads the system and given paths, writes no file.
    VG_ENGINE,
    // A client under `voicegate run --no-network`: any program, without what reaches past its own namespaces.
    VG_NO_NETWORK,
    VG_ROLES
};

// Each function returns 0 or an errno, if not documented otherwise. Everything here is permanent and inherited by children.

// First in the process: ends with the parent's thread, no core dump, not traceable, no new privileges, no capabilities, the
// role's limits.
int vg_sandbox_begin(enum vg_role role);

// Enters namespaces of the role's own. Users and groups keep their numbers; root does without a user namespace if user
// namespaces are disabled. For a process with one thread: the kernel refuses a user namespace to others.
int vg_sandbox_enter_namespaces(enum vg_role role);

// The namespaces that this process has entered, as flags of clone(2).
int vg_sandbox_namespaces(void);

// Allows only the role's files: those of the system in its row, and reading of `readable` (ends with NULL; a path that does
// not exist is skipped). Also ends signals to, and abstract sockets of, processes outside, if the kernel can. ENOSYS: no
// Landlock, or in VG_NO_NETWORK one before ABI 6. Affects the calling thread and what it starts.
int vg_sandbox_files(enum vg_role role, const char *const readable[]);

// Refuses all system calls that the role's row does not allow, on all threads.
int vg_sandbox_calls(enum vg_role role);

// Runs another's recogniser in the role VG_ENGINE to its end, and then ends all processes that it started. In a pid
// namespace if the kernel allows one. `command` begins with the program. Does not return; the exit status is the program's,
// 128 and the signal that ended it, or EX_OSERR or EX_UNAVAILABLE after a line on standard error. The caller has one thread.
_Noreturn void vg_engine_run(const char *const readable[], const char *const command[]);

// What the kernel offers to this process.

// Landlock's ABI version, of those that the sandbox knows; 0 without Landlock.
int vg_sandbox_landlock(void);

// Whether a process may have its own user, pid and IPC namespace: 1 or 0. Starts a child process to try.
int vg_sandbox_has_namespaces(void);

// The newest Landlock ABI that is used. Tests lower it, to see what older kernels do.
extern int vg_sandbox_newest_landlock;

// Makes child programs start without this thread's capabilities (capabilities(7), ambient and inheritable sets). For a
// process with one thread; later threads inherit it.
int vg_keep_capabilities(void);

// Removes all capabilities from this process, its bounding set included.
int vg_drop_capabilities(void);
