#pragma once

#include <stdint.h>

// A file layer for SQLite (a VFS shim, https://sqlite.org/vfs.html) that counts what is done to the disk, lets calls fail,
// and can end the process as a power cut would.
//
// A cut: whatever was written, cut off, made or removed since the file's last sync is on the disk or not, or in parts of 512
// bytes, by chance. The surviving data is in its own folder.

// To be called once, before any database is opened.
void faulty_disk_install(void);

// Syncs so far, and all calls that change the disk (writes, syncs, truncations, removals).
long faulty_disk_syncs(void);
long faulty_disk_calls(void);

enum faulty_disk_fault {
    // No room: writes fail so, and whatever else with an error of the disk.
    faulty_disk_full,
    faulty_disk_broken,
};

// Lets the call after the next `number` ones fail, or all from that on.
void faulty_disk_fail_call(long number, enum faulty_disk_fault fault, int from_then_on);

// What failed first: "write", "sync", "truncation" or "removal"; NULL when nothing did.
const char *faulty_disk_failed(void);

// The same, as an error of the disk, for the sync after the next `number` ones; once.
void faulty_disk_fail_sync(long number);

// Calls no longer fail.
void faulty_disk_recover(void);

// Ends the process with exit code 9 at the call with that number. `survivors` holds a copy of the database's folder as it
// is now, or, after a process that was killed, as the disk has it; the files beside the database are put there as they are at
// that moment. With a seed of 0 nothing survives that was not synced.
void faulty_disk_cut(long number, uint64_t seed, const char *survivors);
