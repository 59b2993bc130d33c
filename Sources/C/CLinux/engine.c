#define _GNU_SOURCE
#include "engine.h"
#include "architecture.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int allow(int ruleset, const char *path, __u64 access) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access = access, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) return errno == ENOENT ? 0 : errno;
    struct stat status;
    // READ_DIR applies to folders only; the kernel refuses it for other files.
    if (fstat(rule.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode))
        rule.allowed_access &= ~(__u64)LANDLOCK_ACCESS_FS_READ_DIR;
    long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = result < 0 ? errno : 0;
    close(rule.parent_fd);
    return error;
}

static int confine_files(const char *const readable[]) {
    // All rights of the first Landlock ABI: read, execute, write, create and remove.
    struct landlock_ruleset_attr attributes = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
    if (ruleset < 0) return errno;
    const __u64 reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
    // Programs expect to be able to write to it.
    int error = allow(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (int index = 0; readable[index] && !error; index++) error = allow(ruleset, readable[index], reading);
    if (!error && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0) error = errno;
    close(ruleset);
    return error;
}

// Communication without files: sockets, other processes' memory, signals; and calls that evade this filter.
static const int forbidden_calls[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_io_uring_setup, SYS_ptrace, SYS_process_vm_readv,
    SYS_process_vm_writev, SYS_pidfd_getfd, SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_bpf, SYS_keyctl,
    SYS_add_key, SYS_request_key, SYS_perf_event_open, SYS_userfaultfd, SYS_shmget, SYS_msgget, SYS_kcmp, SYS_kill,
    SYS_tkill, SYS_pidfd_send_signal,
};

static int confine_calls(void) {
    enum { count = sizeof forbidden_calls / sizeof forbidden_calls[0] };
    struct sock_filter program[count + 8];
    unsigned short length = 0;
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    // The numbers of x32 begin here: the same calls with other numbers (seccomp(2)).
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, count + 1, 0);
    for (int index = 0; index < count; index++)
        program[length++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (unsigned)forbidden_calls[index], (unsigned char)(count - index), 0);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    struct sock_fprog filter = {.len = length, .filter = program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0 ? errno : 0;
}

int vg_engine_confine(const char *const readable[]) {
    const struct rlimit none = {0, 0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
    if (setrlimit(RLIMIT_CORE, &none) < 0) return errno;
    int error = confine_files(readable);
    return error ? error : confine_calls();
}

int vg_engine_become(const char *const command[]) {
    // execv does not write to the strings.
    execv(command[0], (char *const *)command);
    return errno;
}
