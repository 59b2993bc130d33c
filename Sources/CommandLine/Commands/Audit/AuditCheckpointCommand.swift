import ArgumentParser
import Consent
import Foundation
import Glibc
import LinuxSystem
import SocketAPI
import VoiceGateClient

struct AuditCheckpointCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoint",
        abstract: "Sign what is recorded now, and take that promise off this machine.",
        discussion: """
            Prints a signed checkpoint (c2sp.org/tlog-checkpoint). Whoever holds one can later prove that no record up to \
            it was changed or removed:  voicegate audit verify --checkpoint FILE
            Keep it where this machine cannot change it: on paper, on another machine, with somebody else.

            A witness's signature is added by a file with the checkpoint and, below it, the lines that the witness \
            answered with.
            """)

    @Option(help: ArgumentHelp("Add the checkpoint to the end of this file.", valueName: "file"))
    var publish: String?

    @Option(
        help: ArgumentHelp(
            "Run this shell command with the checkpoint as its input, such as \"ssh backup 'cat >> checkpoints'\".",
            valueName: "command"))
    var publishCommand: String?

    @Flag(help: "Make a new key first. Give it to everybody who has the old one.")
    var rotateKey = false

    @Option(help: ArgumentHelp("Keep the witnesses' signatures of this checkpoint.", valueName: "file"))
    var addCosignature: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard addCosignature == nil || publish == nil && publishCommand == nil && !rotateKey else {
            throw ValidationError("--add-cosignature stands alone; a new checkpoint would not have that signature.")
        }
    }

    private struct Line: Encodable {
        let checkpoint: String
        let keys: [String]
        let published: [String]
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        if let addCosignature { return try await keepCosignatures(addCosignature, service, context) }
        let reply = try await rotateKey ? service.rotateAuditKey() : service.auditCheckpoint()
        let note = try SignedLog(reply).note
        let places = [publish.map(Publication.file), publishCommand.map(Publication.command)].compactMap { $0 }
        for place in places {
            try await place.publish(note.data)
            // Told only now: a publication that failed is none.
            try await service.recordAuditPublication(
                PublicationRequest(checkpoint: reply.checkpoint, destination: place.description))
        }
        guard !context.output.isJSON else {
            return try context.output.json(
                Line(checkpoint: reply.checkpoint, keys: reply.keys, published: places.map(\.description)))
        }
        try context.output.line(String(reply.checkpoint.dropLast()))
        for place in places { context.output.note("Published: \(place)") }
        if let key = reply.keys.last {
            context.output.note((rotateKey ? "The new key, to be given to others: " : "Signed by: ") + key)
        }
    }

    private func keepCosignatures(_ file: String, _ service: VoiceGateClient, _ context: CommandContext) async throws {
        guard let note = try await CheckpointInput.notes(file).last else {
            throw CommandError(.doesNotVerify, .badData, "\(file) holds no checkpoint.")
        }
        let reply = try await service.addAuditCosignatures(
            CosignatureRequest(checkpoint: String(decoding: note.data, as: UTF8.self)))
        guard !context.output.isJSON else { return try context.output.json(reply) }
        for witness in reply.witnesses { try context.output.line("Kept: the signature of \(witness)") }
    }
}

/// Where a checkpoint is taken to.
enum Publication: Sendable, CustomStringConvertible {
    case file(String)
    case command(String)

    /// As it is recorded. Of a command only its first word: others may be passwords.
    var description: String {
        switch self {
        case .file(let path): "file " + URL(fileURLWithPath: path).path
        case .command(let command): "command " + (command.split(separator: " ").first.map(String.init) ?? "")
        }
    }

    /// - Throws: `CommandError`; then nothing can be said about whether it arrived.
    func publish(_ note: Data) async throws {
        try await Blocking.run {
            switch self {
            case .file(let path): try Self.append(note, to: path)
            case .command(let command): try Self.run(command, input: note)
            }
        }
    }

    /// Durable when it returns.
    private static func append(_ note: Data, to path: String) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o644)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var rest = note[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure(path, errno) }
            rest = rest.dropFirst(count)
        }
        // A pipe or a terminal cannot be synced, and need not be.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw failure(path, errno) }
    }

    private static func run(_ command: String, input: Data) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", command]
        let pipe = Pipe()
        shell.standardInput = pipe
        // Standard output is for the checkpoint alone.
        shell.standardOutput = FileHandle.standardError
        do {
            try shell.run()
        } catch {
            throw CommandError(.notPublished, .unavailable, "/bin/sh cannot be started, so nothing was published.")
        }
        // A command that reads nothing is not wrong for that; its exit code tells.
        try? pipe.fileHandleForWriting.write(contentsOf: input)
        try? pipe.fileHandleForWriting.close()
        shell.waitUntilExit()
        guard shell.terminationReason == .exit, shell.terminationStatus == 0 else {
            throw CommandError(
                .notPublished, .unavailable,
                "The command ended with \(shell.terminationStatus), so the checkpoint counts as not published.")
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> CommandError {
        CommandError(
            .notPublished, .cannotWrite,
            "\(path) cannot be written, so the checkpoint is not published: \(String(cString: strerror(number))).")
    }
}

/// The checkpoint that the service signed, with its keys, checked.
struct SignedLog {
    let note: SignedNote
    let checkpoint: Checkpoint
    /// Newest last.
    let keys: [NoteVerifier]

    /// - Parameter trusted: keys that the person has from elsewhere; `nil`: those that the service names are taken.
    init(_ reply: CheckpointReply, trusted: [NoteVerifier]? = nil) throws(CommandError) {
        let named = reply.keys.compactMap(NoteVerifier.init(text:))
        guard let note = SignedNote(Data(reply.checkpoint.utf8)), named.count == reply.keys.count,
            let checkpoint = Checkpoint(note, signedBy: trusted ?? named)
        else {
            throw CommandError(
                .doesNotVerify, .badData,
                trusted == nil
                    ? "What the service signed does not verify with its own key. Something is wrong with this machine."
                    : "What the service signed does not verify with the key that you gave. Was the key replaced? The "
                        + "log tells it in a record key.rotated.")
        }
        self.note = note
        self.checkpoint = checkpoint
        keys = trusted ?? named
    }
}

/// Files with checkpoints and keys that are named on the command line.
enum CheckpointInput {
    /// Bytes; room for tens of thousands of checkpoints.
    private static let longest = 16 << 20

    /// One signed note, or several that were added one behind the other.
    static func notes(_ path: String) async throws -> [SignedNote] {
        guard let notes = SignedNote.list(try await contents(path)), !notes.isEmpty else {
            throw CommandError(.doesNotVerify, .badData, "\(path) holds no signed checkpoints.")
        }
        return notes
    }

    /// - Parameter argument: a verifier key, or a file with such keys, one a line.
    static func keys(_ argument: String) async throws -> [NoteVerifier] {
        if let key = NoteVerifier(text: argument) { return [key] }
        guard let keys = NoteVerifier.list(try await contents(argument)), !keys.isEmpty else {
            throw CommandError(.doesNotVerify, .badData, "\(argument) holds no verifier keys, one a line.")
        }
        return keys
    }

    private static func contents(_ path: String) async throws -> Data {
        try await Blocking.run {
            do throws(FileError) {
                return try RegularFile(path: path, limit: longest).data
            } catch {
                throw CommandError(.noInput, .noInput, "\(error.path) cannot be read: \(error.reason).")
            }
        }
    }
}
