import Authorization
import Base
import Consent
import Foundation
import Synchronization
import TestSupport

/// What happens on one machine: two users grant programs the microphone and speech recognition, dictate, withdraw, and grant
/// again; keys are rotated, and once everything about a program is erased.
struct HostHistory {
    let host: Int
    let records: Int
    let seed: UInt64
    let days: Int
    /// How often the key is rotated: 2 at most.
    let rotations: Int

    private static let programs = [
        ("org.example.Notes", "Notes", "To write down what you say into a note."),
        ("org.example.Mail", "Mail", "To dictate the text of a message."),
        ("com.example.Records", "Patient records", "To enter findings while your hands are busy."),
    ]

    private struct Permission {
        let requester: Requester
        var decisions: [Resource: UInt64] = [:]
    }

    /// Runs it through its own log.
    func write() async throws -> FleetLog {
        var random = SeededGenerator(seed: seed)
        let clock = SpreadClock(days: days, readings: records, seed: seed)
        let storage = ListStorage()
        let keys = KeyRing()
        let log = try await ConsentLog.open(storage: storage, now: { clock.next() })
        try await log.beginSigning(with: keys)
        var permissions = [1000, 1001].flatMap { user in
            Self.programs.map { Permission(requester: requester($0, user: user)) }
        }
        var rotated = 0
        var isErased = false
        while await storage.count < records {
            let place = Int(random.next() % UInt64(permissions.count))
            let share = await storage.count * 20 / max(records, 1)
            if rotated < rotations, share > rotated * 7 + 6 {
                rotated += 1
                _ = try await log.rotateKey()
            } else if share >= 12, !isErased {
                isErased = true
                let scope = RightsScope(client: permissions[place].requester.client.identifier, user: 1001)
                _ = try await log.erase(scope)
            } else if permissions[place].decisions.isEmpty {
                try await ask(&permissions[place], log, &random)
            } else if random.next() % 60 == 0 {
                try await withdraw(&permissions[place], log)
            } else {
                try await dictate(permissions[place], log, &random)
            }
        }
        _ = try await log.signedCheckpoint()
        let head = await log.head
        return FleetLog(
            head: FleetLog.Head(
                origin: try await log.origin(), size: head.size, root: head.root.base64,
                keys: await keys.signers(in: storage)),
            records: await storage.all)
    }

    private func requester(_ program: (String, String, String), user: Int) -> Requester {
        let hash = SeededGenerator.hexadecimal(seed: UInt64(host) &* 31 &+ UInt64(program.0.utf8.count), digits: 64)
        let path = "/usr/bin/" + program.1.lowercased().replacing(" ", with: "-")
        return Requester(
            caller: Caller(
                process: ProcessIdentity(processIdentifier: 4242, startTime: 77), user: UInt32(user),
                executable: Executable(path: path, device: 1, inode: 2, sha256: hash)),
            client: Client(
                manifest: Manifest(
                    identifier: Samples.identifier(program.0), name: program.1, executablePath: path,
                    usageDescriptions: [.microphone: program.2, .speechRecognition: program.2],
                    practices: DataPractices(
                        kinds: [.liveAudio, .transcript], purpose: program.2, retention: nil, recipients: []))),
            presence: .foreground)
    }

    private func ask(_ permission: inout Permission, _ log: ConsentLog, _ random: inout SeededGenerator) async throws {
        let requester = permission.requester
        for resource in Resource.allCases {
            guard let notice = Notice(client: requester.client, resource: resource) else { continue }
            let prompt = Prompt(
                cookie: SeededGenerator.hexadecimal(seed: random.next(), digits: 32), requester: requester,
                resource: resource, question: .firstUse, notice: notice)
            let asked = try await log.record(.asked(prompt), changing: nil)
            let shown = try await log.record(.noticeShown(prompt, asked: asked), changing: nil)
            let decision = Decision(
                key: requester.key(for: resource), verdict: .authorized,
                program: AllowedProgram(requester.caller.executable),
                terms: Terms(scope: .whileInUse, agreed: notice.agreement), indication: .terminal, decidedAt: Date())
            permission.decisions[resource] = try await log.record(
                .granted(prompt, .whileInUse, .full, .terminal, notice: shown), changing: .store(decision))
        }
    }

    private func withdraw(_ permission: inout Permission, _ log: ConsentLog) async throws {
        for (resource, decision) in permission.decisions.sorted(by: { $0.value < $1.value }) {
            let key = permission.requester.key(for: resource)
            try await log.record(
                .withdrawn(key, notice: nil, decision: decision, by: permission.requester.caller),
                changing: .remove(key))
        }
        permission.decisions = [:]
    }

    private func dictate(
        _ permission: Permission, _ log: ConsentLog, _ random: inout SeededGenerator
    ) async throws {
        let session = SessionDescription(
            identifier: UUID(random: &random).uuidString, requester: permission.requester,
            grants: [
                .microphone: UUID(random: &random).uuidString, .speechRecognition: UUID(random: &random).uuidString,
            ], decisionRecords: permission.decisions, device: "default")
        if random.next() % 8 == 0 {
            try await log.record(.used(permission.requester.key(for: .microphone)), changing: nil)
        }
        try await log.record(.sessionStarted(session), changing: nil)
        let frames = Int64(16_000 + random.next() % 4_000_000)
        try await log.record(.sessionStopped(session, SessionOutcome(reason: "ended", frames: frames)), changing: nil)
    }
}

extension SeededGenerator {
    static func hexadecimal(seed: UInt64, digits: Int) -> String {
        var random = SeededGenerator(seed: seed)
        return String((0..<digits).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
    }
}

extension UUID {
    fileprivate init(random: inout SeededGenerator) {
        let bytes = withUnsafeBytes(of: (random.next(), random.next())) { Array($0) }
        self = NSUUID(uuidBytes: bytes) as UUID
    }
}

/// Shows times between some days ago and now, each later than the one before.
private final class SpreadClock: Sendable {
    private let state: Mutex<(wall: Int64, random: SeededGenerator)>
    private let step: UInt64

    init(days: Int, readings: Int, seed: UInt64) {
        let span = Int64(days) * 86_400_000
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        // A fifth more readings than records: no time is later than now.
        step = UInt64(max(1, span / Int64(max(1, readings + readings / 5 + 50))))
        state = Mutex((now - span, SeededGenerator(seed: seed)))
    }

    func next() -> Moment {
        state.withLock { state in
            state.wall += Int64(1 + state.random.next() % (2 * step))
            return Moment(wallAlone: Date(timeIntervalSince1970: Double(state.wall) / 1000))
        }
    }
}
