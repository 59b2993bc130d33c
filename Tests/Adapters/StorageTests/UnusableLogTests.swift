import Consent
import Cryptography
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// Logs that cannot be gone on with: each is refused with its own code, and left as it was found.
@Suite(.serialized)
struct UnusableLogTests {
    private let directory = TemporaryDirectory()
    private var state: String { directory.state }
    private var database: String { directory.database }

    /// A signed log of this many records, closed in order.
    private func make(_ records: Int, at state: String, leavingWriteAheadLog: Bool = false) async throws {
        let storage = try await SQLiteStorage.reopened(state)
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: CheckpointFiles(directory: state))
        try await append(records, to: log)
        _ = try await log.signedCheckpoint()
        let copy = state + ".wal"
        if leavingWriteAheadLog {
            _ = try await log.records()
            try FileManager.default.copyItem(atPath: state + "/consent.sqlite-wal", toPath: copy)
        }
        try storage.close()
    }

    private func append(_ count: Int, to log: ConsentLog) async throws {
        for turn in 0..<count { try await log.recordFailure(in: "\(turn)") }
    }

    private func goOn(allowing options: LogStart.Options = []) async throws {
        let storage = try await SQLiteStorage.reopened(state)
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: CheckpointFiles(directory: state), allowing: options)
        try await append(3, to: log)
        #expect(try await log.verify().isIntact)
        _ = try await log.signedCheckpoint()
        try storage.close()
    }

    /// The name of the error's code; checks that it has what to do.
    private func refusal() async -> String? {
        do {
            try await goOn()
            return nil
        } catch let error as StorageError {
            #expect(error.message.contains("estore") || error.message.contains("nstall"), "\(error)")
            return error.code.rawValue
        } catch let error as ConsentError {
            let isResolved = error.message.contains("estore") || error.message.contains("nstall")
            #expect(isResolved || !error.resolvedBy.isEmpty, "\(error)")
            return error.code.rawValue
        } catch {
            return "\(error)"
        }
    }

    /// The bytes of all files but the lock and the index of the write-ahead log, which is memory.
    private func digests() throws -> [String: SHA256.Digest] {
        let names = try FileManager.default.contentsOfDirectory(atPath: state).filter {
            !$0.hasSuffix("-shm") && !$0.hasSuffix(".lock")
        }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, SHA256.hash(data: try Data(contentsOf: URL(filePath: state + "/" + $0))))
            })
    }

    private func expectRefusal(_ codes: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let before = try digests()
        let code = await refusal()
        #expect(codes.contains(code ?? "nothing"), "\(code ?? "nothing")", sourceLocation: sourceLocation)
        var after = try digests()
        // SQLite makes an empty one where there is none.
        let empty = SHA256.hash(data: Data())
        if before["consent.sqlite-wal"] == nil, after["consent.sqlite-wal"] == empty {
            after["consent.sqlite-wal"] = nil
        }
        #expect(after == before, sourceLocation: sourceLocation)
    }

    private func replaceDatabase(by file: String) throws {
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.copyItem(atPath: file, toPath: database)
    }

    /// Another key of the log's name in place of its own.
    private func replaceKey() async throws -> LogKeys {
        let signer = try #require(NoteSigner(name: try await name()))
        let other = try #require(LogKeys(signer: signer))
        unlink(state + "/consent.key")
        try await LogKeyFile(directory: state).replace(other)
        return other
    }

    private func overwrite(_ path: String, _ change: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: URL(filePath: path))
        change(&data)
        try data.write(to: URL(filePath: path))
        chmod(path, 0o600)
    }

    @Test("a database that is cut off is damaged")
    func cutOff() async throws {
        try await make(200, at: state)
        try overwrite(database) { $0 = Data($0.prefix($0.count / 2)) }
        try await expectRefusal("corrupt")
    }

    @Test("a database that is empty or not there is missed where one was signed, and a new one is not begun")
    func missing() async throws {
        try await make(20, at: state)
        try overwrite(database) { $0 = Data() }
        try await expectRefusal("logLost")
        unlink(database)
        try await expectRefusal("logLost")
        #expect(!FileManager.default.fileExists(atPath: database))
        unlink(state + "/consent.checkpoint")
        try await expectRefusal("logLost")
        unlink(state + "/consent.key")
        #expect(await refusal() == nil, "nothing is left that could tell")
    }

    @Test("a database whose records were all deleted is missed like an empty file, and nothing is written into it")
    func emptied() async throws {
        try await make(20, at: state)
        let queue = try DatabaseQueue(path: database)
        try await queue.write { database in
            for table in ["entries", "nodes", "tree"] { try database.execute(sql: "DELETE FROM \(table)") }
        }
        try queue.close()
        try await expectRefusal("logLost")
        unlink(state + "/consent.checkpoint")
        try await expectRefusal("logLost")
    }

    @Test("another log in its place is not the one that was signed")
    func anotherLog() async throws {
        try await make(20, at: state)
        try await make(30, at: directory.path + "/other")
        try replaceDatabase(by: directory.path + "/other/consent.sqlite")
        try await expectRefusal("keyLost")
        unlink(state + "/consent.key")
        try await expectRefusal("forked")
    }

    @Test("the same log with another past is not the one that was signed")
    func forked() async throws {
        try await make(20, at: state)
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        try await goOn()
        let storage = try SQLiteStorage(directory: copy)
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: CheckpointFiles(directory: copy))
        try await append(40, to: log)
        try storage.close()
        try replaceDatabase(by: copy + "/consent.sqlite")
        try await expectRefusal("forked")
    }

    @Test("an earlier state is refused, and continued if the administrator allows it, which is recorded")
    func earlier() async throws {
        try await make(20, at: state)
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: database, toPath: copy)
        try await goOn()
        try replaceDatabase(by: copy)
        try await expectRefusal("rolledBack")
        try await goOn(allowing: .acceptRestoredLog)
        try await goOn()
        let storage = try await SQLiteStorage.reopened(state)
        let records = try await ConsentLog.open(storage: storage).records()
        let recoveries = records.filter { $0.kind == "recovery" }
        #expect(recoveries.map { $0.fields["reason"]?.string } == ["restored"])
        #expect(recoveries.first?.fields["lastSigned"] != nil)
        try storage.close()
    }

    @Test("the write-ahead log of another database does not get into this one")
    func foreignWriteAheadLog() async throws {
        try await make(20, at: state)
        try await make(300, at: directory.path + "/other", leavingWriteAheadLog: true)
        try FileManager.default.copyItem(atPath: directory.path + "/other.wal", toPath: state + "/consent.sqlite-wal")
        let before = try digests()
        #expect(before["consent.sqlite-wal"] != SHA256.hash(data: Data()))
        try await expectRefusal("corrupt", "forked", "keyLost")
        // Without it all is as it was.
        unlink(state + "/consent.sqlite-wal")
        unlink(state + "/consent.sqlite-shm")
        try await goOn()
    }

    @Test("an earlier state is refused also without the checkpoint, without the key, and with another key of its name")
    func earlierWithoutTheRest() async throws {
        try await make(20, at: state)
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: database, toPath: copy)
        try await goOn()
        try replaceDatabase(by: copy)
        unlink(state + "/consent.checkpoint")
        try await expectRefusal("checkpointLost")
        unlink(state + "/consent.key")
        try await expectRefusal("checkpointLost")
        _ = try await replaceKey()
        try await expectRefusal("checkpointLost")
        await #expect(throws: ConsentError.self) { try await goOn(allowing: .acceptRestoredLog) }
        try await goOn(allowing: [.acceptRestoredLog, .replaceLostKey])
        try await goOn()
    }

    @Test("a lost key, a different one of its name, and one that is not a key, are refused")
    func key() async throws {
        try await make(20, at: state)
        let key = state + "/consent.key"
        try overwrite(key) { $0 = Data("no key\n".utf8) }
        try await expectRefusal("keyLost")
        unlink(key)
        try await expectRefusal("keyLost")
        let other = try await replaceKey()
        try await expectRefusal("keyLost")
        try await goOn(allowing: .replaceLostKey)
        let verifiers = try #require(try LogKeyFile(directory: state).load(name: try await name())?.keys?.verifiers)
        // The lost one, by the log's own record, and the new one.
        #expect(verifiers.count == 2 && !verifiers.contains(other.signer.verifier))
        try await goOn()
    }

    @Test("the state of another machine continues with its own record and key, once")
    func anotherMachine() async throws {
        try await make(20, at: state)
        let machines = ["0", "1"].map { MachineMark(identifier: String(repeating: $0, count: 32)) }
        var sizes: [UInt64] = []
        for machine in [machines[0], machines[1], machines[1]] {
            let storage = try await SQLiteStorage.reopened(state)
            let log = try await ConsentLog.open(storage: storage)
            try await log.beginSigning(with: CheckpointFiles(directory: state, machine: machine))
            sizes.append(await log.head.size)
            try storage.close()
        }
        #expect(sizes[1] == sizes[0] + 2 && sizes[2] == sizes[1])
    }

    @Test("a log whose key's file names no machine is marked by its next start, so that a copy of it is noticed")
    func markedLater() async throws {
        try await make(20, at: state)
        let key = state + "/consent.key"
        try overwrite(key) { $0 = Data($0.split(separator: 0x0A).last ?? []) + Data("\n".utf8) }
        let machine = MachineMark(identifier: String(repeating: "0", count: 32))
        let storage = try await SQLiteStorage.reopened(state)
        let log = try await ConsentLog.open(storage: storage)
        let size = await log.head.size
        try await log.beginSigning(with: CheckpointFiles(directory: state, machine: machine))
        #expect(await log.head.size == size)
        try storage.close()
        #expect(try String(contentsOfFile: key, encoding: .utf8).hasPrefix("machine "))
    }

    /// The log's origin, by its checkpoint or its first record.
    private func name() async throws -> String {
        let storage = try await SQLiteStorage.reopened(state)
        defer { try? storage.close() }
        return try await ConsentLog.open(storage: storage).origin()
    }

    @Test("a checkpoint that was changed is refused")
    func checkpoint() async throws {
        try await make(20, at: state)
        try overwrite(state + "/consent.checkpoint") { $0 = Data("no checkpoint\n".utf8) }
        try await expectRefusal("badCheckpoint")
    }

    @Test("a database of a later version is refused")
    func later() async throws {
        try await make(20, at: state)
        let queue = try DatabaseQueue(path: database)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('1000')") }
        try queue.close()
        try await expectRefusal("schemaTooNew")
    }
}
