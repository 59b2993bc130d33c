#define _GNU_SOURCE
#include "confinement.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

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

int vg_drop_privileges(void) {
    int error = vg_drop_capabilities();
    if (!error) error = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? errno : 0;
    // Without a recent Landlock signals to other processes of the user stay possible.
    if (!error) error = vg_sandbox_files(VG_NO_NETWORK, NULL);
    if (error == ENOSYS) error = 0;
    return error ? error : vg_sandbox_calls(VG_NO_NETWORK);
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
