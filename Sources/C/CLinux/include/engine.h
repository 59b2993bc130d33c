// Locking in a recogniser that is a program of somebody else, before it begins.
#pragma once

// From now on, also for the program that this process becomes: nothing can be written but to what is open, files can be
// read and run below these folders and files only, and no socket but a pair can be made, no other process looked into.
// `readable` ends with NULL; what is not there is passed over. Returns 0, or an errno (ENOSYS or EOPNOTSUPP: this kernel
// has no Landlock, and a program that cannot be locked in must not be started).
int vg_engine_confine(const char *const readable[]);

// Becomes the program that is the command's first string. Returns only where that fails, with the errno.
int vg_engine_become(const char *const command[]);
