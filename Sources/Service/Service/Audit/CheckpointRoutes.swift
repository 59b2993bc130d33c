import Authorization
import Consent
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import SocketAPI

/// `/v1/audit`: what the log promises about itself, and the proofs of it. For VoiceGate's own command line.
struct CheckpointRoutes {
    let clients: ClientResolver
    let log: ConsentLog
    /// Whose cosignatures are kept.
    let witnesses: [NoteVerifier]
    let mode: ServiceMode

    func add(to group: RouterGroup<ServiceContext>) {
        group.post("audit/checkpoint", use: sign)
        group.post("audit/keys", use: rotateKey)
        group.get("audit/proofs/:index", use: proof)
        group.get("audit/consistency", use: consistency)
        group.post("audit/cosignatures", use: cosign)
        group.get("audit/publications", use: publications)
        group.post("audit/publications", use: publish)
    }

    /// Signs what is recorded now.
    private func sign(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try await requireCommandLine(context)
        return try await reply(log.signedCheckpoint())
    }

    private func rotateKey(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        // Everybody who holds the old key has to be given the new one, which is nothing for a program to bring about.
        guard clients.isPerson(requester) else {
            throw RouteError(
                .notAllowed, "The log's key is replaced by you alone: voicegate audit checkpoint --rotate-key")
        }
        guard mode.mayManage(requester.caller.user) else {
            throw RouteError(.notAllowed, "This log is that of all users, and its key is replaced by root.")
        }
        return try await reply(log.rotateKey())
    }

    /// One record's proof, as text.
    private func proof(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try await requireCommandLine(context)
        guard let index = context.parameters.get("index").flatMap({ UInt64($0) }) else {
            throw RouteError(.invalidValue, "A record is named by its index, a number from 0 on.")
        }
        let proof = try await log.inclusionProof(of: index)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: proof.data)))
    }

    /// `from`, and `to`, by default all records.
    private func consistency(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try await requireCommandLine(context)
        let query = request.uri.queryParameters
        let size = await log.head.size
        let to = query["to"].map { UInt64($0) } ?? size
        guard let from = query["from"].flatMap({ UInt64($0) }), let to, from <= to else {
            throw RouteError(.invalidValue, "from and to are numbers of records, from not above to.")
        }
        let proof = try await log.consistencyProof(from: from, to: to)
        return try Response(json: ConsistencyReply(from: from, to: to, hashes: proof.hashes.map(\.base64)))
    }

    private func cosign(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try await requireCommandLine(context)
        let note = try Self.note(try await request.json(CosignatureRequest.self).checkpoint)
        let added = try await log.addCosignatures(of: note, by: witnesses)
        return try Response(json: CosignatureReply(witnesses: added.map(\.text)))
    }

    private func publish(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try await requireCommandLine(context)
        let body = try await request.json(PublicationRequest.self)
        guard (1...PublicationRequest.longestDestination).contains(body.destination.count) else {
            throw RouteError(
                .invalidValue, "A destination has 1 to \(PublicationRequest.longestDestination) characters.")
        }
        try await log.recordPublication(of: Self.note(body.checkpoint), to: body.destination)
        return Response(status: .noContent)
    }

    private func publications(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try await requireCommandLine(context)
        let publications = try await log.publications().map {
            PublicationsReply.Publication(size: $0.size, time: $0.time.text, destination: $0.destination)
        }
        let cosignatures = try await log.keptCheckpoints().flatMap { note in
            witnesses.compactMap { witness -> PublicationsReply.Cosignature? in
                guard let checkpoint = Checkpoint(text: note.text), !note.signers(among: [witness]).isEmpty,
                    let cosignature = note.signature(of: witness).flatMap(Cosignature.init)
                else { return nil }
                return PublicationsReply.Cosignature(
                    size: checkpoint.size, witness: witness.name, seconds: cosignature.time)
            }
        }
        return try Response(json: PublicationsReply(publications: publications, cosignatures: cosignatures))
    }

    private func requireCommandLine(_ context: ServiceContext) async throws {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isCommandLine(requester) else {
            throw RouteError(
                .notAllowed, "The consent log is proven with VoiceGate's own command: voicegate audit checkpoint.")
        }
    }

    private func reply(_ note: SignedNote) async throws -> Response {
        try Response(
            json: CheckpointReply(
                checkpoint: String(decoding: note.data, as: UTF8.self), keys: await log.verifiers.map(\.text)))
    }

    private static func note(_ text: String) throws -> SignedNote {
        guard let note = SignedNote(Data(text.utf8)) else {
            throw RouteError(.invalidValue, "The checkpoint is no signed note.")
        }
        return note
    }
}

/// Signs a checkpoint from time to time and at the end, so that a log that is put back to an earlier state is noticed.
struct CheckpointService: Service {
    private static let pause = Duration.seconds(60)

    let log: ConsentLog
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await sign()
                try await Task.sleep(for: Self.pause)
            }
        }
        await sign()
    }

    /// The log goes on when it cannot be signed: what was promised stays as it was.
    private func sign() async {
        do {
            _ = try await log.signedCheckpoint()
        } catch {
            logger.error("the consent log could not be signed", metadata: ["reason": "\(error)"])
        }
    }
}
