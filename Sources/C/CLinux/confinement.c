#define _GNU_SOURCE
#include "confinement.h"
#include "architecture.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    ssize_t count = write(file, text, strlen(text));
    int error = count < 0 ? errno : 0;
    close(file);
    return error;
}

static int map_identifiers(const char *path, unsigned int identifier, int is_all) {
    char line[64];
    snprintf(line, sizeof line, "%u %u %u\n", is_all ? 0 : identifier, is_all ? 0 : identifier, is_all ? 4294967295u : 1);
    return write_file(path, line);
}

int vg_enter_own_namespaces(void) {
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) < 0) {
        int error = errno;
        if (user != 0 || unshare(CLONE_NEWNET | CLONE_NEWNS) < 0) return error;
        return 0;
    }
    // Root may map all identifiers; another user only its own, and only without setgroups (user_namespaces(7)).
    int error = user == 0 ? map_identifiers("/proc/self/uid_map", 0, 1) : EPERM;
    int is_all = error == 0;
    if (!is_all) {
        error = write_file("/proc/self/setgroups", "deny");
        if (!error) error = map_identifiers("/proc/self/uid_map", user, 0);
    }
    return error ? error : map_identifiers("/proc/self/gid_map", group, is_all);
}

int vg_raise_loopback(void) {
    int endpoint = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (endpoint < 0) return errno;
    struct ifreq request = {.ifr_flags = IFF_UP};
    strncpy(request.ifr_name, "lo", IFNAMSIZ - 1);
    int error = ioctl(endpoint, SIOCSIFFLAGS, &request) < 0 ? errno : 0;
    close(endpoint);
    return error;
}

int vg_keep_mounts_private(void) { return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? errno : 0; }

int vg_cover_folder(const char *path, unsigned int mode) {
    char options[32];
    snprintf(options, sizeof options, "mode=%04o", mode & 07777);
    return mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0 ? errno : 0;
}

int vg_mount_over(int descriptor, const char *path) {
    char source[32];
    snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
    return mount(source, path, NULL, MS_BIND, NULL) < 0 ? errno : 0;
}

int vg_open_place(const char *path) { return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC); }

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define EQUALS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))

static int filter_calls(void) {
    struct sock_filter program[] = {
        LOAD(arch),
        // Other architectures have other call numbers.
        EQUALS(NATIVE_ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        // The call numbers of x32; no other architecture has calls in this range.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        // Operations of a ring, such as opening sockets, evade every filter.
        EQUALS(SYS_io_uring_setup, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        EQUALS(SYS_ioctl, 0, 5),
        // The kernel reads the lower half of the number only.
        LOAD(args[1]),
        EQUALS(TIOCSTI, 1, 0),
        EQUALS(TIOCLINUX, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | EPERM),
        RETURN(SECCOMP_RET_ALLOW),
        EQUALS(SYS_socket, 0, 6),
        LOAD(args[0]),
        EQUALS(AF_UNIX, 4, 0),
        EQUALS(AF_INET, 3, 0),
        EQUALS(AF_INET6, 2, 0),
        EQUALS(AF_NETLINK, 1, 0),
        RETURN(SECCOMP_RET_ERRNO | EAFNOSUPPORT),
        RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof program / sizeof program[0], .filter = program};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) < 0 ? errno : 0;
}

int vg_drop_privileges(void) {
    // Without this, root would regain all capabilities at the next exec.
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0) return errno;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
    return filter_calls();
}

int vg_reset_signals(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    if (sigaction(SIGPIPE, &standard, NULL) < 0) return errno;
    sigset_t none;
    sigemptyset(&none);
    // Of the calling thread, which continues in the new program.
    return sigprocmask(SIG_SETMASK, &none, NULL) < 0 ? errno : 0;
}

int vg_close_from_on_exec(int first) {
    return close_range((unsigned int)first, ~0U, CLOSE_RANGE_CLOEXEC) < 0 ? errno : 0;
}
