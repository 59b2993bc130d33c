#pragma once

// Makes child programs start without this thread's capabilities (capabilities(7), ambient and inheritable sets). For a process
// with one thread; later threads inherit it. Returns 0 or an errno.
int vg_keep_capabilities(void);
