#define _GNU_SOURCE
#include "enrolment.h"
#include "architecture.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

// All rights of the first Landlock ABI; the rules below grant exceptions.
static const uint64_t every_right = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
static const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
                                LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                LANDLOCK_ACCESS_FS_REMOVE_DIR;

static int allow(int ruleset, const char *path, uint64_t rights) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access = rights,
        .parent_fd = open(path, O_PATH | O_CLOEXEC),
    };
    if (rule.parent_fd < 0) return errno;
    int error = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0 ? errno : 0;
    close(rule.parent_fd);
    return error;
}

int vg_enrolment_confine_files(const char *model, const char *work) {
    struct landlock_ruleset_attr attributes = {.handled_access_fs = every_right};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
    if (ruleset < 0) return errno;
    int error = allow(ruleset, model, reading);
    if (!error) error = allow(ruleset, work, reading | writing);
    if (!error) error = allow(ruleset, "/usr", reading | LANDLOCK_ACCESS_FS_EXECUTE);
    // For the tools' libraries; each may be missing.
    if (!error) allow(ruleset, "/etc/ld.so.cache", LANDLOCK_ACCESS_FS_READ_FILE);
    if (!error) allow(ruleset, "/lib", reading | LANDLOCK_ACCESS_FS_EXECUTE);
    if (!error) allow(ruleset, "/lib64", reading | LANDLOCK_ACCESS_FS_EXECUTE);
    if (!error) error = allow(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    if (!error && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0) error = errno;
    close(ruleset);
    return error;
}

static const int refused_calls[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_sendmmsg, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_pidfd_send_signal,
    SYS_kcmp, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open,
    SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_setuid, SYS_setgid,
};

int vg_enrolment_confine_calls(void) {
    enum { count = sizeof refused_calls / sizeof refused_calls[0] };
    struct sock_filter program[count * 2 + 8];
    unsigned short length = 0;
    const struct sock_filter deny = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
    program[length++] = deny;
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    // x32 has numbers of its own.
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    program[length++] = deny;
#endif
    for (int index = 0; index < count; index++) {
        program[length++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refused_calls[index], 0, 1);
        program[length++] = deny;
    }
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {.len = length, .filter = program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    return result == 0 ? 0 : (result > 0 ? EAGAIN : errno);
}

static int limit(int resource, rlim_t value) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) < 0) return errno;
    // Never raises a stricter limit.
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) value = now.rlim_max;
    const struct rlimit bound = {value, value};
    return setrlimit((__rlimit_resource_t)resource, &bound) < 0 ? errno : 0;
}

int vg_enrolment_limit(unsigned seconds, unsigned long memory, unsigned long file) {
    int error = limit(RLIMIT_CPU, seconds);
    if (!error) error = limit(RLIMIT_AS, memory);
    if (!error) error = limit(RLIMIT_FSIZE, file);
    if (!error) error = limit(RLIMIT_CORE, 0);
    if (!error) error = limit(RLIMIT_NOFILE, 64);
    return error;
}

int vg_enrolment_run(const char *path, char *const arguments[], const char *output, int *status) {
    char *const environment[] = {"LANG=C", NULL};
    int log = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (log < 0) return errno;
    pid_t parent = getpid();
    pid_t process = fork();
    if (process < 0) {
        int error = errno;
        close(log);
        return error;
    }
    if (process == 0) {
        // Only async-signal-safe calls, in the child of a process with threads.
        int null = open("/dev/null", O_RDONLY);
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent || null < 0) _exit(126);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_DFL);
        if (dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0) _exit(126);
        syscall(SYS_close_range, 3U, ~0U, 0);
        execve(path, arguments, environment);
        _exit(127);
    }
    close(log);
    while (waitpid(process, status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

int vg_is_in_memory(const char *path) {
    struct statfs information;
    if (statfs(path, &information) < 0) return -1;
    return information.f_type == TMPFS_MAGIC || information.f_type == RAMFS_MAGIC;
}
