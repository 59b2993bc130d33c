import Base
import Foundation
import TestSupport
import Testing

@testable import Consent

/// The table of states at the start, and Documentation/Verification.md, which shows it.
@Suite("Starting the log")
struct LogStartTests {
    private static let options: [LogStart.Options] = [
        [], .acceptRestoredLog, .replaceLostKey, [.acceptRestoredLog, .replaceLostKey],
    ]

    private static let states: [LogStart] = LogStart.Records.allCases.flatMap { records in
        LogStart.LastCheckpoint.allCases.flatMap { checkpoint in
            LogStart.Key.allCases.flatMap { key in
                (0..<4).map {
                    LogStart(
                        records: records, checkpoint: checkpoint, key: key, isCopy: $0 & 1 != 0,
                        isClockBack: $0 & 2 != 0)
                }
            }
        }
    }

    /// The options that a refusal asks for; `nil`: it goes on, or nothing helps.
    private func needed(_ state: LogStart) -> LogStart.Options? {
        if case .refuses(_, let options) = state.outcome(), !options.isEmpty { options } else { nil }
    }

    private func acts(_ state: LogStart, _ options: LogStart.Options = []) -> [LogStart.Act]? {
        if case .goesOn(let acts) = state.outcome(allowing: options) { acts } else { nil }
    }

    @Test("a log is continued in silence only if it begins with its last checkpoint and the key that it names is there")
    func silence() {
        for state in Self.states {
            for options in Self.options where acts(state, options)?.isEmpty == true {
                let isContinued = state.records == .signed && state.checkpoint == .continued
                let isKeyNamed = state.key == .current || state.key == .interrupted
                #expect(isContinued && isKeyNamed && !state.isCopy && !state.isClockBack, "\(state) \(options)")
            }
        }
    }

    @Test("where no log is there, one is begun only if nothing of another is there either")
    func noLog() {
        for state in Self.states where state.records == .absent {
            for options in Self.options {
                let isNew = state.checkpoint == .absent && state.key == .absent
                #expect(state.outcome(allowing: options) == (isNew ? .begins : .refuses(.logLost, unless: [])))
            }
        }
    }

    @Test("options for the checkpoint and for the key are required together, and other options do not help")
    func combinations() throws {
        for state in Self.states where state.records == .signed && state.key != .invalid {
            var (byCheckpoint, byKey) = (state, state)
            byCheckpoint.key = .current
            byKey.checkpoint = .continued
            let sum = (needed(byCheckpoint) ?? []).union(needed(byKey) ?? [])
            #expect(needed(state) ?? [] == sum, "\(state)")
            for options in Self.options { #expect((acts(state, options) != nil) == sum.isSubset(of: options)) }
        }
    }

    @Test("the use of an option is recorded; a restored log and a copy get another key")
    func recorded() throws {
        for state in Self.states {
            for options in Self.options {
                guard let acts = acts(state, options) else { continue }
                let needed = needed(state) ?? []
                #expect(acts.contains(.restored) == (needed.contains(.acceptRestoredLog) || state.isCopy))
                #expect(acts.contains(.keyReplaced) == needed.contains(.replaceLostKey))
                #expect(acts.contains(.clockJump) == state.isClockBack)
                let changes = acts.filter { [.keyCreated, .keyRotated, .keyReplaced].contains($0) }
                #expect(changes.count <= 1)
                if acts.contains(.restored) { #expect(!changes.isEmpty, "\(state)") }
                if acts.contains(.restored), state.key != .absent { #expect(changes != [.keyCreated], "\(state)") }
            }
        }
    }

    @Test("a file that holds no key is never replaced: it may be all that is left of one")
    func noKey() {
        for state in Self.states where state.key == .invalid && state.records != .absent {
            for options in Self.options { #expect(state.outcome(allowing: options) == .refuses(.keyLost, unless: [])) }
        }
    }

    @Test("a refusal says what was found, and has the options that resolve it")
    func messages() {
        for state in Self.states where state.records != .absent {
            guard case .refuses(let code, let options) = state.outcome() else { continue }
            let error = state.error(code, unless: options, size: 3, signedSize: 5)
            #expect(error.code == code)
            #expect(error.message.hasSuffix("."), "\(error)")
            #expect(error.message.contains("Restore") == options.isEmpty, "\(error)")
            #expect(error.resolvedBy == options)
        }
    }

    // MARK: Documentation

    private static let foundCheckpoints: [LogStart.LastCheckpoint: String] = [
        .absent: "no `consent.checkpoint`", .continued: "a checkpoint that the log continues",
        .ahead: "a checkpoint of more records than there are", .diverging: "a checkpoint of other records",
        .ofAnotherLog: "another log's checkpoint",
        .invalid: "a changed checkpoint, or one that no key of the log had signed then",
    ]
    private static let foundKeys: [LogStart.Key: String] = [
        .absent: "no `consent.key`", .current: "the key that the log names last",
        .interrupted: "the key before that, and that one as `next`: its replacement was interrupted, and is completed",
        .retired: "a key that the log has replaced", .newer: "the key that replaced the one that the log names last",
        .unknown: "a key that the log does not name", .invalid: "something else, or another log's key",
    ]

    private func row(_ found: String, _ state: LogStart) -> String {
        switch state.outcome() {
        case .begins: return "| \(found) | begins a log | | `log.genesis`, `key.rotated` (`created`) |"
        case .goesOn([]): return "| \(found) | continues | | |"
        case .goesOn(let acts): return "| \(found) | continues | | \(words(acts, state)) |"
        case .refuses(let code, []): return "| \(found) | refuses (`\(code.rawValue)`) | nothing | |"
        case .refuses(let code, let options):
            let acts = acts(state, options) ?? []
            return "| \(found) | refuses (`\(code.rawValue)`) | `\(flags(options))` | \(words(acts, state)) |"
        }
    }

    private func flags(_ options: LogStart.Options) -> String {
        [(LogStart.Options.acceptRestoredLog, "--accept-restored-log"), (.replaceLostKey, "--replace-lost-key")]
            .filter { options.contains($0.0) }.map(\.1).joined(separator: " ")
    }

    private func words(_ acts: [LogStart.Act], _ state: LogStart) -> String {
        acts.map {
            switch $0 {
            case .clockJump: "`clock.jump`"
            case .restored: "`recovery` (`restored`)"
            case .keyCreated: "`key.rotated` (`created`)"
            case .keyRotated: "`key.rotated` (`restored`)"
            case .keyReplaced: "`key.rotated` (`lost`)"
            }
        }.joined(separator: ", ")
    }

    @Test("Documentation/Verification.md shows the table as the code decides it")
    func documentation() throws {
        func signed(_ checkpoint: LogStart.LastCheckpoint, _ key: LogStart.Key) -> LogStart {
            LogStart(records: .signed, checkpoint: checkpoint, key: key)
        }
        var copy = signed(.continued, .current)
        copy.isCopy = true
        var clock = signed(.continued, .current)
        clock.isClockBack = true
        let rows =
            [
                row("no log, no checkpoint, no key", LogStart(records: .absent, checkpoint: .absent, key: .absent)),
                row(
                    "no log, or an empty one, with a checkpoint or a key",
                    LogStart(records: .absent, checkpoint: .ahead, key: .current)),
                row("a log that names no key", LogStart(records: .unsigned, checkpoint: .absent, key: .absent)),
                row(
                    "the same, with a `consent.key` that has only `next`: the record of the first key was interrupted",
                    LogStart(records: .unsigned, checkpoint: .absent, key: .current)),
                row(
                    "the same, with another `consent.key`",
                    LogStart(records: .unsigned, checkpoint: .absent, key: .newer)),
            ] + LogStart.LastCheckpoint.allCases.map { row(Self.foundCheckpoints[$0] ?? "", signed($0, .current)) }
            + LogStart.Key.allCases.filter { $0 != .current }.map {
                row(Self.foundKeys[$0] ?? "", signed(.continued, $0))
            } + [row("files of a backup, or of another machine", copy), row("a clock that was set back", clock)]
        let page = try String(
            contentsOf: Checkout.root.appending(path: "Documentation/Verification.md"), encoding: .utf8)
        #expect(page.contains(rows.joined(separator: "\n")), "The table is:\n\(rows.joined(separator: "\n"))")
    }
}

/// Real logs in every combination of older, newer, other and absent parts.
@Suite("A start with each part of the log's state older, another or absent")
struct LogStateTests {
    /// What one moment left: the records, the key's file, the checkpoint's.
    private struct State {
        let records: MemoryStorage
        let keys: StoredKeys?
        let checkpoint: Data?
    }

    private static func now(_ storage: MemoryStorage, _ store: MemoryCheckpoints) async -> State {
        State(records: await storage.copy(), keys: await store.stored, checkpoint: await store.last)
    }

    /// Early, later, and after the key was replaced; before, the first record alone, and another before the first key.
    private static func history() async throws -> [State] {
        let (storage, store) = (MemoryStorage(), MemoryCheckpoints())
        let log = try await ConsentLog.open(storage: storage)
        var moments = [await now(storage, store)]
        try await log.start()
        moments.append(await now(storage, store))
        try await log.beginSigning(with: store)
        moments.append(await now(storage, store))
        try await log.start(3)
        _ = try await log.signedCheckpoint()
        moments.append(await now(storage, store))
        _ = try await log.rotateKey()
        try await log.start()
        _ = try await log.signedCheckpoint()
        moments.append(await now(storage, store))
        return moments
    }

    /// How the log was continued, by the kinds that were added; `nil`: refused.
    private func start(
        _ records: MemoryStorage, _ store: MemoryCheckpoints, _ options: LogStart.Options = []
    ) async throws -> [RecordKind]? {
        let log = try await ConsentLog.open(storage: records)
        let before = await log.head
        do {
            try await log.beginSigning(with: store, allowing: options)
        } catch is ConsentError {
            #expect(await log.head == before, "a refused log is not changed")
            return nil
        }
        #expect(try await log.verify().isIntact)
        return try await log.records(in: before.size..<UInt64(Int64.max)).map(\.kind)
    }

    @Test("only states that belong together continue; with both options all do, with a record, and then in silence")
    func everyCombination() async throws {
        let moments = try await Self.history()
        let other = try await Self.history()
        let first = try #require(moments[2].keys?.keys)
        let name = first.signer.name
        let unnamed = StoredKeys(LogKeys(unnamed: first.signer))
        let pending = StoredKeys(LogKeys(signer: first.signer, next: try #require(moments[4].keys?.keys).signer))
        let stranger = StoredKeys(try #require(NoteSigner(name: name).flatMap { LogKeys(signer: $0) }))
        let records: [(String, MemoryStorage)] = [
            ("begun", moments[0].records), ("unsigned", moments[1].records), ("early", moments[2].records),
            ("later", moments[3].records), ("last", moments[4].records),
        ]
        let before = try await ConsentLog.open(storage: moments[1].records.copy())
        let beforeKey = try #require(Checkpoint(origin: name, head: await before.head))
        let checkpoints: [(String, Data?)] = [
            ("first", try #require(try first.signer.sign(beforeKey.text)).data),
            ("early", moments[2].checkpoint), ("later", moments[3].checkpoint), ("last", moments[4].checkpoint),
            ("other", other[3].checkpoint), ("none", nil), ("bad", Data("bad\n".utf8)),
        ]
        // Until the key is replaced its file does not change.
        let keys: [(String, StoredKeys?)] = [
            ("unnamed", unnamed), ("first", moments[2].keys), ("pending", pending), ("second", moments[4].keys),
            ("stranger", stranger), ("none", nil), ("bad", StoredKeys(nil)),
        ]
        // Records, checkpoint, key.
        let silent: Set = [
            "early early first", "later early first", "later later first",
            "last early second", "last later second", "last last second",
            "early first first", "later first first", "last first second",
            // As a kill behind the record of the first key leaves it.
            "early early unnamed", "later early unnamed", "later later unnamed", "early first unnamed",
            "later first unnamed",
            // As a kill before or behind the record of the new key leaves it.
            "early early pending", "later early pending", "later later pending",
            "last early pending", "last later pending", "last last pending", "early first pending",
            "later first pending", "last first pending",
        ]
        // Never signed, or interrupted behind the first key's file, or behind the checkpoint that precedes its record.
        let created: Set = [
            "begun none none", "begun none unnamed", "unsigned none none", "unsigned none unnamed",
            "unsigned first unnamed",
        ]
        for (recordsName, records) in records {
            for (checkpointName, checkpoint) in checkpoints {
                for (keyName, key) in keys {
                    let state = "\(recordsName) \(checkpointName) \(keyName)"
                    let store = MemoryCheckpoints(key, last: checkpoint)
                    let added = try await start(records.copy(), store)
                    let expected: [RecordKind]? =
                        silent.contains(state) ? [] : created.contains(state) ? ["key.rotated"] : nil
                    #expect(added == expected, "\(state)")
                    guard added == nil else { continue }
                    let storage = await records.copy()
                    let options: LogStart.Options = [.acceptRestoredLog, .replaceLostKey]
                    let accepted = try await start(storage, store, options)
                    if keyName == "bad" {
                        #expect(accepted == nil, "\(state)")
                        continue
                    }
                    #expect(accepted?.last == "key.rotated", "\(state): \(accepted ?? [])")
                    #expect(try await start(storage, store) == [], "\(state), again")
                }
            }
        }
    }

    @Test("a copy that is started elsewhere records that, and signs with its own key, which the former one confirms")
    func copy() async throws {
        let moment = try await Self.history()[3]
        let former = try #require(moment.keys?.keys)
        let store = MemoryCheckpoints(StoredKeys(former, isCopy: true), last: moment.checkpoint)
        #expect(try await start(moment.records, store) == ["recovery", "key.rotated"])
        let keys = try #require(await store.keys)
        #expect(keys.former == [former.signer.verifier])
        let last = try #require(await store.signed.last)
        #expect(last.signers(among: keys.verifiers).count == 2)
        #expect(try await start(moment.records, store) == [])
    }

    @Test("a clock that was set back is recorded at the start, not with the next decision")
    func clock() async throws {
        let (storage, store) = (MemoryStorage(), MemoryCheckpoints())
        let log = try await ConsentLog.open(storage: storage) { Moment(wallAlone: Date(timeIntervalSince1970: 100)) }
        try await log.beginSigning(with: store)
        let again = try await ConsentLog.open(storage: storage) { Moment(wallAlone: Date(timeIntervalSince1970: 50)) }
        let size = await again.head.size
        try await again.beginSigning(with: store)
        #expect(try await again.records(in: size..<UInt64(Int64.max)).map(\.kind) == ["clock.jump"])
    }

    @Test(
        "a full disk does not keep a log from starting whose clock was set back: that is recorded with the next record")
    func clockAndFullDisk() async throws {
        let (storage, store) = (MemoryStorage(), MemoryCheckpoints())
        let log = try await ConsentLog.open(storage: storage) { Moment(wallAlone: Date(timeIntervalSince1970: 100)) }
        try await log.beginSigning(with: store)
        let size = await log.head.size
        await storage.limit(to: Int(size))
        let again = try await ConsentLog.open(storage: storage) { Moment(wallAlone: Date(timeIntervalSince1970: 50)) }
        try await again.beginSigning(with: store)
        #expect(await again.head.size == size)
        await storage.limit(to: .max)
        try await again.start()
        #expect(try await again.records(in: size..<UInt64(Int64.max)).map(\.kind) == ["clock.jump", "session.started"])
    }
}
