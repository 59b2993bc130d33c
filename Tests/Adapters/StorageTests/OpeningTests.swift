import Consent
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

struct OpeningTests {
    private let directory = TemporaryDirectory()

    private func refusal(_ path: String? = nil) -> StorageError.Code? {
        #expect(throws: StorageError.self) { try SQLiteStorage(directory: path ?? directory.state) }?.code
    }

    @Test("the writer syncs fully, wipes what it deletes, and keeps to its foreign keys")
    func pragmas() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        let read = try await storage.queue.write { database in
            try ["synchronous", "secure_delete", "foreign_keys", "journal_mode"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        #expect(read == ["2", "1", "1", "wal"])
    }

    @Test(
        "a directory that others may write is refused and left as it is", arguments: [0o777, 0o770, 0o1777] as [mode_t])
    func openToOthers(_ mode: mode_t) {
        mkdir(directory.state, 0o700)
        chmod(directory.state, mode)
        #expect(refusal() == .cannotOpen)
        #expect(directory.mode(of: directory.state) == mode & 0o777)
        #expect(!FileManager.default.fileExists(atPath: directory.database))
    }

    @Test("directory and files are the owner's alone")
    func modes() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        _ = try await ConsentLog.open(storage: storage)
        #expect(directory.mode(of: directory.state) == 0o700)
        for name in ["consent.sqlite", "consent.sqlite-wal", "consent.sqlite-shm", "consent.lock"] {
            #expect(directory.mode(of: directory.state + "/" + name) == 0o600, "\(name)")
        }
    }

    @Test("directories on the way are made")
    func nested() throws {
        _ = try SQLiteStorage(directory: directory.path + "/a/b/c")
        #expect(directory.mode(of: directory.path + "/a") == 0o700)
    }

    @Test("a second service is refused while the first one runs, and not afterwards")
    func lock() throws {
        let first = try SQLiteStorage(directory: directory.state)
        #expect(refusal() == .locked)
        try first.close()
        // The lock is free although the value is there.
        try SQLiteStorage(directory: directory.state).close()
        withExtendedLifetime(first) {}
    }

    @Test(
        "no file is opened through a symbolic link, and the link's target is not touched",
        arguments: ["consent.sqlite", "consent.sqlite-wal", "consent.sqlite-shm", "consent.lock"])
    func links(_ name: String) throws {
        let target = directory.path + "/target"
        try Data("precious".utf8).write(to: URL(filePath: target))
        mkdir(directory.state, 0o700)
        symlink(target, directory.state + "/" + name)
        #expect(refusal() == .cannotOpen)
        #expect(try Data(contentsOf: URL(filePath: target)) == Data("precious".utf8))
    }

    @Test(
        "a directory or a file of another user is refused",
        .enabled(if: geteuid() == 0, "needs root to give files away"))
    func owners() throws {
        mkdir(directory.state, 0o700)
        chown(directory.state, 1234, 1234)
        #expect(refusal() == .cannotOpen)
        chown(directory.state, 0, 0)
        try Data().write(to: URL(filePath: directory.database))
        chown(directory.database, 1234, 1234)
        #expect(refusal() == .cannotOpen)
    }

    @Test("a path that is not a directory, and one that cannot be made, are refused")
    func noDirectory() throws {
        try Data().write(to: URL(filePath: directory.path + "/file"))
        #expect(refusal(directory.path + "/file") == .cannotOpen)
        #expect(refusal(directory.path + "/file/state") == .cannotOpen)
        #expect(refusal("/proc/voicegate") == .cannotOpen)
        #expect(refusal("") == .cannotOpen)
    }

    @Test(
        "a directory that may not be written is refused", .enabled(if: geteuid() != 0, "root may write to any folder"))
    func notWritable() throws {
        chmod(directory.path, 0o500)
        defer { chmod(directory.path, 0o700) }
        #expect(refusal() == .notWritable)
    }

    @Test("a file that is not a database is refused and left as it is")
    func noDatabase() throws {
        mkdir(directory.state, 0o700)
        let bytes = Data(String(repeating: "no database ", count: 500).utf8)
        try bytes.write(to: URL(filePath: directory.database))
        #expect(refusal() == .corrupt)
        #expect(try Data(contentsOf: URL(filePath: directory.database)) == bytes)
    }

    @Test("a file of a later version is refused")
    func later() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        try await storage.queue.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('1000')")
        }
        try storage.close()
        // In another place, because the storage still holds the lock of the first.
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: directory.state, toPath: copy)
        #expect(refusal(copy) == .schemaTooNew)
    }

    @Test("the queries of a start use an index, however many sessions there were")
    func index() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        let steps = try await storage.queue.read {
            try Row.fetchAll(
                $0,
                sql: "EXPLAIN QUERY PLAN SELECT leaf FROM entries WHERE kind IN (?, ?) AND \(Schema.isIndexed) "
                    + "AND position >= ? AND position < ? ORDER BY position DESC LIMIT 1",
                arguments: ["service.muted", "b", 0, 5]
            ).map { $0["detail"] as String }
        }
        #expect(steps.contains { $0.contains("entries_of_kind") }, "\(steps)")
    }
}
