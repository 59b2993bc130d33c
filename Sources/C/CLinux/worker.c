#define _GNU_SOURCE
#include "worker.h"
#include "architecture.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int vg_worker_spawn(const char *path, char *const arguments[], char *const environment[], int socket, int log,
                    pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    // Copies above 3, so that no action overwrites the source of a later one.
    int held_socket = fcntl(socket, F_DUPFD_CLOEXEC, 10);
    int held_log = fcntl(log, F_DUPFD_CLOEXEC, 10);
    if (held_socket < 0 || held_log < 0) error = errno;
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, held_log, 2);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, held_socket, 3);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    // A group of its own: Ctrl-C at the service's terminal must not reach the worker.
    if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
    if (!error)
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    if (!error) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    if (held_socket >= 0) close(held_socket);
    if (held_log >= 0) close(held_log);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int vg_worker_harden(void) {
    const struct rlimit none = {0, 0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return errno;
    // A write to a closed socket returns EPIPE, so that the process can log it before it ends.
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
    if (setrlimit(RLIMIT_CORE, &none) < 0) return errno;
    if (prctl(PR_SET_DUMPABLE, 0) < 0) return errno;
    return 0;
}

static int allow_reading(int ruleset, const char *folder) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = open(folder, O_PATH | O_CLOEXEC),
    };
    if (rule.parent_fd < 0) return errno;
    long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = result < 0 ? errno : 0;
    close(rule.parent_fd);
    return error;
}

int vg_worker_confine_files(const char *folder) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 0) return errno;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
    if (ruleset < 0) return errno;
    int error = allow_reading(ruleset, folder);
    if (!error && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0) error = errno;
    close(ruleset);
    return error;
}

// The calls for reading a socket, computing, threads, memory and exit. Every other call fails with EPERM.
static const int allowed_calls[] = {
    SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_pwrite64, SYS_close, SYS_lseek, SYS_fstat,
    SYS_newfstatat, SYS_ftruncate, SYS_memfd_create, SYS_ppoll, SYS_fcntl, SYS_mmap, SYS_munmap, SYS_mremap,
    SYS_mprotect, SYS_madvise, SYS_brk, SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_membarrier, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler, SYS_clock_gettime, SYS_clock_nanosleep,
    SYS_nanosleep, SYS_gettimeofday, SYS_times, SYS_getrandom, SYS_getpid, SYS_gettid, SYS_getrusage, SYS_sysinfo,
    SYS_uname, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_tgkill,
    SYS_restart_syscall, SYS_exit, SYS_exit_group,
#if defined(__x86_64__)
    SYS_poll, SYS_time, SYS_arch_prctl,
#endif
};

int vg_worker_confine_calls(void) {
    enum { count = sizeof allowed_calls / sizeof allowed_calls[0] };
    struct sock_filter program[count * 2 + 12];
    unsigned short length = 0;
    const struct sock_filter deny = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    const struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
    program[length++] = deny;
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int index = 0; index < count; index++) {
        program[length++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed_calls[index], 0, 1);
        program[length++] = allow;
    }
    // clone3 has its flags behind a pointer, which a filter cannot read. After ENOSYS the C library uses clone.
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
    // clone: threads only. The flags are the first argument on both architectures, below bit 32.
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0);
    program[length++] = deny;
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x00010000 /* CLONE_THREAD */, 0, 1);
    program[length++] = allow;
    program[length++] = deny;
    struct sock_fprog filter = {.len = length, .filter = program};
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    return result == 0 ? 0 : (result > 0 ? EAGAIN : errno);
}

int vg_worker_give_way(void) {
    // A tenth of a live session's weight; with idle priority it could starve.
    return setpriority(PRIO_PROCESS, 0, 10) < 0 ? errno : 0;
}

int vg_worker_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) < 0) return 1;
    return CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

int vg_worker_memory_file(void) { return memfd_create("voicegate-audio", MFD_CLOEXEC); }
