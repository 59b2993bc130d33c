// Confining a third-party recogniser before it starts.
#pragma once

// Confines this process permanently, also after exec: writing only to open descriptors, reading and executing only these files
// and folders, no sockets but pairs, no access to other processes. `readable` ends with NULL; missing paths are skipped.
// Returns 0, or an errno (ENOSYS or EOPNOTSUPP: no Landlock; then the program must not be started).
int vg_engine_confine(const char *const readable[]);

// Executes the command; its first string is the program. Returns only on failure, with the errno.
int vg_engine_become(const char *const command[]);
