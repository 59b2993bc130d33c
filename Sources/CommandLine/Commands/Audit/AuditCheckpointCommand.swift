import ArgumentParser
import Consent
import Foundation
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
