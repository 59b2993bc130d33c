#include "CSQLite.h"

#include <stdlib.h>

int csqlite_set_checkpoint_on_close(sqlite3 *database, int is_on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !is_on, (int *)0);
}

void csqlite_reserve_write_ahead_log(sqlite3 *database, int size) {
    sqlite3_file *log = NULL;
    sqlite3_int64 used = -1;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) || !log || !log->pMethods) return;
    if (log->pMethods->xFileSize(log, &used) || used != 0) return;
    void *zeros = calloc(1, (size_t)size);
    if (!zeros) return;
    if (log->pMethods->xWrite(log, zeros, size, 0) || log->pMethods->xSync(log, SQLITE_SYNC_NORMAL))
        log->pMethods->xTruncate(log, 0);
    free(zeros);
}
