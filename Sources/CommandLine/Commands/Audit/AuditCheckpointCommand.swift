import ArgumentParser
import AuditExport
import CommandClient
import Consent
import Foundation
import LinuxSystem
import SocketAPI

struct AuditCheckpointCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoint",
        abstract: "Sign the present records, and publish the signature outside this machine.",
        discussion: """
            Prints a signed checkpoint (c2sp.org/tlog-checkpoint). It proves later that no record up to it was changed \
            or removed:  voicegate audit verify --checkpoint FILE
            Keep it where this machine cannot change it: on another machine, with another person; as a line to write down \
            with --short:  voicegate audit verify --line "LINE"

            To add a witness's signature, write the checkpoint and below it the witness's answer into a file.
            """)

    @Option(help: .init("Append the checkpoint to this file.", valueName: "file"), completion: .file())
    var publish: String?

    @Option(
        help: .init(
            "Run this shell command with the checkpoint as its input, such as \"ssh backup 'cat >> checkpoints'\".",
            valueName: "command"))
    var publishCommand: String?

    @Flag(help: "Print a line to write down instead: the size, 80 bits of the root, and a word that shows mistakes.")
    var short = false

    @Flag(help: "Create a new key first. Give it to everyone who has the old one.")
    var rotateKey = false

    @Option(help: .init("Add the witnesses' signatures in this file.", valueName: "file"), completion: .file())
    var addCosignature: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require(
            addCosignature == nil || publish == nil && publishCommand == nil && !rotateKey && !short,
            "--add-cosignature excludes the other options; a new checkpoint would not have that signature.")
    }

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        if let addCosignature { return try await keepCosignatures(addCosignature, service, context) }
        let reply = try await rotateKey ? service.rotateAuditKey() : service.auditCheckpoint()
        let trust = try ExportTrust.verified(reply)
        let note = trust.note
        let places = [publish.map(Publication.file), publishCommand.map(Publication.command)].compactMap { $0 }
        for place in places {
            try await place.publish(note.data)
            // Only now: a failed publication is not recorded.
            try await service.recordAuditPublication(
                PublicationRequest(checkpoint: reply.checkpoint, destination: place.description))
        }
        guard !context.output.isJSON else {
            return try context.output.json([
                "checkpoint": .string(reply.checkpoint),
                "line": .string("\(ShortCheckpoint(trust.checkpoint.head))"),
                "keys": .array(reply.keys.map(JSONValue.string)),
                "published": JSONValue.array(places.map { .string($0.description) }),
            ])
        }
        try context.output.line(
            short ? "\(ShortCheckpoint(trust.checkpoint.head))" : String(reply.checkpoint.dropLast()))
        for place in places { context.output.note("Published: \(place)") }
        if let key = reply.keys.last {
            context.output.note((rotateKey ? "The new key, to distribute: " : "Signed by: ") + key)
        }
    }

    private func keepCosignatures(_ file: String, _ service: ServiceClient, _ context: CommandContext) async throws {
        let notes = try await CheckpointInput.notes(file)
        let reply = try await service.addAuditCosignatures(
            CosignatureRequest(checkpoint: String(decoding: notes[notes.count - 1].data, as: UTF8.self)))
        try context.output.result(reply, reply.witnesses.map { "Added: the signature of \($0)" })
    }
}

/// Where a checkpoint is published.
enum Publication: Sendable, CustomStringConvertible {
    case file(String)
    case command(String)

    /// As recorded: of a command only the first word, because others may be passwords.
    var description: String {
        switch self {
        case .file(let path): "file " + URL(fileURLWithPath: path).path
        case .command(let command): "command " + (command.split(separator: " ").first.map(String.init) ?? "")
        }
    }

    /// - Throws: `CommandError`; whether it arrived is unknown then.
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
        guard DescriptorBytes.write(note, to: descriptor) else { throw failure(path, errno) }
        // A pipe or a terminal cannot be synced.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw failure(path, errno) }
    }

    private static func run(_ command: String, input: Data) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", command]
        let pipe = Pipe()
        shell.standardInput = pipe
        // Standard output is reserved for the checkpoint.
        shell.standardOutput = FileHandle.standardError
        do {
            try shell.run()
        } catch {
            throw CommandError(.notPublished, "/bin/sh cannot be started, so the checkpoint is not published.")
        }
        // A command need not read its input; its exit code decides.
        try? pipe.fileHandleForWriting.write(contentsOf: input)
        try? pipe.fileHandleForWriting.close()
        shell.waitUntilExit()
        try require(
            shell.terminationReason == .exit && shell.terminationStatus == 0, .notPublished,
            "The command failed with status \(shell.terminationStatus), so the checkpoint counts as not published.")
    }

    private static func failure(_ path: String, _ number: Int32) -> CommandError {
        CommandError(
            .notPublished, status: .cannotWrite,
            "\(path) cannot be written, so the checkpoint is not published: \(systemMessage(number)).")
    }
}

extension ExportTrust {
    /// - Parameter trusted: keys from elsewhere; `nil`: the service's own.
    /// - Returns: `nil` if the service's checkpoint does not verify.
    init?(_ reply: CheckpointReply, trusted: [NoteVerifier]? = nil) {
        let named = reply.keys.compactMap(NoteVerifier.init(text:))
        guard let note = SignedNote(Data(reply.checkpoint.utf8)), named.count == reply.keys.count else { return nil }
        self.init(note: note, keys: trusted ?? named)
    }

    static func verified(_ reply: CheckpointReply, trusted: [NoteVerifier]? = nil) throws(CommandError) -> ExportTrust {
        if let log = ExportTrust(reply, trusted: trusted) { return log }
        throw CommandError(
            .doesNotVerify,
            trusted == nil
                ? "The service's checkpoint does not verify with its own key. Check this machine for tampering."
                : "The service's checkpoint does not verify with your key. If the key was replaced, the log has a "
                    + "record key.rotated.")
    }
}

/// Files with checkpoints and keys.
enum CheckpointInput {
    /// Bytes: tens of thousands of checkpoints.
    private static let longest = 16 << 20

    /// - Returns: at least one signed note.
    static func notes(_ path: String) async throws -> [SignedNote] {
        guard let notes = SignedNote.list(try await contents(path)), !notes.isEmpty else {
            throw CommandError(.doesNotVerify, "\(path) contains no signed checkpoints.")
        }
        return notes
    }

    /// - Parameter argument: a verifier key, or a file with such keys, one per line.
    static func keys(_ argument: String) async throws -> [NoteVerifier] {
        let pasted = argument.trimmingCharacters(in: .whitespacesAndNewlines.union(["\"", "'"]))
        if let key = NoteVerifier(text: pasted) { return [key] }
        try require(
            access(argument, F_OK) == 0, .noInput,
            "\(argument) is neither a verifier key nor a file. To print the log's key: voicegate audit checkpoint")
        guard let keys = NoteVerifier.list(try await contents(argument)), !keys.isEmpty else {
            throw CommandError(.doesNotVerify, "\(argument) is neither a verifier key nor a file with one per line.")
        }
        return keys
    }

    /// A file of c2sp.org/tlog-policy.
    static func policy(_ path: String) async throws -> WitnessPolicy {
        let data = try await contents(path)
        do throws(WitnessPolicy.Problem) {
            return try WitnessPolicy(data)
        } catch {
            throw CommandError(.doesNotVerify, "\(path) is not a policy: \(error).")
        }
    }

    private static func contents(_ path: String) async throws -> Data {
        try await Blocking.run { try RegularFile(path: path, limit: longest).data }
    }
}
