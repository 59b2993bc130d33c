import Base
import Consent
import Cryptography
import Foundation

/// The log's keys, and its last signed checkpoint, in their files beside the database: what the log has promised is kept
/// apart from its database, so that a database put back to an earlier state is noticed.
public struct CheckpointFiles: CheckpointStore {
    static let checkpointName = "consent.checkpoint"

    private let keyFile: LogKeyFile
    private let checkpointFile: DurableFile

    /// - Parameters:
    ///   - directory: the log's, as `SQLiteStorage` opened it.
    ///   - machine: which the keys belong to.
    /// - Throws: `StorageError`.
    public init(directory: String, machine: MachineMark? = .ofThisMachine) throws {
        keyFile = try LogKeyFile(directory: directory, machine: machine)
        checkpointFile = DurableFile(
            try StateDirectory(path: directory), name: Self.checkpointName, limit: SignedNote.maximumSize)
    }

    public func keys(origin: String) async throws -> StoredKeys? { try keyFile.load(name: origin) }

    public func replace(_ keys: LogKeys) async throws { try await keyFile.replace(keys) }

    public func lastCheckpoint() async throws -> Data? { try checkpointFile.contents() }

    /// The order of the log: rows durable, checkpoint signed, then this, and only then the checkpoint is handed out.
    public func replace(_ checkpoint: SignedNote) async throws {
        try await checkpointFile.replaceInBackground(with: checkpoint.data)
    }
}

/// Names a machine in the key's file, so that a copy of it elsewhere is noticed.
public struct MachineMark: Sendable, Hashable {
    /// 32 digits of hexadecimal, or `backup`.
    let text: String

    /// In the files of a backup: the mark of no machine.
    static let backup = MachineMark(text: "backup")

    /// `nil` on a machine without an identifier.
    public static let ofThisMachine = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8))
        .flatMap(MachineMark.init(identifier:))

    private init(text: String) { self.text = text }

    /// Not the identifier itself, which machine-id(5) asks to keep from others.
    ///
    /// - Parameter identifier: as in `/etc/machine-id`.
    public init?(identifier: String) {
        let identifier = identifier.trimmingCharacters(in: .newlines)
        guard identifier.wholeMatch(of: /[0-9a-f]{32}/) != nil else { return nil }
        let code = HMACSHA256.authenticationCode(
            for: "voicegate consent.key".utf8, using: SymmetricKey(data: identifier.utf8))
        text = Hexadecimal.encode(code.prefix(16))
    }

    /// - Returns: `nil` if the line is not `machine MARK`.
    init?(line: Substring) {
        guard line.wholeMatch(of: /machine ([0-9a-f]{32}|backup)/) != nil else { return nil }
        text = String(line.dropFirst(Self.word.count))
    }

    var line: String { Self.word + text }

    private static let word = "machine "
}

/// The keys of the log's checkpoints, in `consent.key` of the state directory, with mode 0600.
///
/// A line a key: those before the last one are verifier keys, the last one is the secret key that signs. Before them there may
/// be `machine MARK`: where the file was written, and then `next KEY`: the secret key that is about to replace the last one, or to
/// be the log's first.
public struct LogKeyFile: Sendable {
    static let name = "consent.key"

    private let file: DurableFile
    private let machine: MachineMark?

    /// - Parameters:
    ///   - directory: the log's, as `SQLiteStorage` opened it.
    ///   - machine: `nil`: copies are not noticed.
    /// - Throws: `StorageError`.
    public init(directory: String, machine: MachineMark? = .ofThisMachine) throws {
        file = DurableFile(try StateDirectory(path: directory), name: Self.name, limit: 256 * 1024)
        self.machine = machine
    }

    /// - Returns: `nil` when there is no file.
    /// - Throws: `StorageError`.
    public func load(name: String) throws -> StoredKeys? {
        guard let data = try file.contents() else { return nil }
        guard let content = Content(data), content.keys.signer.name == name else { return StoredKeys(nil) }
        let isCopy = content.machine.map { $0 == .backup || machine != nil && $0 != machine } ?? false
        return StoredKeys(
            content.keys, isCopy: isCopy, isUnmarked: content.machine == nil && machine != nil)
    }

    /// Durable when it returns; then a secret key that is not among them is no longer in the file, and what the file had is
    /// overwritten.
    ///
    /// - Throws: `StorageError`; the file is either old or new, never half written.
    public func replace(_ keys: LogKeys) async throws {
        try await file.replaceInBackground(with: Content(machine: machine, keys: keys).data, wiping: true)
    }

    /// The file of a backup; what cannot be read as keys stays as it is.
    static func marked(_ data: Data, as machine: MachineMark) -> Data {
        Content(data).map { Content(machine: machine, keys: $0.keys).data } ?? data
    }

    private struct Content {
        let machine: MachineMark?
        let keys: LogKeys

        init(machine: MachineMark?, keys: LogKeys) {
            self.machine = machine
            self.keys = keys
        }

        init?(_ data: Data) {
            guard data.last == 0x0A, let text = String(validating: data, as: UTF8.self) else { return nil }
            var lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)[...]
            machine = lines.first.flatMap(MachineMark.init(line:))
            if machine != nil { lines.removeFirst() }
            var next: NoteSigner?
            if let line = lines.first, line.hasPrefix(Self.nextWord) {
                next = NoteSigner(secretText: String(line.dropFirst(Self.nextWord.count)))
                guard next != nil else { return nil }
                lines.removeFirst()
            }
            if lines.isEmpty, let next {
                keys = LogKeys(unnamed: next)
                return
            }
            guard let signer = lines.last.flatMap({ NoteSigner(secretText: String($0)) }) else { return nil }
            let former = lines.dropLast().compactMap { NoteVerifier(text: String($0)) }
            guard former.count == lines.count - 1, let keys = LogKeys(signer: signer, former: former, next: next)
            else { return nil }
            self.keys = keys
        }

        var data: Data {
            let next = keys.isUnnamed ? keys.signer : keys.next
            let lines =
                [machine?.line, next.map { Self.nextWord + $0.secretText }].compactMap { $0 } + keys.former.map(\.text)
                + (keys.isUnnamed ? [] : [keys.signer.secretText])
            return Data(lines.map { $0 + "\n" }.joined().utf8)
        }

        private static let nextWord = "next "
    }
}
