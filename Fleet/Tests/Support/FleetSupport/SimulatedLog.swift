import Consent
import Foundation

/// A log in memory with a key, whose records, checkpoints, proofs and uploads are real.
public struct SimulatedLog: Sendable {
    public struct Failure: Error {
        public init() {}
    }

    public let origin: String
    public private(set) var signers: [NoteSigner]
    public private(set) var leaves: [Data] = []
    public private(set) var disclosures: [Data?] = []
    private var hashes: [MerkleHash] = []

    /// With its genesis and its first key.
    ///
    /// - Parameter withholding: whether disclosures are left out, except those of the log's own records.
    public init(_ name: String = UUID().uuidString, at time: Timestamp = Timestamp(Date())) throws {
        origin = Checkpoint.origin(of: name)
        guard let signer = NoteSigner(name: origin) else { throw Failure() }
        signers = [signer]
        append(.genesis, ["log": .string(name), "hash": .string("SHA-256")], at: time)
        append(.keyRotated, ["key": .string(signer.verifier.text), "reason": .string("created")], at: time)
    }

    public var size: UInt64 { UInt64(leaves.count) }
    public var verifier: NoteVerifier { signers[signers.count - 1].verifier }

    /// - Returns: the record's index.
    @discardableResult
    public mutating func append(
        _ kind: RecordKind, _ fields: [String: JSONValue] = [:], at time: Timestamp = Timestamp(Date()),
        isWithheld: Bool = false
    ) -> UInt64 {
        let disclosure = Disclosure(fields)
        append(disclosure.text, kind, at: time, isWithheld: isWithheld)
        return size - 1
    }

    /// A record whose disclosure has this text, whether or not it is one.
    public mutating func append(
        _ text: Data, _ kind: RecordKind, at time: Timestamp = Timestamp(Date()), isWithheld: Bool = false
    ) {
        let leaf = RecordLeaf(
            index: Int64(size), kind: kind, time: time, digestBytes: StrictDigest.bytes(Disclosure.digest(of: text)))
        append(leaf: leaf.data, isWithheld ? nil : text)
    }

    public mutating func append(leaf: Data, _ disclosure: Data?) {
        leaves.append(leaf)
        disclosures.append(disclosure)
        hashes.append(.leaf(leaf))
    }

    /// Records of sessions with real sizes.
    public mutating func appendSessions(_ count: Int, at time: Timestamp = Timestamp(Date())) {
        for number in 0..<count {
            let later = Timestamp(milliseconds: time.milliseconds + Int64(number))
            append(
                number.isMultiple(of: 2) ? RecordKind(rawValue: "session.stopped") : .used,
                [
                    "client": .string("org.example.notes"), "user": .integer(1000),
                    "subject": .string("s-0123456789abcdef"),
                    "resource": .string("microphone"), "session": .string(UUID().uuidString),
                    "program": .string("/usr/bin/notes"), "seconds": .integer(Int64(number)),
                ], at: later)
        }
    }

    /// A new key, which a record names.
    ///
    /// - Returns: the record's index.
    @discardableResult
    public mutating func rotateKey(reason: String = "rotated") throws -> UInt64 {
        guard let next = NoteSigner(name: origin) else { throw Failure() }
        let index = append(
            .keyRotated,
            [
                "key": .string(next.verifier.text), "previousKey": .string(verifier.text), "reason": .string(reason),
            ])
        signers.append(next)
        return index
    }

    /// The log without its last records, as after a rollback.
    public func prefix(_ size: Int) -> SimulatedLog {
        var log = self
        log.leaves = Array(leaves.prefix(size))
        log.disclosures = Array(disclosures.prefix(size))
        log.hashes = Array(hashes.prefix(size))
        return log
    }

    public func withholding(_ indexes: Range<Int>) -> SimulatedLog {
        var log = self
        for index in indexes { log.disclosures[index] = nil }
        return log
    }

    /// RFC 6962's root of a tree of these leaves.
    public func root(_ range: Range<UInt64>) -> MerkleHash {
        hashes[Int(range.lowerBound)..<Int(range.upperBound)].reduce(into: Frontier()) { $0.append($1) }.root
    }

    public func head(_ size: UInt64) -> TreeHead { TreeHead(size: size, root: root(0..<size)) }

    /// - Parameter signers: default: the newest key.
    public func checkpoint(_ size: UInt64? = nil, signers: [NoteSigner]? = nil) throws -> SignedNote {
        guard let text = Checkpoint(origin: origin, head: head(size ?? self.size))?.text else { throw Failure() }
        let notes = try (signers ?? [self.signers[self.signers.count - 1]]).compactMap { try $0.sign(text) }
        guard let first = notes.first else { throw Failure() }
        return try notes.dropFirst().reduce(first) {
            guard let signature = $1.signatures.first, let note = $0.adding(signature) else { throw Failure() }
            return note
        }
    }

    /// - Parameter signer: default: the newest key.
    public func report(counter: Int, time: Timestamp, signer: NoteSigner? = nil) throws -> SignedNote {
        guard let checkpoint = Checkpoint(origin: origin, head: head(size)),
            let note = try (signer ?? signers[signers.count - 1]).sign(
                LogReport(checkpoint, counter: Int64(counter), time: time).text)
        else { throw Failure() }
        return note
    }

    /// The body of `add-checkpoint`.
    public func checkpointRequest(
        from old: UInt64, to size: UInt64? = nil, signers: [NoteSigner]? = nil
    ) throws -> Data {
        let size = size ?? self.size
        let hashes = old < size ? ProofPlan.consistency(from: old, to: size)?.map(root) ?? [] : []
        let lines = ["old \(old)"] + hashes.map(\.base64)
        return Data((lines.joined(separator: "\n") + "\n\n").utf8) + (try checkpoint(size, signers: signers).data)
    }

    public func packages(
        _ range: Range<UInt64>, _ form: UploadForm = .records
    ) throws -> (head: UploadHead, packages: [EntryPackage]) {
        guard let head = UploadHead(origin: origin, range: range) else { throw Failure() }
        var packages: [EntryPackage] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let entries = head.package(at: start)
            let indexes = Int(entries.lowerBound)..<Int(entries.upperBound)
            guard let subtree = EntryPackage.subtree(of: entries),
                let plan = ProofPlan.subtree(subtree, in: range.upperBound),
                let proof = SubtreeProof(of: subtree, in: range.upperBound, hashes: plan.map(root)),
                let package = EntryPackage(
                    from: start, entries: Array(leaves[indexes]),
                    disclosures: form == .records ? Array(disclosures[indexes]) : [], proof: proof)
            else { throw Failure() }
            packages.append(package)
            start = entries.upperBound
        }
        return (head, packages)
    }

    /// The body of `add-records` or `add-entries`.
    ///
    /// - Parameter count: only the first packages.
    public func upload(_ range: Range<UInt64>, _ form: UploadForm = .records, count: Int = .max) throws -> Data {
        let (head, packages) = try packages(range, form)
        return packages.prefix(count).reduce(into: head.data) { $0.append($1.data) }
    }
}

private enum StrictDigest {
    /// Of base64url without padding.
    static func bytes(_ text: String) -> Data {
        Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + "=") ?? Data()
    }
}
