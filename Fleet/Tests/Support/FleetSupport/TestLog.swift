import Base
import Consent
import FleetDatabase
import FleetModel
import Foundation
import Logging

/// A log with its key, and what the collector stores of it: the leaves, disclosures and checkpoints that a machine makes.
public struct TestLog {
    public private(set) var signer: NoteSigner
    public let origin: String
    public private(set) var records: [(leaf: RecordLeaf, text: Data)] = []
    private var tree = Frontier()
    private var time: Int64

    /// - Parameter start: the time of the first record; each later one is a minute later.
    public init?(_ identifier: String, start: String) {
        origin = Checkpoint.origin(of: identifier)
        guard let signer = NoteSigner(name: origin), let start = Timestamp(start) else { return nil }
        self.signer = signer
        time = start.milliseconds
        append(.genesis, ["log": .string(identifier)])
        append(.keyRotated, ["key": .string(signer.verifier.text), "reason": .string("created")])
    }

    public var size: UInt64 { tree.size }

    public mutating func append(_ kind: RecordKind, _ fields: [String: JSONValue]) {
        let disclosure = Disclosure(fields)
        let leaf = RecordLeaf(
            index: Int64(records.count), kind: kind, time: Timestamp(milliseconds: time),
            digestBytes: Data(base64Encoded: Self.padded(disclosure.digest)) ?? Data())
        records.append((leaf, disclosure.text))
        tree.append(leaf: leaf.data)
        time += 60_000
    }

    /// A grant and sessions that it permits.
    public mutating func use(_ client: String, sessions: Int) {
        let common: [String: JSONValue] = [
            "client": .string(client), "user": .integer(1000), "subject": .string("s-1"),
        ]
        let grant = records.count
        append(.granted, common.merging(["resource": .string("microphone"), "scope": .string("whileInUse")]) { $1 })
        for number in 0..<sessions {
            let session = common.merging(["session": .string("\(client)-\(grant)-\(number)")]) { $1 }
            append(
                .sessionStarted,
                session.merging([
                    "grants": .object(["microphone": .string("g")]), "device": .string("Café “mic”\u{0}"),
                    "decisionRecords": .object(["microphone": .integer(Int64(grant))]),
                ]) { $1 })
            let listening: [String: JSONValue] = [
                "heard": .object(["foreground": .integer(1500)]), "dropped": .object([:]), "paused": .integer(0),
                "suspended": .integer(0),
            ]
            append(
                .sessionStopped,
                session.merging([
                    "milliseconds": .integer(1500), "listening": .object(listening), "reason": .string("ended"),
                ]) { $1 })
        }
    }

    /// Lets the time pass to another record's.
    public mutating func wait(until text: String) { time = Timestamp(text)?.milliseconds ?? time }

    public func checkpoint() throws -> SignedNote? {
        try Checkpoint(origin: origin, head: tree.head).flatMap { try signer.sign($0.text) }
    }

    /// Enrols the log as a machine of the tenant and stores all its records with the newest checkpoint, cosigned.
    ///
    /// - Parameter withheld: records whose fields the machine does not send.
    /// - Returns: the machine's number.
    @discardableResult
    public func store(
        as name: String, tenant: String, department: String = "", in store: FleetStore, collector: NoteSigner,
        withheld: Set<Int> = []
    ) async throws -> Int64 {
        let token = BearerToken()
        try await store.pool.query(
            "INSERT INTO fleet.tenant (name) VALUES ($1) ON CONFLICT DO NOTHING", [tenant])
        try await store.pool.query(
            "INSERT INTO fleet.cosigner (vkey, role) VALUES ($1, 'mirror') ON CONFLICT DO NOTHING",
            [collector.witnessVerifier.text])
        try await store.pool.query(
            """
            INSERT INTO fleet.enrolment_token (sha256, tenant, department, expires_at)
            SELECT decode($1, 'hex'), id, $3, now() + interval '1 hour' FROM fleet.tenant WHERE name = $2
            """, [Hexadecimal.encode(token.digest), tenant, department])
        let (number, bearer) = try await store.enrol(
            with: token, signer.verifier, name: name, interval: 60)
        try await add(to: store, token: bearer, collector: collector, withheld: withheld)
        return number
    }

    /// Stores what the collector does not have yet.
    private func add(
        to store: FleetStore, token: BearerToken, collector: NoteSigner, withheld: Set<Int>
    ) async throws {
        guard let host = try await store.host(token: token), let note = try checkpoint(),
            let cosigned = SignedNote(
                text: note.text,
                signatures: note.signatures + [
                    try collector.cosign(note.text, at: UInt64(Date().timeIntervalSince1970))
                ])
        else { return }
        var batch = RecordBatch(of: host, start: host.nextEntry)
        for index in Int(host.nextEntry)..<records.count {
            let (leaf, text) = records[index]
            let received = try ReceivedRecord(
                leaf: leaf.data, disclosure: withheld.contains(index) ? nil : text, at: UInt64(index))
            batch.append(received, .leaf(leaf.data))
        }
        _ = try await store.store(batch, reaching: (size, cosigned))
    }

    private static func padded(_ text: String) -> String {
        text.replacing("-", with: "+").replacing("_", with: "/") + "="
    }
}
