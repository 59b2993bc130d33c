// What a program in a role would do to reach outside. Each is one act on `outside`, made in its own process.
#define _GNU_SOURCE
#include "probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <mqueue.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPT(name) static int name(const struct outside *o __attribute__((unused)))

static const char *in(const struct outside *o, const char *name) {
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", o->folder, name);
    return path;
}

static int opened(int descriptor) { return descriptor < 0 ? -1 : 0; }

// Files.
ATTEMPT(read_file) { return opened(open(in(o, "letter"), O_RDONLY)); }
ATTEMPT(list_folder) { return opened(open(o->folder, O_RDONLY | O_DIRECTORY)); }
ATTEMPT(write_file) { return opened(open(in(o, "letter"), O_WRONLY)); }
ATTEMPT(append_file) { return opened(open(in(o, "letter"), O_WRONLY | O_APPEND)); }
ATTEMPT(empty_by_open) { return opened(open(in(o, "letter"), O_RDONLY | O_TRUNC)); }
ATTEMPT(empty_readable) { return opened(open(in(o, "readable/model"), O_RDONLY | O_TRUNC)); }
ATTEMPT(empty_readable_3) { return opened(open(in(o, "readable/model"), 3 | O_TRUNC)); }
ATTEMPT(create_file) { return opened(open(in(o, "new"), O_WRONLY | O_CREAT, 0600)); }
ATTEMPT(create_in_readable) { return opened(open(in(o, "readable/new"), O_WRONLY | O_CREAT, 0600)); }
ATTEMPT(create_unnamed) { return opened(open(o->folder, O_TMPFILE | O_RDWR, 0600)); }
ATTEMPT(create_shared_memory) { return opened(open("/dev/shm/voicegate-probe", O_RDWR | O_CREAT, 0600)); }
ATTEMPT(open_by_openat2) {
    const unsigned long long how[3] = {O_RDONLY};
    return opened((int)syscall(437, AT_FDCWD, in(o, "letter"), how, sizeof how));
}
ATTEMPT(truncate_path) { return truncate(in(o, "letter"), 0); }
ATTEMPT(truncate_readable) { return truncate(in(o, "readable/model"), 0); }
ATTEMPT(change_mode) { return chmod(in(o, "letter"), 0666); }
ATTEMPT(change_mode_at) { return fchmodat(AT_FDCWD, in(o, "letter"), 0666, 0); }
ATTEMPT(change_mode_of_descriptor) { return fchmod(open(in(o, "readable/model"), O_RDONLY), 0666); }
ATTEMPT(change_owner) { return chown(in(o, "letter"), getuid(), getgid()); }
ATTEMPT(change_owner_of_link) { return lchown(in(o, "letter"), getuid(), getgid()); }
ATTEMPT(change_owner_at) { return fchownat(AT_FDCWD, in(o, "letter"), getuid(), getgid(), 0); }
ATTEMPT(change_owner_of_descriptor) { return fchown(open(in(o, "readable/model"), O_RDONLY), getuid(), getgid()); }
ATTEMPT(set_attribute) { return setxattr(in(o, "letter"), "user.probe", "1", 1, 0); }
ATTEMPT(set_attribute_of_link) { return lsetxattr(in(o, "letter"), "user.probe", "1", 1, 0); }
ATTEMPT(set_attribute_of_descriptor) {
    return fsetxattr(open(in(o, "readable/model"), O_RDONLY), "user.probe", "1", 1, 0);
}
ATTEMPT(remove_attribute) { return removexattr(in(o, "letter"), "user.none"); }
ATTEMPT(set_times) { return utimensat(AT_FDCWD, in(o, "letter"), NULL, 0); }
ATTEMPT(set_times_of_descriptor) { return futimens(open(in(o, "readable/model"), O_RDONLY), NULL); }
ATTEMPT(link_file) { return link(in(o, "letter"), in(o, "new")); }
ATTEMPT(link_symbolically) { return symlink("/etc/passwd", in(o, "new")); }
ATTEMPT(rename_file) { return rename(in(o, "letter"), in(o, "new")); }
ATTEMPT(exchange_files) { return renameat2(AT_FDCWD, in(o, "letter"), AT_FDCWD, in(o, "readable/model"), RENAME_EXCHANGE); }
ATTEMPT(remove_file) { return unlink(in(o, "letter")); }
ATTEMPT(make_folder) { return mkdir(in(o, "new"), 0700); }
ATTEMPT(remove_folder) { return rmdir(in(o, "empty")); }
ATTEMPT(make_pipe_file) { return mknod(in(o, "new"), S_IFIFO | 0600, 0); }
ATTEMPT(make_device) { return mknod(in(o, "new"), S_IFCHR | 0600, 0x103); }
ATTEMPT(watch_folder) {
    int watch = inotify_init1(0);
    return watch < 0 ? -1 : opened(inotify_add_watch(watch, o->folder, IN_MODIFY));
}
ATTEMPT(open_by_handle) {
    struct {
        struct file_handle handle;
        char bytes[128];
    } place = {.handle.handle_bytes = 128};
    int mount;
    if (name_to_handle_at(AT_FDCWD, in(o, "letter"), &place.handle, &mount, 0) < 0) return -1;
    return opened(open_by_handle_at(open(in(o, "readable"), O_RDONLY), &place.handle, O_RDONLY));
}
ATTEMPT(change_root) { return chroot(o->folder); }
ATTEMPT(mount_folder) { return mount("tmpfs", in(o, "empty"), "tmpfs", 0, NULL); }
ATTEMPT(unmount_folder) { return umount2(in(o, "empty"), 0); }
ATTEMPT(copy_mount) { return opened((int)syscall(428, AT_FDCWD, o->folder, 1 /* OPEN_TREE_CLONE */)); }
ATTEMPT(open_file_system) { return opened((int)syscall(430, "tmpfs", 0)); }
ATTEMPT(pivot) { return (int)syscall(SYS_pivot_root, o->folder, o->folder); }
ATTEMPT(set_quota) { return (int)syscall(SYS_quotactl, 0x80000700, "/none", 0, NULL); }
ATTEMPT(swap) { return (int)syscall(SYS_swapon, "/none", 0); }
ATTEMPT(account) { return (int)syscall(SYS_acct, "/none/none"); }

// Signals: done if the victim dies.
static int is_dead(const struct outside *o, long result) {
    if (result < 0) return -1;
    for (int tries = 0; tries < 100; tries++) {
        if (access(in(o, "dead"), F_OK) == 0) return 0;
        usleep(2000);
    }
    errno = ETIMEDOUT;
    return -1;
}
static siginfo_t queued(void) {
    siginfo_t information;
    memset(&information, 0, sizeof information);
    information.si_signo = SIGKILL;
    information.si_code = SI_QUEUE;
    return information;
}
ATTEMPT(signal_kill) { return is_dead(o, kill(o->victim, SIGKILL)); }
ATTEMPT(signal_tkill) { return is_dead(o, syscall(SYS_tkill, o->victim, SIGKILL)); }
ATTEMPT(signal_tgkill) { return is_dead(o, syscall(SYS_tgkill, o->victim, o->victim, SIGKILL)); }
ATTEMPT(signal_queue) {
    siginfo_t information = queued();
    return is_dead(o, syscall(SYS_rt_sigqueueinfo, o->victim, SIGKILL, &information));
}
ATTEMPT(signal_queue_to_thread) {
    siginfo_t information = queued();
    return is_dead(o, syscall(SYS_rt_tgsigqueueinfo, o->victim, o->victim, SIGKILL, &information));
}
ATTEMPT(signal_by_pidfd) {
    int victim = (int)syscall(SYS_pidfd_open, o->victim, 0);
    return victim < 0 ? -1 : is_dead(o, syscall(SYS_pidfd_send_signal, victim, SIGKILL, NULL, 0));
}
ATTEMPT(signal_by_descriptor) {
    int ends[2];
    if (pipe2(ends, 0) < 0 || fcntl(ends[0], F_SETOWN, o->victim) < 0 || fcntl(ends[0], F_SETSIG, SIGKILL) < 0 ||
        fcntl(ends[0], F_SETFL, O_ASYNC) < 0)
        return -1;
    return is_dead(o, write(ends[1], "x", 1));
}
ATTEMPT(signal_by_ioctl) {
    int pair[2], on = 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 || ioctl(pair[0], FIOSETOWN, &o->victim) < 0 ||
        ioctl(pair[0], FIOASYNC, &on) < 0)
        return -1;
    return is_dead(o, write(pair[1], "x", 1));
}

// Other processes.
ATTEMPT(trace) { return (int)ptrace(PTRACE_ATTACH, o->victim, NULL, NULL); }
ATTEMPT(seize) { return (int)ptrace(PTRACE_SEIZE, o->victim, NULL, NULL); }
// The victim has its first page mapped at this address.
static char there[16];
static struct iovec here(void) { return (struct iovec){there, sizeof there}; }
ATTEMPT(read_memory) {
    struct iovec mine = here(), its = {(void *)0x10000000, 16};
    return process_vm_readv(o->victim, &mine, 1, &its, 1, 0) < 0 ? -1 : 0;
}
ATTEMPT(write_memory) {
    struct iovec mine = here(), its = {(void *)0x10000000, 16};
    return process_vm_writev(o->victim, &mine, 1, &its, 1, 0) < 0 ? -1 : 0;
}
ATTEMPT(advise_memory) {
    struct iovec its = {(void *)0x10000000, 4096};
    int victim = (int)syscall(SYS_pidfd_open, o->victim, 0);
    return victim < 0 || syscall(440, victim, &its, 1, MADV_COLD, 0) < 0 ? -1 : 0;
}
ATTEMPT(open_memory) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", o->victim);
    return opened(open(path, O_RDWR));
}
ATTEMPT(read_environment) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", o->victim);
    return opened(open(path, O_RDONLY));
}
ATTEMPT(take_descriptor) {
    int victim = (int)syscall(SYS_pidfd_open, o->victim, 0);
    return victim < 0 ? -1 : opened((int)syscall(438, victim, 0, 0));
}
ATTEMPT(compare) { return (int)syscall(SYS_kcmp, o->victim, o->victim, 0, 0, 0) < 0 ? -1 : 0; }
ATTEMPT(limit_another) { return prlimit(o->victim, RLIMIT_NOFILE, &(struct rlimit){1, 1}, NULL); }
ATTEMPT(slow_another) { return setpriority(PRIO_PROCESS, (id_t)o->victim, 19); }
ATTEMPT(bind_another) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return sched_setaffinity(o->victim, sizeof set, &set);
}
ATTEMPT(reschedule_another) {
    return sched_setscheduler(o->victim, SCHED_IDLE, &(struct sched_param){0});
}
ATTEMPT(ioprio_of_another) { return (int)syscall(SYS_ioprio_set, 1, o->victim, 3 << 13); }
ATTEMPT(migrate_another) {
    unsigned long node = 1;
    return (int)syscall(SYS_migrate_pages, o->victim, 2, &node, &node) < 0 ? -1 : 0;
}
ATTEMPT(move_pages_of_another) { return (int)syscall(SYS_move_pages, o->victim, 0, NULL, NULL, NULL, 0); }

// Sockets and queues.
static int reach(int type, const char *path, int is_abstract) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + is_abstract, path, sizeof address.sun_path - 2);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)is_abstract + strlen(path));
    int end = socket(AF_UNIX, type, 0);
    return end < 0 ? -1 : connect(end, (struct sockaddr *)&address, length);
}
ATTEMPT(connect_path) { return reach(SOCK_STREAM, in(o, "stream"), 0); }
ATTEMPT(connect_abstract) { return reach(SOCK_STREAM, o->folder, 1); }
ATTEMPT(send_datagram) { return reach(SOCK_DGRAM, in(o, "datagram"), 0); }
ATTEMPT(send_datagram_from_pair) {
    int pair[2];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, in(o, "datagram"), sizeof address.sun_path - 1);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0) return -1;
    return sendto(pair[0], "x", 1, 0, (struct sockaddr *)&address, sizeof address) < 0 ? -1 : 0;
}
ATTEMPT(connect_internet) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)o->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int end = socket(AF_INET, SOCK_STREAM, 0);
    return end < 0 ? -1 : connect(end, (struct sockaddr *)&address, sizeof address);
}
ATTEMPT(listen_internet) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    int end = socket(AF_INET, SOCK_STREAM, 0);
    return end < 0 ? -1 : bind(end, (struct sockaddr *)&address, sizeof address) || listen(end, 1);
}
static int any_of(const int *families, int count) {
    for (int index = 0; index < count; index++)
        for (int type = 1; type <= 5; type++)
            if (socket(families[index], type, 0) >= 0) return 0;
    errno = EPERM;
    return -1;
}
ATTEMPT(make_common_socket) { return any_of((int[]){AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}, 4); }
ATTEMPT(make_other_socket) {
   
    int others[64], count = 0;
    for (int family = 3; family < 64; family++)
        if (family != AF_INET6 && family != AF_NETLINK) others[count++] = family;
    return any_of(others, count);
}
ATTEMPT(message_queue) {
    struct {
        long type;
        char text[4];
    } message = {1, "abc"};
    int queue = msgget(o->key, 0);
    return queue < 0 ? -1 : msgsnd(queue, &message, sizeof message.text, IPC_NOWAIT);
}
ATTEMPT(make_message_queue) {
   
    int queue = msgget(IPC_PRIVATE, 0600);
    return queue < 0 ? -1 : msgctl(queue, IPC_RMID, NULL);
}
ATTEMPT(shared_memory) {
    int segment = shmget(o->key, 0, 0);
    return segment < 0 || shmat(segment, NULL, 0) == (void *)-1 ? -1 : 0;
}
ATTEMPT(semaphore) {
    int set = semget(o->key, 0, 0);
    return set < 0 ? -1 : semctl(set, 0, SETVAL, 1);
}
ATTEMPT(posix_queue) {
    char name[32];
    snprintf(name, sizeof name, "/%d", o->key);
    return opened((int)mq_open(name, O_WRONLY));
}

// Keyrings.
ATTEMPT(add_key) { return opened((int)syscall(SYS_add_key, "user", "voicegate-probe", "x", 1, -3)); }
ATTEMPT(search_keys) { return opened((int)syscall(SYS_keyctl, 0 /* GET_KEYRING_ID */, -3, 0)); }
ATTEMPT(request_key) { return opened((int)syscall(SYS_request_key, "user", "voicegate-none", NULL, 0)); }

// Namespaces and processes.
ATTEMPT(unshare_users) { return unshare(CLONE_NEWUSER); }
ATTEMPT(unshare_mounts) { return unshare(CLONE_NEWNS); }
ATTEMPT(enter_namespace) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/net", o->victim);
    int space = open(path, O_RDONLY);
    return space < 0 ? -1 : setns(space, 0);
}
ATTEMPT(enter_namespaces_of) {
    int victim = (int)syscall(SYS_pidfd_open, o->victim, 0);
    return victim < 0 ? -1 : setns(victim, CLONE_NEWNET | CLONE_NEWIPC);
}
static int ended(long child) {
    if (child == 0) _exit(0);
    return child < 0 ? -1 : 0;
}
ATTEMPT(clone_with_users) { return ended(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)); }
ATTEMPT(clone3_with_users) {
   
    unsigned long long arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    return ended(syscall(435, arguments, sizeof arguments));
}
ATTEMPT(clone_beside) { return ended(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)); }
ATTEMPT(start_child) { return ended(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
ATTEMPT(run_shell) {
   
    return execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL);
}
ATTEMPT(run_from_memory) {
   
    int file = memfd_create("probe", 0);
    if (file < 0 || write(file, "#!/bin/sh\n", 10) != 10) return -1;
    return (int)syscall(SYS_execveat, file, "", (char *[]){"x", NULL}, (char *[]){NULL}, AT_EMPTY_PATH);
}
ATTEMPT(leave_session) { return opened(setsid()); }
ATTEMPT(leave_group) { return setpgid(0, 0); }

// The kernel.
ATTEMPT(ring) {
   
    char parameters[256] = {0};
    return opened((int)syscall(425, 4, parameters));
}
ATTEMPT(bpf) { return (int)syscall(SYS_bpf, 0, (int[32]){2, 4, 4, 1}, 72) < 0 ? -1 : 0; }
ATTEMPT(perf) {
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attributes,
                                         .config = PERF_COUNT_SW_CPU_CLOCK};
    return opened((int)syscall(SYS_perf_event_open, &attributes, o->victim, -1, -1, 0));
}
ATTEMPT(fault_handler) { return opened((int)syscall(SYS_userfaultfd, O_CLOEXEC)); }
ATTEMPT(secret_memory) { return opened((int)syscall(447, 0)); }
ATTEMPT(terminal_input) { return ioctl(TERMINAL, TIOCSTI, "x"); }
ATTEMPT(console_input) { return ioctl(TERMINAL, TIOCLINUX, "\3"); }
ATTEMPT(open_terminal) { return opened(open("/dev/ptmx", O_RDWR | O_NOCTTY)); }
ATTEMPT(become_user) { return setuid(1); }
ATTEMPT(become_users) { return setresuid(1, 1, 1); }
ATTEMPT(become_group) { return setgid(1); }
ATTEMPT(join_groups) { return setgroups(1, (gid_t[]){1}); }
ATTEMPT(files_of_user) {
   
    setfsuid(1);
    return setfsuid((uid_t)-1) == 1 ? 0 : (errno = EPERM, -1);
}
ATTEMPT(raise_limit) { return setrlimit(RLIMIT_CORE, &(struct rlimit){1 << 20, RLIM_INFINITY}); }
ATTEMPT(reboot) { return (int)syscall(SYS_reboot, 0, 0, 0, NULL); }
ATTEMPT(load_kernel) { return (int)syscall(SYS_kexec_load, 0, 17, NULL, ~0ul); }
ATTEMPT(load_module) { return (int)syscall(SYS_init_module, NULL, 0, ""); }
ATTEMPT(load_module_file) { return (int)syscall(SYS_finit_module, -1, "", 0); }
ATTEMPT(remove_module) { return (int)syscall(SYS_delete_module, "voicegate_none", O_NONBLOCK); }
ATTEMPT(name_host) {
   
    char name[65];
    gethostname(name, sizeof name);
    return sethostname(name, strlen(name));
}
ATTEMPT(set_clock) { return clock_settime(CLOCK_MONOTONIC, &(struct timespec){0}); }
ATTEMPT(set_time) { return (int)syscall(SYS_settimeofday, (long[]){-1, -1}, NULL); }
// To what it is.
ATTEMPT(adjust_clock) {
   
    struct timex clock = {.modes = 0};
    if (adjtimex(&clock) < 0) return -1;
    clock.modes = ADJ_TICK;
    return adjtimex(&clock) < 0 ? -1 : 0;
}
ATTEMPT(change_personality) { return (int)syscall(SYS_personality, 0x0040000) < 0 ? -1 : 0; }
ATTEMPT(allow_tracing) { return prctl(PR_SET_DUMPABLE, 1); }
// The size of the kernel's structure, which anyone may ask for.
ATTEMPT(set_program) {
    unsigned size;
    return prctl(PR_SET_MM, PR_SET_MM_MAP_SIZE, &size, 0, 0);
}
ATTEMPT(adopt_orphans) { return prctl(PR_SET_CHILD_SUBREAPER, 1); }
ATTEMPT(read_kernel_log) { return (int)syscall(SYS_syslog, 10, NULL, 0) < 0 ? -1 : 0; }
ATTEMPT(watch_files) { return opened((int)syscall(SYS_fanotify_init, 0, 0)); }
ATTEMPT(all_memory) {
   
    return mmap(NULL, 20ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
                   MAP_FAILED
               ? -1
               : 0;
}
ATTEMPT(many_descriptors) {
   
    for (int count = 0; count < 1100; count++)
        if (fcntl(0, F_DUPFD, 0) < 0) return -1;
    return 0;
}
ATTEMPT(many_processes) {
   
    const pid_t parent = getpid();
    for (int count = 0; count < 600; count++) {
        long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child < 0) return -1;
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            while (getppid() == parent) pause();
            _exit(0);
        }
    }
    return 0;
}
ATTEMPT(large_file) {
   
    signal(SIGXFSZ, SIG_IGN);
    int file = memfd_create("probe", 0);
    return file < 0 ? -1 : ftruncate(file, 2l << 30);
}

#define TRY(name) {#name, name, 0}
#define ASK(name) {#name, name, 1}

const struct attempt attempts[] = {
    TRY(read_file), TRY(list_folder), TRY(write_file), TRY(append_file), TRY(empty_by_open), TRY(empty_readable),
    ASK(empty_readable_3), TRY(create_file), TRY(create_in_readable), TRY(create_unnamed), TRY(create_shared_memory),
    TRY(open_by_openat2), TRY(truncate_path), TRY(truncate_readable), TRY(change_mode), TRY(change_mode_at),
    TRY(change_mode_of_descriptor), TRY(change_owner), TRY(change_owner_of_link), TRY(change_owner_at),
    TRY(change_owner_of_descriptor), ASK(set_attribute), ASK(set_attribute_of_link), ASK(set_attribute_of_descriptor),
    ASK(remove_attribute), TRY(set_times), TRY(set_times_of_descriptor), TRY(link_file),
    TRY(link_symbolically), TRY(rename_file), TRY(exchange_files), TRY(remove_file),
    TRY(make_folder), TRY(remove_folder), TRY(make_pipe_file), TRY(make_device), TRY(watch_folder), TRY(open_by_handle),
    TRY(change_root), TRY(mount_folder), ASK(unmount_folder), TRY(copy_mount), TRY(open_file_system), ASK(pivot),
    ASK(set_quota), ASK(swap), ASK(account), TRY(signal_kill), TRY(signal_tkill), TRY(signal_tgkill), TRY(signal_queue),
    TRY(signal_queue_to_thread), TRY(signal_by_pidfd), TRY(signal_by_descriptor), TRY(signal_by_ioctl), TRY(trace),
    TRY(seize), TRY(read_memory), TRY(write_memory), TRY(advise_memory), TRY(open_memory), TRY(read_environment),
    TRY(take_descriptor), TRY(compare), TRY(limit_another), TRY(slow_another), TRY(bind_another),
    TRY(reschedule_another), TRY(ioprio_of_another), ASK(migrate_another), ASK(move_pages_of_another),
    TRY(connect_path), TRY(connect_abstract), TRY(send_datagram), TRY(send_datagram_from_pair), TRY(connect_internet),
    TRY(listen_internet), TRY(make_common_socket), TRY(make_other_socket), TRY(message_queue), TRY(make_message_queue),
    TRY(shared_memory), TRY(semaphore), TRY(posix_queue), TRY(add_key), TRY(search_keys), ASK(request_key),
    TRY(unshare_users), TRY(unshare_mounts), TRY(enter_namespace), TRY(enter_namespaces_of), TRY(clone_with_users),
    TRY(clone3_with_users), TRY(clone_beside), TRY(start_child), TRY(run_shell), TRY(run_from_memory),
    TRY(leave_session), TRY(leave_group), TRY(ring), ASK(bpf), TRY(perf), ASK(fault_handler), ASK(secret_memory),
    TRY(terminal_input), ASK(console_input), TRY(open_terminal), TRY(become_user), TRY(become_users), TRY(become_group),
    TRY(join_groups), TRY(files_of_user), TRY(raise_limit), ASK(reboot), ASK(load_kernel), ASK(load_module),
    ASK(load_module_file), ASK(remove_module), TRY(name_host), ASK(set_clock), ASK(set_time), TRY(adjust_clock),
    TRY(change_personality), TRY(allow_tracing), TRY(set_program), TRY(adopt_orphans), TRY(read_kernel_log),
    TRY(watch_files), TRY(all_memory), TRY(many_descriptors), TRY(many_processes), TRY(large_file),
};

const int attempt_count = sizeof attempts / sizeof attempts[0];
