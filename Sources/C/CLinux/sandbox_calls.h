// The system calls of each role, on both architectures. Rules are tried in order; the first whose call and conditions fit
// decides. What no rule names is refused, except in VG_NO_NETWORK, where it is allowed: a list of what an arbitrary program may do
// cannot be complete, so that role's namespaces do the work and its rules close what namespaces leave open.
//
// A refusal is EPERM, an error that programs handle: libraries probe for features, and a recogniser that is killed for a probe
// would be lost for no gain, as a refused call has no effect either way. It is ENOSYS for calls that have a predecessor to
// which the C library then turns.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

// Sets of roles.
enum {
    L = 1 << VG_LOADING,
    R = 1 << VG_RECOGNIZER,
    E = 1 << VG_ENGINE,
    X = 1 << VG_NO_NETWORK,
    FILES = L | E,
    ALL = L | R | E,
};

// A condition on the lower half of an argument, which is all that the kernel reads of these.
struct condition {
    enum { ALWAYS, MASKED, ONE_OF, OWN_PROCESS } kind;
    unsigned char argument;
    unsigned mask;
    unsigned value;
    // Ends with LAST.
    const unsigned *values;
};

struct rule {
    int call;
    unsigned char roles;
    // 0: allowed; else the errno.
    unsigned char error;
    // All must be met.
    struct condition conditions[2];
};

#define LAST 0xdeadbeefu
#define IS(argument, value) {MASKED, argument, ~0u, value, 0}
#define BITS(argument, mask, value) {MASKED, argument, mask, value, 0}
#define IN(argument, values) {ONE_OF, argument, 0, 0, values}
#define OWN(argument) {OWN_PROCESS, argument, 0, 0, 0}
#define ALLOW(call, roles, ...) {SYS_##call, roles, 0, {__VA_ARGS__}}
#define REFUSE(call, roles, error, ...) {SYS_##call, roles, error, {__VA_ARGS__}}

// Missing from some headers.
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

// F_SETOWN, F_SETSIG and F_SETOWN_EX are missing: with them the kernel sends any signal to any process of the user.
static const unsigned descriptor_commands[] = {
    F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, 1031 /* F_SETPIPE_SZ */, 1032 /* F_GETPIPE_SZ */,
    1033 /* F_ADD_SEALS */, 1034 /* F_GET_SEALS */, LAST,
};
static const unsigned lock_commands[] = {F_GETLK, F_SETLK, F_SETLKW, 36, 37, 38 /* F_OFD_… */, LAST};
// What C libraries and languages ask of any descriptor; nothing of it reaches a device.
static const unsigned harmless_requests[] = {FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ, TIOCGPGRP, LAST};
static const unsigned own_attributes[] = {
    PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_CAPBSET_READ,
    PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_SET_THP_DISABLE,
    PR_GET_THP_DISABLE, PR_SET_VMA, PR_SET_SECCOMP, PR_GET_KEEPCAPS, PR_GET_SECUREBITS, LAST,
};
static const unsigned own_rings[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, LAST};
static const unsigned keys_into_terminal[] = {TIOCSTI, TIOCLINUX, LAST};

#define NAMESPACES                                                                                                     \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

static const struct rule rules[] = {
    // Descriptors that the process has.
    ALLOW(read, ALL), ALLOW(write, ALL), ALLOW(readv, ALL), ALLOW(writev, ALL), ALLOW(pread64, ALL),
    ALLOW(pwrite64, ALL), ALLOW(close, ALL), ALLOW(lseek, ALL), ALLOW(fstat, ALL), ALLOW(newfstatat, ALL),
    ALLOW(ftruncate, ALL), ALLOW(ppoll, ALL), ALLOW(fcntl, ALL, IN(1, descriptor_commands)),
    ALLOW(fcntl, E, IN(1, lock_commands)),
    // Huge pages are the machine's, not the process's.
    ALLOW(memfd_create, ALL, BITS(1, MFD_HUGETLB, 0)),
    ALLOW(preadv, E), ALLOW(pwritev, E), ALLOW(preadv2, E), ALLOW(pwritev2, E),
    ALLOW(dup, FILES), ALLOW(dup3, FILES), ALLOW(pipe2, FILES), ALLOW(close_range, FILES),
    ALLOW(ioctl, FILES, IN(1, harmless_requests)),
    ALLOW(pselect6, E), ALLOW(epoll_create1, E), ALLOW(epoll_ctl, E),
    ALLOW(epoll_pwait, E), ALLOW(epoll_pwait2, E), ALLOW(eventfd2, E),
    ALLOW(timerfd_create, E), ALLOW(timerfd_settime, E), ALLOW(timerfd_gettime, E),
    ALLOW(signalfd4, E), ALLOW(sendfile, E), ALLOW(copy_file_range, E), ALLOW(fallocate, E),
    ALLOW(fsync, E), ALLOW(fdatasync, E), ALLOW(flock, E), ALLOW(fadvise64, FILES),
    ALLOW(readahead, FILES),

    // Memory.
    ALLOW(mmap, ALL), ALLOW(munmap, ALL), ALLOW(mremap, ALL), ALLOW(mprotect, ALL), ALLOW(madvise, ALL), ALLOW(brk, ALL),
    ALLOW(membarrier, ALL), ALLOW(msync, E), ALLOW(mincore, E), ALLOW(mlock, E),
    ALLOW(mlock2, E), ALLOW(munlock, E), ALLOW(get_mempolicy, E), ALLOW(set_mempolicy, E), ALLOW(mbind, E),
    ALLOW(pkey_alloc, E), ALLOW(pkey_free, E), ALLOW(pkey_mprotect, E),

    // Threads, time, and what a process knows of itself.
    ALLOW(futex, ALL), ALLOW(set_robust_list, ALL), ALLOW(rseq, ALL), ALLOW(sched_yield, ALL),
    ALLOW(sched_getaffinity, ALL), ALLOW(sched_getparam, ALL), ALLOW(sched_getscheduler, ALL),
    ALLOW(clock_gettime, ALL), ALLOW(clock_nanosleep, ALL), ALLOW(nanosleep, ALL), ALLOW(gettimeofday, ALL),
    ALLOW(times, ALL), ALLOW(getrandom, ALL), ALLOW(getpid, ALL), ALLOW(gettid, ALL), ALLOW(getrusage, ALL),
    ALLOW(sysinfo, ALL), ALLOW(uname, ALL), ALLOW(restart_syscall, ALL), ALLOW(exit, ALL), ALLOW(exit_group, ALL),
    ALLOW(clock_getres, FILES), ALLOW(set_tid_address, FILES), ALLOW(getuid, FILES), ALLOW(geteuid, FILES),
    ALLOW(getgid, FILES), ALLOW(getegid, FILES), ALLOW(getppid, FILES), ALLOW(getcpu, FILES),
    ALLOW(getresuid, E), ALLOW(getresgid, E), ALLOW(getgroups, E), ALLOW(getpgid, E),
    ALLOW(getsid, E), ALLOW(capget, FILES), ALLOW(getpriority, E),
    // Its own priority, not another's.
    ALLOW(setpriority, E, IS(0, 0), IS(1, 0)),
    ALLOW(sched_setaffinity, E, IS(0, 0)), ALLOW(sched_setaffinity, E, OWN(0)),
    ALLOW(sched_get_priority_max, E), ALLOW(sched_get_priority_min, E),
    ALLOW(sched_rr_get_interval, E), ALLOW(sched_getattr, E), ALLOW(get_robust_list, E),
    ALLOW(futex_waitv, E), ALLOW(getitimer, E), ALLOW(setitimer, E), ALLOW(timer_create, E),
    ALLOW(timer_settime, E), ALLOW(timer_gettime, E), ALLOW(timer_getoverrun, E),
    ALLOW(timer_delete, E),
    // Limits can only be lowered, without capabilities.
    ALLOW(prlimit64, FILES, IS(0, 0)), ALLOW(prlimit64, FILES, OWN(0)),
    ALLOW(prctl, FILES, IN(0, own_attributes)), ALLOW(prctl, FILES, IS(0, PR_SET_DUMPABLE), IS(1, 0)),

    // Signals: handling, and to its own threads.
    ALLOW(rt_sigaction, ALL), ALLOW(rt_sigprocmask, ALL), ALLOW(rt_sigreturn, ALL), ALLOW(sigaltstack, ALL),
    ALLOW(tgkill, ALL, OWN(0)), ALLOW(rt_sigpending, E), ALLOW(rt_sigtimedwait, E),
    ALLOW(rt_sigsuspend, E),

    // Files by path, where Landlock decides. Before its ABI 3 a file that is only read can be emptied by O_TRUNC.
    ALLOW(openat, L, BITS(2, O_ACCMODE | O_CREAT | O_TRUNC, 0)), ALLOW(openat, E, BITS(2, O_TRUNC, 0)),
    ALLOW(openat, E, BITS(2, O_ACCMODE, O_WRONLY)),
    ALLOW(openat, E, BITS(2, O_ACCMODE, O_RDWR)),
    // Its flags are behind a pointer.
    REFUSE(openat2, FILES, ENOSYS),
    ALLOW(getdents64, FILES), ALLOW(readlinkat, FILES), ALLOW(faccessat, FILES), ALLOW(faccessat2, FILES),
    ALLOW(statx, FILES), ALLOW(statfs, FILES), ALLOW(fstatfs, FILES), ALLOW(getcwd, FILES), ALLOW(listxattr, FILES),
    ALLOW(llistxattr, FILES), ALLOW(flistxattr, FILES), ALLOW(getxattr, FILES), ALLOW(lgetxattr, FILES),
    ALLOW(fgetxattr, FILES), ALLOW(umask, FILES), ALLOW(chdir, E), ALLOW(fchdir, E),

    // Processes: threads, or children in the same namespaces, group and session, so that they end with it. clone3 has its flags
    // behind a pointer.
    ALLOW(clone, L | R, BITS(0, CLONE_THREAD | NAMESPACES, CLONE_THREAD)),
    ALLOW(clone, E, BITS(0, CLONE_PARENT | CLONE_PTRACE | NAMESPACES, 0)),
    REFUSE(clone3, ALL, ENOSYS),
    ALLOW(execve, E), ALLOW(execveat, E), ALLOW(wait4, E), ALLOW(waitid, E), ALLOW(pidfd_open, E),
    // A separate sandbox inside of this one.
    ALLOW(seccomp, FILES), ALLOW(landlock_create_ruleset, FILES), ALLOW(landlock_add_rule, FILES),
    ALLOW(landlock_restrict_self, FILES),

    // Its socket, and pairs. Not datagrams: sendto on one end of such a pair reaches any datagram socket.
    ALLOW(socketpair, E, IS(0, AF_UNIX), BITS(1, 0xf, SOCK_STREAM)),
    ALLOW(socketpair, E, IS(0, AF_UNIX), BITS(1, 0xf, SOCK_SEQPACKET)), ALLOW(sendto, E), ALLOW(recvfrom, E),
    ALLOW(sendmsg, E), ALLOW(recvmsg, E), ALLOW(sendmmsg, E), ALLOW(recvmmsg, E), ALLOW(shutdown, E),
    ALLOW(getsockname, E), ALLOW(getpeername, E), ALLOW(getsockopt, E), ALLOW(setsockopt, E, IS(1, SOL_SOCKET)),

#if defined(__x86_64__)
    // Calls that aarch64 never had.
    ALLOW(poll, ALL), ALLOW(time, ALL), ALLOW(arch_prctl, ALL), ALLOW(access, FILES), ALLOW(stat, FILES), ALLOW(lstat, FILES),
    ALLOW(readlink, FILES), ALLOW(getdents, FILES), ALLOW(dup2, FILES), ALLOW(pipe, FILES), ALLOW(getrlimit, FILES),
    ALLOW(setrlimit, FILES), ALLOW(open, L, BITS(1, O_ACCMODE | O_CREAT | O_TRUNC, 0)), ALLOW(open, E, BITS(1, O_TRUNC, 0)),
    ALLOW(open, E, BITS(1, O_ACCMODE, O_WRONLY)), ALLOW(open, E, BITS(1, O_ACCMODE, O_RDWR)),
    ALLOW(creat, E), ALLOW(select, E), ALLOW(epoll_create, E), ALLOW(epoll_wait, E),
    ALLOW(eventfd, E), ALLOW(signalfd, E), ALLOW(getpgrp, E), ALLOW(alarm, E),
    ALLOW(pause, E), ALLOW(fork, E), ALLOW(vfork, E),
#endif

    // Without a network: what reaches past its namespaces.
    ALLOW(socket, X, IN(0, own_rings)), REFUSE(socket, X, EAFNOSUPPORT),
    REFUSE(ioctl, X, EPERM, IN(1, keys_into_terminal)),
    // With the capabilities of a namespace that it makes, a process sets its own /proc/PID/exe, by which the service knows it.
    REFUSE(prctl, X, EPERM, IS(0, PR_SET_MM)),
    // Operations of a ring, such as opening sockets, evade every filter.
    REFUSE(io_uring_setup, X, ENOSYS),
    // The session's keys are shared with programs that have a network.
    REFUSE(add_key, X, EPERM), REFUSE(request_key, X, EPERM), REFUSE(keyctl, X, EPERM),
};

// Refused in VG_NO_NETWORK, too, if it has no separate IPC namespace.
static const int shared_queues[] = {
    SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop,
    SYS_semtimedop, SYS_semctl, SYS_mq_open, SYS_mq_unlink,
};

// Later calls are ENOSYS, so that programs turn to earlier ones.
#define LAST_KNOWN_CALL 450
