#define _GNU_SOURCE
#include "faulty_disk.h"

#include <pthread.h>
#include <sqlite3.h>

#include "survivors.h"

struct faulty_file {
    sqlite3_file base;
    struct tracked *tracked;
    sqlite3_file *real;
};

static sqlite3_vfs *real_vfs;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static long syncs, calls;
static long failing_call = -1, failing_sync = -1;
static enum faulty_disk_fault failing_fault;
static int fails_from_then_on;
static const char *failed;
static long cut_call = -1;

static sqlite3_file *real_of(sqlite3_file *file) { return ((struct faulty_file *)file)->real; }

// SQLite's names for what an error of the disk interrupted, and ours.
static const struct kind {
    const char *name;
    int error;
} a_write = {"write", SQLITE_IOERR_WRITE}, a_sync = {"sync", SQLITE_IOERR_FSYNC},
  a_truncation = {"truncation", SQLITE_IOERR_TRUNCATE}, a_removal = {"removal", SQLITE_IOERR_DELETE};

// Called with the guard held, when the call was taken down but not made. SQLITE_OK: make the call.
static int count_call(const struct kind *kind) {
    long call = calls++;
    long sync = kind == &a_sync ? syncs++ : -1;
    if (cut_call >= 0 && call >= cut_call) survivors_cut();
    int fails = sync >= 0 && sync == failing_sync;
    if (failing_call >= 0 && (call == failing_call || (fails_from_then_on && call > failing_call))) fails = 1;
    if (!fails) return SQLITE_OK;
    if (!failed) failed = kind->name;
    return failing_fault == faulty_disk_full && kind == &a_write ? SQLITE_FULL : kind->error;
}

static int faulty_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    pthread_mutex_lock(&guard);
    // Before it is counted: a cut may come in the middle of it.
    survivors_note(((struct faulty_file *)file)->tracked, bytes, length, offset);
    int result = count_call(&a_write);
    if (result == SQLITE_OK) result = real_of(file)->pMethods->xWrite(real_of(file), bytes, length, offset);
    pthread_mutex_unlock(&guard);
    return result;
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
    pthread_mutex_lock(&guard);
    survivors_note(((struct faulty_file *)file)->tracked, NULL, -1, size);
    int result = count_call(&a_truncation);
    if (result == SQLITE_OK) result = real_of(file)->pMethods->xTruncate(real_of(file), size);
    pthread_mutex_unlock(&guard);
    return result;
}

static int faulty_sync(sqlite3_file *file, int flags) {
    pthread_mutex_lock(&guard);
    int result = count_call(&a_sync);
    if (result == SQLITE_OK) result = real_of(file)->pMethods->xSync(real_of(file), flags);
    if (result == SQLITE_OK) survivors_sync(((struct faulty_file *)file)->tracked);
    pthread_mutex_unlock(&guard);
    return result;
}

static int faulty_close(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }

static int faulty_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
    return real_of(file)->pMethods->xRead(real_of(file), bytes, length, offset);
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int faulty_lock(sqlite3_file *file, int level) { return real_of(file)->pMethods->xLock(real_of(file), level); }

static int faulty_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int faulty_reserved(sqlite3_file *file, int *result) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}

static int faulty_control(sqlite3_file *file, int operation, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int faulty_sector_size(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }

static int faulty_characteristics(sqlite3_file *file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

// The index of the write-ahead log lives in memory; a cut forgets it.
static int faulty_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extends, memory);
}

static int faulty_map_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void faulty_map_barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }

static int faulty_unmap(sqlite3_file *file, int removes) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), removes);
}

// Version 2: without xFetch, so that no write passes by unseen.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_reserved,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector_size,
    .xDeviceCharacteristics = faulty_characteristics,
    .xShmMap = faulty_map,
    .xShmLock = faulty_map_lock,
    .xShmBarrier = faulty_map_barrier,
    .xShmUnmap = faulty_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    struct faulty_file *faulty = (struct faulty_file *)file;
    faulty->real = (sqlite3_file *)(faulty + 1);
    int result = real_vfs->xOpen(real_vfs, path, faulty->real, flags, out_flags);
    faulty->base.pMethods = faulty->real->pMethods ? &methods : NULL;
    int is_journal = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    pthread_mutex_lock(&guard);
    faulty->tracked =
        result == SQLITE_OK && path && (is_journal || flags & SQLITE_OPEN_MAIN_DB) ? survivors_track(path, is_journal)
                                                                                : NULL;
    pthread_mutex_unlock(&guard);
    return result;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *path, int syncs_it) {
    (void)vfs;
    pthread_mutex_lock(&guard);
    int result = count_call(&a_removal);
    if (result == SQLITE_OK) result = real_vfs->xDelete(real_vfs, path, syncs_it);
    if (result == SQLITE_OK) survivors_remove(path, syncs_it);
    pthread_mutex_unlock(&guard);
    return result;
}

void faulty_disk_install(void) {
    static sqlite3_vfs shim;
    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs) return;
    shim = *real_vfs;
    shim.pNext = NULL;
    shim.zName = "faulty";
    shim.szOsFile = (int)sizeof(struct faulty_file) + real_vfs->szOsFile;
    shim.xOpen = faulty_open;
    shim.xDelete = faulty_delete;
    sqlite3_vfs_register(&shim, 1);
}

static long locked(const long *value) {
    pthread_mutex_lock(&guard);
    long result = *value;
    pthread_mutex_unlock(&guard);
    return result;
}

long faulty_disk_syncs(void) { return locked(&syncs); }
long faulty_disk_calls(void) { return locked(&calls); }

void faulty_disk_fail_call(long number, enum faulty_disk_fault fault, int from_then_on) {
    pthread_mutex_lock(&guard);
    failing_call = calls + number;
    failing_fault = fault;
    fails_from_then_on = from_then_on;
    pthread_mutex_unlock(&guard);
}

const char *faulty_disk_failed(void) {
    pthread_mutex_lock(&guard);
    const char *result = failed;
    pthread_mutex_unlock(&guard);
    return result;
}

void faulty_disk_fail_sync(long number) {
    pthread_mutex_lock(&guard);
    failing_sync = syncs + number;
    failing_fault = faulty_disk_broken;
    pthread_mutex_unlock(&guard);
}

void faulty_disk_recover(void) {
    pthread_mutex_lock(&guard);
    failing_call = failing_sync = -1;
    pthread_mutex_unlock(&guard);
}

void faulty_disk_cut(long number, uint64_t seed, const char *folder) {
    pthread_mutex_lock(&guard);
    survivors_begin(folder, seed);
    cut_call = number;
    pthread_mutex_unlock(&guard);
}
