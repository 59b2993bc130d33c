#pragma once

// Keeps the capabilities of this thread to this program: what it starts has none of them (capabilities(7), ambient and
// inheritable sets). For a process with one thread; later threads inherit it. Returns 0 or an errno.
int vg_keep_capabilities(void);
