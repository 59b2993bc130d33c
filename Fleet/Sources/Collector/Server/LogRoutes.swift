import Consent
import Cryptography
import FleetDatabase
import FleetModel
import Foundation
import Hummingbird

/// The transparency log's protocols: https://c2sp.org/tlog-witness, tlog-mirror and tlog-tiles.
struct LogRoutes: Sendable {
    let store: FleetStore
    /// With its own connections.
    let uploadStore: FleetStore
    let keys: CollectorKeys
    let uploads: HostGate
    /// Checkpoints that hosts send themselves.
    private let own = HostGate()
    /// Those that somebody else has.
    private let others = HostGate()
    let memory: UploadMemory
    let monitoring: Monitoring
    let counters: Counters

    func add(to router: Router<some RequestContext>) {
        router.post("add-checkpoint") { request, _ in try await addCheckpoint(request) }
        router.post("add-entries") { request, _ in try await upload(request, .entries) }
        router.post("add-records") { request, _ in try await upload(request, .records) }
        router.get("witness/:origin/checkpoint") { request, context in
            try await checkpoint(request, context.parameters.require("origin"), .witness)
        }
        router.get("mirror/:origin/checkpoint") { request, context in
            try await checkpoint(request, context.parameters.require("origin"), .mirror)
        }
        router.get("mirror/:origin/**") { request, context in
            try await tile(
                request, context.parameters.require("origin"),
                context.parameters.getCatchAll().joined(separator: "/"))
        }
    }

    private func addCheckpoint(_ request: Request) async throws -> Response {
        var sender: FleetHost?
        if let token = request.bearerToken { sender = try await store.host(token: token) }
        let body: CheckpointRequest
        do {
            body = try CheckpointRequest(try await request.body(upTo: CheckpointRequest.maximumSize))
        } catch CheckpointRequest.Problem.emptyTreeWithRoot(_, let origin) {
            _ = try await enrolled(origin)
            throw Refusal(.unprocessableContent, "A checkpoint of no records has another root than the empty tree.")
        } catch is CheckpointRequest.Problem {
            throw Refusal.malformed("The body is not a request of add-checkpoint.")
        }
        let origin = body.checkpoint.origin
        let host = if let sender, sender.origin == origin { sender } else { try await enrolled(origin) }
        guard body.old <= body.checkpoint.size else {
            throw Refusal.malformed("The old size is larger than the checkpoint.")
        }
        let isSender = sender?.identifier == host.identifier
        // Anyone may ask: a checkpoint not signed by the log waits for no lock, and does not delay the host.
        let isSigned = if isSender { true } else { try await store.hasSigned(body.note, host) }
        guard isSigned else { throw Refusal.untrusted }
        let answer = try await (isSender ? own : others).admit(host.identifier) { _ in
            try await store.add(
                body, of: host, isSender: isSender, cosigner: keys.witness, at: UInt64(Date().timeIntervalSince1970))
        }
        switch answer {
        case .cosigned(let cosignature):
            counters.checkpoints.add(1, ordering: .relaxed)
            return Response(type: "text/plain; charset=utf-8", cosignature.line)
        case .unknownOrigin: throw Refusal.unknownLog
        case .untrusted: throw Refusal.untrusted
        case .conflict(let size): throw Refusal.sizeConflict(size)
        case .overQuota: throw Refusal.overQuota
        case .inconsistent: throw Refusal(.unprocessableContent, "The proof does not lead to the checkpoint.")
        }
    }

    private func upload(_ request: Request, _ form: UploadForm) async throws -> Response {
        let sender = try await store.host(of: request)
        guard request.headers[.contentType] == form.mediaType else {
            throw Refusal(.unsupportedMediaType, "The body must be \(form.mediaType).")
        }
        let encoding = request.headers[.contentEncoding] ?? "identity"
        guard ["identity", "gzip"].contains(encoding) else {
            throw Refusal(.unsupportedMediaType, "The body may be compressed by gzip alone.")
        }
        var response = try await uploads.admit(sender.identifier) { hasWaited in
            let host = hasWaited ? try await store.host(of: request) : sender
            let receiver = UploadReceiver(
                store: uploadStore, mirror: keys.mirror, host: host, form: form, counters: counters, memory: memory)
            return try await receiver.receive(request.body, isCompressed: encoding == "gzip")
        }
        response.headers[.acceptEncoding] = "gzip"
        return response
    }

    private func checkpoint(
        _ request: Request, _ origin: String, _ kept: FleetStore.KeptNote
    ) async throws -> Response {
        try monitoring.admit(request)
        guard let note = try await store.note(kept, of: host(origin)) else { throw Self.absent }
        var response = Response(type: "text/plain; charset=utf-8", note)
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    private func tile(_ request: Request, _ origin: String, _ path: String) async throws -> Response {
        try monitoring.admit(request)
        guard let path = TilePath(path: path), let data = try await store.tile(path, of: host(origin)) else {
            throw Self.absent
        }
        var response = Response(type: "application/octet-stream", data)
        response.headers[.cacheControl] = "max-age=31536000, immutable"
        return response
    }

    /// - Throws: `Refusal` with 404 if the log is not.
    private func enrolled(_ origin: String) async throws -> FleetHost {
        let digest = Data(SHA256.hash(data: origin.utf8))
        guard let host = try await store.host(originDigest: digest) else { throw Refusal.unknownLog }
        return host
    }

    private static let absent = Refusal(.notFound, "There is nothing here.")

    /// - Parameter name: SHA-256 of the log's origin, in hexadecimal.
    private func host(_ name: String) async throws -> FleetHost {
        guard let digest = Data(bytea: "\\x" + name), let host = try await store.host(originDigest: digest) else {
            throw Self.absent
        }
        return host
    }
}

/// Who may read the logs' checkpoints, tiles and leaves, which name no person.
enum Monitoring: Sendable {
    case nobody
    case everybody
    /// Those who have this token.
    case holders(BearerToken)

    /// - Throws: `Refusal`.
    func admit(_ request: Request) throws {
        switch self {
        case .everybody: return
        case .nobody: throw Refusal(.notFound, "This collector does not serve the logs.")
        case .holders(let token):
            // Hashes of both: comparing them shows nothing of the token by its time.
            guard request.bearerToken?.digest == token.digest else { throw Refusal.unauthorized }
        }
    }
}
