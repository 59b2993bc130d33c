#define _GNU_SOURCE
#include "capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int vg_keep_capabilities(void) {
    // ENOSYS or EINVAL: a kernel without ambient capabilities cannot pass any on.
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL) return errno;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capget, &header, sets) < 0) return errno;
    for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++) sets[half].inheritable = 0;
    return syscall(SYS_capset, &header, sets) < 0 ? errno : 0;
}
