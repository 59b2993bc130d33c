import Foundation

/// Which witnesses must have cosigned a checkpoint, as a file of https://c2sp.org/tlog-policy:
///
///     log VKEY [URL]
///     witness NAME VKEY [URL]
///     group NAME all|any|K MEMBER…
///     quorum NAME|none
///
/// A line each; empty lines, and those that begin with `#`, are passed over. Names are octets, and mean nothing outside the
/// file.
public struct WitnessPolicy: Sendable {
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// From 1.
        public let line: Int
        public let reason: String

        public var description: String { "line \(line): \(reason)" }
    }

    /// Bytes of a file.
    public static let maximumSize = 64 * 1024
    /// Of logs, of witnesses, and of groups.
    public static let most = 64

    /// Whose checkpoints the policy is for; empty: it does not say.
    public let logs: [NoteVerifier]
    /// In the file's order.
    public let witnesses: [NoteVerifier]
    /// Where a witness takes checkpoints, if the file names it: the submission prefix of tlog-witness.
    public let urls: [NoteVerifier: String]
    private let quorum: Quorum

    /// What must have cosigned. A name is a member at most once, so that this is a tree.
    private indirect enum Quorum: Sendable {
        case nothing
        case witness(NoteVerifier)
        case group(Int, [Quorum])

        func isMet(by signers: Set<NoteVerifier>) -> Bool {
            switch self {
            case .nothing: true
            case .witness(let key): signers.contains(key)
            case .group(let least, let members): members.count { $0.isMet(by: signers) } >= least
            }
        }

        var isWitness: Bool { if case .witness = self { true } else { false } }
    }

    /// - Throws: `Problem` at the first line that is wrong.
    public init(_ data: Data) throws(Problem) {
        guard data.count <= Self.maximumSize else {
            throw Problem(line: 1, reason: "the policy is larger than \(Self.maximumSize) bytes")
        }
        var reader = Reader()
        let lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() {
            do throws(Mistake) { try reader.read(line) } catch { throw Problem(line: place + 1, reason: error.text) }
        }
        guard let quorum = reader.quorum else { throw Problem(line: lines.count, reason: "there is no quorum line") }
        (logs, witnesses, urls, self.quorum) = (reader.logs, reader.witnesses, reader.urls, quorum)
    }

    /// Whether a checkpoint needs a cosignature at all.
    public var needsWitness: Bool { !quorum.isMet(by: []) }

    /// - Returns: whether enough witnesses have signed the note for the quorum.
    public func isMet(by note: SignedNote) -> Bool { quorum.isMet(by: Set(note.signers(among: witnesses))) }

    /// The quorum in words: `2 of 3 witnesses`, or `a quorum of 6 witnesses` if it has groups within groups.
    public var summary: String {
        switch quorum {
        case .nothing: "none of \(witnesses.count) witnesses"
        case .witness: "1 of 1 witnesses"
        case .group(let least, let members) where members.allSatisfy(\.isWitness):
            "\(least) of \(members.count) witnesses"
        case .group: "a quorum of \(witnesses.count) witnesses"
        }
    }

    private struct Mistake: Error {
        let text: String
    }

    /// Reads line by line: a name is used only behind its definition.
    private struct Reader {
        var logs: [NoteVerifier] = []
        var witnesses: [NoteVerifier] = []
        var urls: [NoteVerifier: String] = [:]
        var quorum: Quorum?
        private var groups = 0
        private var defined: [Data: Quorum] = [:]
        /// Names that are a member of a group.
        private var members: Set<Data> = []

        mutating func read(_ line: Data) throws(Mistake) {
            guard line.allSatisfy({ $0 == 0x09 || (0x20...0xFF).contains($0) && $0 != 0x7F }) else {
                throw Mistake(text: "a control character")
            }
            let words = line.split { $0 == 0x20 || $0 == 0x09 }.map { Data($0) }
            guard let first = words.first, first.first != UInt8(ascii: "#") else { return }
            switch String(decoding: first, as: UTF8.self) {
            case "log" where (2...3).contains(words.count):
                logs.append(try key(words[1], .ed25519, besides: logs))
            case "witness" where (3...4).contains(words.count):
                let key = try key(words[2], .cosignature, besides: witnesses)
                try define(words[1], as: .witness(key))
                witnesses.append(key)
                if words.count == 4 { urls[key] = String(validating: words[3], as: UTF8.self) }
            case "group" where words.count >= 4: try group(words[1], words[2], Array(words[3...]))
            case "quorum" where words.count == 2:
                guard quorum == nil else { throw Mistake(text: "a second quorum") }
                quorum = try words[1] == Self.none ? .nothing : quorum(of: words[1])
            default:
                throw Mistake(
                    text: "it is not “log VKEY [URL]”, “witness NAME VKEY [URL]”, “group NAME all|any|K MEMBER…” or "
                        + "“quorum NAME”")
            }
        }

        private static let none = Data("none".utf8)

        private func key(
            _ word: Data, _ algorithm: NoteAlgorithm, besides others: [NoteVerifier]
        ) throws(Mistake) -> NoteVerifier {
            guard let key = String(validating: word, as: UTF8.self).flatMap(NoteVerifier.init(text:)),
                key.algorithm == algorithm
            else {
                throw Mistake(
                    text: algorithm == .ed25519
                        ? "it has no log's verifier key: name+identifier+base64, of type 01"
                        : "it has no witness's verifier key: name+identifier+base64, of type 04")
            }
            guard others.count < WitnessPolicy.most else { throw Mistake(text: "more than \(WitnessPolicy.most)") }
            guard !others.contains(where: { $0.publicKey == key.publicKey }) else {
                throw Mistake(text: "the same key as above")
            }
            return key
        }

        private mutating func group(_ name: Data, _ least: Data, _ names: [Data]) throws(Mistake) {
            groups += 1
            guard groups <= WitnessPolicy.most else { throw Mistake(text: "more than \(WitnessPolicy.most) groups") }
            var parts: [Quorum] = []
            for name in names {
                parts.append(try quorum(of: name))
                guard members.insert(name).inserted else {
                    throw Mistake(text: "“\(Self.text(name))” is a member already")
                }
            }
            let count: Int? =
                switch Self.text(least) {
                case "all": parts.count
                case "any": 1
                case let digits: digits.wholeMatch(of: /[0-9]{1,4}/) == nil ? nil : Int(digits)
                }
            guard let count, (1...parts.count).contains(count) else {
                throw Mistake(text: "“\(Self.text(least))” is not all, any, or a number from 1 to \(parts.count)")
            }
            try define(name, as: .group(count, parts))
        }

        private mutating func define(_ name: Data, as quorum: Quorum) throws(Mistake) {
            guard name != Self.none, defined.updateValue(quorum, forKey: name) == nil else {
                throw Mistake(text: "the name “\(Self.text(name))” has a meaning already")
            }
        }

        private func quorum(of name: Data) throws(Mistake) -> Quorum {
            guard let quorum = defined[name] else {
                throw Mistake(text: "“\(Self.text(name))” is not a witness or group of the lines above")
            }
            return quorum
        }

        private static func text(_ name: Data) -> String { String(decoding: name.prefix(80), as: UTF8.self) }
    }
}
