import Authorization
import Base
import Foundation
import Storage
import Synchronization
import TestSupport

@testable import Retention

/// A store on real files, with a log that can fail and a clock that can be set.
final class StoreBench: Sendable {
    let folder: TemporaryFolder
    let ledger = RecordingLedger()
    private let clock = Mutex(Moment(boot: "one", sinceBoot: 1000, wall: 1_700_000_000_000))

    init() throws { folder = try TemporaryFolder() }

    var state: String { folder.path + "/state" }

    /// The store as a service opens it at its start, before its first work.
    func open() throws -> (store: ItemStore, storage: SQLiteStorage) {
        let storage = try SQLiteStorage(directory: state)
        return (try store(storage), storage)
    }

    /// - Parameter log: `nil`: the one in memory.
    func store(_ table: SQLiteStorage, log: (any Ledger)? = nil) throws -> ItemStore {
        let files = try KeptFolder(stateDirectory: state)
        return ItemStore(table: table, folder: files, ledger: log ?? ledger) { self.clock.withLock { $0 } }
    }

    /// A gate that erases what is in the store when its permission is withdrawn.
    func gate(_ store: ItemStore) async throws -> Gate {
        var configuration = GateConfiguration()
        configuration.eraseKept = { await store.withdraw($0) }
        return try await Gate(ledger: ledger, agent: StandInAgent(), configuration: configuration)
    }

    func pass(_ milliseconds: Int64) {
        clock.withLock {
            $0 = Moment(boot: $0.boot, sinceBoot: $0.sinceBoot + milliseconds, wall: $0.wall + milliseconds)
        }
    }

    static func session(_ identifier: String = "s", user: UInt32 = 1000, device: String? = "default")
        -> SessionDescription
    {
        SessionDescription(
            identifier: identifier, requester: Samples.requester(user: user),
            grants: device == nil
                ? [.speechRecognition: "1"] : [.speechRecognition: "1", .microphone: "2"], device: device)
    }

    @discardableResult
    func keep(
        _ text: String, in store: ItemStore, as kind: DataKind = .transcript, for time: KeepingTime = .untilWithdrawn,
        of session: SessionDescription = session()
    ) async throws -> KeptItem {
        let writer = try await store.begin(kind, of: session, for: time)
        try await writer.append(Data(text.utf8))
        return try await store.keep(writer)
    }

    static func text(_ content: KeptContent) async throws -> String {
        var data = Data()
        for try await chunk in content { data += chunk }
        return String(decoding: data, as: UTF8.self)
    }

    /// Names of files in the folder of kept data.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: state + "/kept")) ?? [] }

    /// Files of the state directory in which the bytes stand.
    func filesHolding(_ bytes: Data) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: state).filter { path in
            guard let data = FileManager.default.contents(atPath: state + "/" + path) else { return false }
            return data.range(of: bytes) != nil
        }
    }

    var erased: [(items: [String], reason: ErasureReason)] {
        ledger.events.compactMap { event in
            if case .dataErased(let items, _, _, _, let reason) = event { (items, reason) } else { nil }
        }
    }
    var retained: [(session: String, item: String, kind: DataKind, bytes: Int64, until: Date?)] {
        ledger.events.compactMap { event in
            guard case .dataRetained(let session, _, _, let item, let kind, let bytes, let until, _) = event else {
                return nil
            }
            return (session, item, kind, bytes, until)
        }
    }
}

/// A step of the table that can be made to fail, at a moment that no real disk fails at on demand.
enum FailingStep: String {
    case erasing = "UPDATE OF state ON kept_items WHEN NEW.state = 'erasing'"
    case removing = "DELETE ON kept_items"
}

extension SQLiteStorage {
    /// - Parameter step: `nil`: no step fails.
    func fail(at step: FailingStep?) async throws {
        try await queue.write { database in
            try database.execute(sql: "DROP TRIGGER IF EXISTS failing")
            guard let step else { return }
            try database.execute(
                sql: "CREATE TEMP TRIGGER failing BEFORE \(step.rawValue) BEGIN SELECT RAISE(ABORT, 'as asked'); END")
        }
    }
}

/// Bytes in memory, read as a file is.
final class MemoryFile: Sendable {
    private let rest: Mutex<Data>

    init(_ bytes: Data) { rest = Mutex(bytes) }

    @Sendable func read(_ count: Int) -> Data {
        rest.withLock {
            let bytes = Data($0.prefix(count))
            $0 = Data($0.dropFirst(count))
            return bytes
        }
    }
}
