#define _GNU_SOURCE
#include "survivors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { sector = 512, path_size = 512 };

// What was done to a file since its last sync.
struct change {
    struct change *next;
    sqlite3_int64 offset;
    // -1: the file was cut off at the offset.
    int length;
    unsigned char bytes[];
};

// A file whose durable contents are in the folder of survivors.
struct tracked {
    struct tracked *next;
    char path[path_size];
    char survivor[path_size];
    struct change *first, **last;
    // Its name is on the disk.
    int is_named;
    // SQLite syncs the folder with the first sync of a journal that it made (os_unix.c, UNIXFILE_DIRSYNC).
    int syncs_folder;
    int is_removed;
};

static uint64_t random_state;
static int keeps_nothing;
static char survivors[path_size];
static struct tracked *all_tracked;

// splitmix64, so that a seed tells the whole cut.
static uint64_t random_number(void) {
    uint64_t value = random_state += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

static void give_up(const char *what, const char *path) {
    fprintf(stderr, "faulty disk: %s %s: %s\n", what, path, strerror(errno));
    _exit(71);
}

static void write_part(int file, const struct change *change, int from, int length, const char *path) {
    if (pwrite(file, change->bytes + from, (size_t)length, change->offset + from) != length) give_up("write", path);
}

// Each part that lies in one sector is there or not.
static void write_torn(int file, const struct change *change, const char *path) {
    for (int from = 0; from < change->length;) {
        int length = sector - (int)((change->offset + from) % sector);
        if (length > change->length - from) length = change->length - from;
        if (random_number() & 1) write_part(file, change, from, length, path);
        from += length;
    }
}

enum fate { every_change, no_change, by_chance };

static void settle(struct tracked *tracked, enum fate fate) {
    if (!tracked->first && fate != every_change) return;
    int file = open(tracked->survivor, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) give_up("open", tracked->survivor);
    while (tracked->first) {
        struct change *change = tracked->first;
        unsigned chance = fate == by_chance ? (unsigned)(random_number() % 4) : fate == every_change ? 0 : 3;
        if (change->length < 0) {
            if (chance < 2 && ftruncate(file, change->offset) < 0) give_up("truncate", tracked->survivor);
        } else if (chance == 0) {
            write_part(file, change, 0, change->length, tracked->survivor);
        } else if (chance < 3) {
            write_torn(file, change, tracked->survivor);
        }
        tracked->first = change->next;
        free(change);
    }
    tracked->last = &tracked->first;
    close(file);
}

static void sync_folder(void) {
    for (struct tracked *tracked = all_tracked; tracked; tracked = tracked->next) {
        if (tracked->is_removed) unlink(tracked->survivor);
        tracked->is_named = !tracked->is_removed;
        if (!tracked->is_named) continue;
        // Its name is there, whatever is of its contents.
        int file = open(tracked->survivor, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0) give_up("make", tracked->survivor);
        close(file);
    }
}

// The files that are not SQLite's: each is replaced as a whole, and durable when it was.
static void keep_other(const char *name, const char *folder) {
    char from[path_size + 64], to[path_size + 64], bytes[65536];
    snprintf(from, sizeof from, "%s/%s", folder, name);
    snprintf(to, sizeof to, "%s/%s", survivors, name);
    int source = open(from, O_RDONLY | O_CLOEXEC);
    if (source < 0) return;
    ssize_t count = read(source, bytes, sizeof bytes);
    int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (count < 0 || target < 0 || write(target, bytes, (size_t)count) != count) give_up("copy", from);
    close(source);
    close(target);
}

void survivors_cut(void) {
    char folder[path_size] = "";
    // Often all or nothing of a file is what is hardest to bear.
    for (struct tracked *tracked = all_tracked; tracked; tracked = tracked->next) {
        unsigned chance = keeps_nothing ? 1 : (unsigned)(random_number() % 4);
        settle(tracked, chance == 0 ? every_change : chance == 1 ? no_change : by_chance);
        if ((tracked->is_removed || !tracked->is_named) && random_number() & 1) unlink(tracked->survivor);
        if (!folder[0]) {
            strcpy(folder, tracked->path);
            *strrchr(folder, '/') = 0;
        }
    }
    if (folder[0]) {
        keep_other("consent.key", folder);
        keep_other("consent.checkpoint", folder);
    }
    _exit(9);
}

void survivors_note(struct tracked *tracked, const void *bytes, int length, sqlite3_int64 offset) {
    if (!tracked) return;
    struct change *change = malloc(sizeof *change + (size_t)(length > 0 ? length : 0));
    if (!change) give_up("remember", tracked->path);
    change->next = NULL;
    change->offset = offset;
    change->length = length;
    if (length > 0) memcpy(change->bytes, bytes, (size_t)length);
    *tracked->last = change;
    tracked->last = &change->next;
}

// What a process that was killed had not synced: the file is as it left it, the survivor as the disk has it. Call it before
// any lock is taken: closing a file gives them up.
static void note_left(struct tracked *tracked) {
    unsigned char now[sector], durable[sector];
    int file = open(tracked->path, O_RDONLY | O_CLOEXEC), survivor = open(tracked->survivor, O_RDONLY | O_CLOEXEC);
    if (file < 0) give_up("open", tracked->path);
    off_t size = lseek(file, 0, SEEK_END);
    if (survivor >= 0 && lseek(survivor, 0, SEEK_END) > size) survivors_note(tracked, NULL, -1, size);
    for (off_t offset = 0; offset < size; offset += sector) {
        ssize_t length = pread(file, now, sector, offset);
        if (length < 0) give_up("read", tracked->path);
        if (survivor >= 0 && pread(survivor, durable, (size_t)length, offset) == length &&
            !memcmp(now, durable, (size_t)length))
            continue;
        survivors_note(tracked, now, (int)length, offset);
    }
    close(file);
    if (survivor >= 0) close(survivor);
}

struct tracked *survivors_track(const char *path, int is_journal) {
    if (!survivors[0]) return NULL;
    struct tracked *tracked = all_tracked;
    while (tracked && strcmp(tracked->path, path)) tracked = tracked->next;
    if (!tracked) {
        tracked = calloc(1, sizeof *tracked);
        if (!tracked) give_up("remember", path);
        tracked->last = &tracked->first;
        tracked->next = all_tracked;
        all_tracked = tracked;
        snprintf(tracked->path, sizeof tracked->path, "%s", path);
        snprintf(tracked->survivor, sizeof tracked->survivor, "%s%s", survivors, strrchr(path, '/'));
        tracked->is_named = access(tracked->survivor, F_OK) == 0;
        tracked->syncs_folder = is_journal && !tracked->is_named;
        note_left(tracked);
    } else if (tracked->is_removed) {
        // Another file of the same name: the former one is gone from here on.
        unlink(tracked->survivor);
        tracked->is_removed = tracked->is_named = 0;
        tracked->syncs_folder = is_journal;
    }
    return tracked;
}

void survivors_begin(const char *folder, uint64_t seed) {
    random_state = seed;
    keeps_nothing = seed == 0;
    snprintf(survivors, sizeof survivors, "%s", folder);
}

void survivors_sync(struct tracked *tracked) {
    if (!tracked) return;
    settle(tracked, every_change);
    if (tracked->syncs_folder) sync_folder();
    tracked->syncs_folder = 0;
}

void survivors_remove(const char *path, int syncs_folder) {
    for (struct tracked *tracked = all_tracked; tracked; tracked = tracked->next) {
        if (strcmp(tracked->path, path)) continue;
        settle(tracked, no_change);
        tracked->is_removed = 1;
    }
    if (syncs_folder) sync_folder();
}
