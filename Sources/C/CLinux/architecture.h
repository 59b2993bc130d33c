// The architecture of the system call filters (seccomp(2)).
#pragma once
#include <linux/audit.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The system call filters are written for x86_64 and aarch64."
#endif
