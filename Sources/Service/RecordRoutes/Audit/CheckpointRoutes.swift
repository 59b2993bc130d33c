import Consent
import Foundation
import Hummingbird
import Logging
import Server
import ServiceLifecycle
import SocketAPI

/// `/v1/audit`: the log's checkpoints, proofs, cosignatures and publications.
struct CheckpointRoutes {
    let log: ConsentLog
    /// The witnesses whose cosignatures are kept.
    let witnesses: [NoteVerifier]

    func add(to routes: Routes) {
        let access = RouteAccess.commandLine(
            "The consent log is proven with VoiceGate's own command: voicegate audit checkpoint.")
        routes.on(.post, "audit/checkpoint", for: access) { _ in try await reply(log.signedCheckpoint()) }
        // All who have the old key must get the new one, so no program may cause it.
        routes.on(
            .post, "audit/keys",
            for: .person(
                "Only you can replace the log's key: voicegate audit checkpoint --rotate-key",
                inBackground: .onlyInForeground("replace the log's key"),
                toOthers: "This log is of all users; only root can replace its key.")
        ) { _ in try await reply(log.rotateKey()) }
        routes.on(.get, "audit/proofs/:index", for: access, use: proof)
        routes.on(.get, "audit/consistency", for: access, use: consistency)
        routes.on(.post, "audit/cosignatures", for: access, use: cosign)
        routes.on(.get, "audit/publications", for: access, use: publications)
        // Others rely on these records, and the destination is the caller's own text. A timer may publish, so it needs no
        // foreground.
        routes.on(
            .post, "audit/publications",
            for: .person(
                "Only you can record that a checkpoint was published: voicegate audit checkpoint --publish FILE",
                toOthers: "This log is of all users; only root can record where a checkpoint of it was published."),
            use: publish)
    }

    private func proof(_ call: Call) async throws -> Response {
        guard let index = UInt64(try call.parameter("index")) else {
            throw RouteError(.invalidValue, "A record's index is a number, 0 or more.")
        }
        let proof = try await log.inclusionProof(of: index)
        return Response(bytes: ByteBuffer(bytes: proof.data), type: "text/plain; charset=utf-8")
    }

    /// `from`, and `to`, by default all records.
    private func consistency(_ call: Call) async throws -> Response {
        let query = call.request.uri.queryParameters
        let size = await log.head.size
        let to = query["to"].map { UInt64($0) } ?? size
        guard let from = query["from"].flatMap({ UInt64($0) }), let to, from <= to else {
            throw RouteError(.invalidValue, "from and to are numbers of records, and from is at most to.")
        }
        let proof = try await log.consistencyProof(from: from, to: to)
        return try Response(
            json: ConsistencyReply(
                from: from, to: to, hashes: proof.hashes.map(\.base64), root: try await log.root(at: from).base64))
    }

    private func cosign(_ call: Call) async throws -> Response {
        let note = try Self.note(try await call.request.json(CosignatureRequest.self).checkpoint)
        let added = try await log.addCosignatures(of: note, by: witnesses)
        return try Response(json: CosignatureReply(witnesses: added.map(\.text)))
    }

    private func publish(_ call: Call) async throws -> Response {
        let body = try await call.request.json(PublicationRequest.self)
        guard (1...PublicationRequest.longestDestination).contains(body.destination.count) else {
            throw RouteError(
                .invalidValue, "A destination has 1 to \(PublicationRequest.longestDestination) characters.")
        }
        try await log.recordPublication(of: Self.note(body.checkpoint), to: body.destination)
        return Response(status: .noContent)
    }

    private func publications(_: Call) async throws -> Response {
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

    private func reply(_ note: SignedNote) async throws -> Response {
        try Response(
            json: CheckpointReply(
                checkpoint: String(decoding: note.data, as: UTF8.self), keys: await log.verifiers.map(\.text),
                retired: await log.retirements))
    }

    private static func note(_ text: String) throws -> SignedNote {
        guard let note = SignedNote(Data(text.utf8)) else {
            throw RouteError(.invalidValue, "The checkpoint is not a signed note.")
        }
        return note
    }
}

/// Signs the log whenever it has grown, so that a log that was put back to an earlier state is noticed: at once, and then at
/// most every 100 ms. After a kill or a power cut, records of at most that time, and of the writing of one small file, have no
/// checkpoint.
package struct CheckpointService: Service {
    private let log: ConsentLog
    private let logger: Logger
    private let pause: Duration
    private let pauseAfterFailure: Duration
    private let growth: LogGrowth?

    /// - Parameters:
    ///   - pauseAfterFailure: a disk that is full or fails is not tried at each record.
    ///   - growth: `nil`: no one follows it.
    package init(
        log: ConsentLog, logger: Logger, pause: Duration = .milliseconds(100),
        pauseAfterFailure: Duration = .seconds(10), growth: LogGrowth? = nil
    ) {
        (self.log, self.logger, self.growth) = (log, logger, growth)
        (self.pause, self.pauseAfterFailure) = (pause, pauseAfterFailure)
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var growth = log.growth.makeAsyncIterator()
            // First what a killed service left.
            repeat {
                while await !sign() { try await Task.sleep(for: pauseAfterFailure) }
                try await Task.sleep(for: pause)
            } while await growth.next() != nil
        }
    }

    /// A failure is logged only: the earlier checkpoints stay valid.
    private func sign() async -> Bool {
        do {
            _ = try await log.signedCheckpoint()
            if let growth { growth.note(await log.signedSize) }
            return true
        } catch {
            logger.error("the consent log could not be signed", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
