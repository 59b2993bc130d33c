import Authorization
import Consent
import Foundation
import Hummingbird
import Logging
import Server
import SocketAPI
import Synchronization

/// `/v1/log`: what voicegate-sender passes on to the collector of config.yaml. The service has no connection to it.
struct CollectorRoutes {
    /// Of one request, as C2SP tlog-mirror recommends.
    static let mostPackages: UInt64 = 32

    let log: ConsentLog
    /// `nil`: nothing is sent.
    let sharing: RecordSharing?

    func add(to routes: Routes) {
        let access = RouteAccess.sender("Only voicegate-sender reads the log in this form: voicegate-sender status")
        routes.on(.get, "log/collector", for: access, use: collector)
        routes.on(.get, "log/checkpoint", for: access, use: checkpoint)
        routes.on(.get, "log/report", for: access, use: report)
        routes.on(.get, "log/packages", for: access, use: packages)
        routes.follow("log/growth", for: access, use: follow)
    }

    private func required() throws(RouteError) -> RecordSharing {
        guard let sharing else {
            throw RouteError(
                .notFound,
                "This service sends its records to no collector. Name one in config.yaml: collector: {url, name, purpose}"
            )
        }
        return sharing
    }

    private func collector(_ call: Call) async throws -> Response {
        let sharing = try required()
        return try Response(
            json: CollectorReply(
                url: sharing.url, name: sharing.collector.name, purpose: sharing.collector.purpose,
                send: sharing.collector.send, origin: try await log.origin(), keys: await log.verifiers.map(\.text)))
    }

    /// `from`: records that the collector's last checkpoint has; by default 0. `rotation`: the next one that two keys signed.
    /// C2SP tlog-witness, `add-checkpoint`.
    private func checkpoint(_ call: Call) async throws -> Response {
        _ = try required()
        let request = try await log.witnessRequest(
            from: try call.request.number("from") ?? 0, rotation: try call.request.isSet("rotation"))
        return Response(bytes: ByteBuffer(bytes: request.data), type: "text/plain; charset=utf-8")
    }

    /// `counter`: by which the collector tells this report from earlier ones.
    private func report(_ call: Call) async throws -> Response {
        _ = try required()
        guard let counter = try call.request.number("counter").flatMap(Int64.init(exactly:)) else {
            throw RouteError(.invalidValue, "counter is a whole number.")
        }
        let note = try await log.signedReport(counter: counter)
        return Response(bytes: ByteBuffer(bytes: note.data), type: "text/plain; charset=utf-8")
    }

    /// `start`, `end` and `ticket` (base64) as the collector's mirror-info has them: the beginning of the upload.
    private func packages(_ call: Call) async throws -> Response {
        let sharing = try required()
        let ticket = try call.request.parameter("ticket", "ticket is base64.") { Data(base64Encoded: $0) }
        guard let start = try call.request.number("start"), let end = try call.request.number("end"), start <= end,
            let head = UploadHead(origin: try await log.origin(), range: start..<end, ticket: ticket ?? Data())
        else { throw RouteError(.invalidValue, "start and end are numbers of records, and start is at most end.") }
        let packages = try await log.packages(of: head, disclosing: sharing.policy)
        let last = (start / EntryPackage.alignment + Self.mostPackages) * EntryPackage.alignment
        return Response(
            status: .ok, headers: [.contentType: UploadForm.records.mediaType, .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(bytes: head.data))
                for try await package in packages {
                    try await writer.write(ByteBuffer(bytes: package.data))
                    guard package.range.upperBound < last else { break }
                }
                try await writer.finish(nil)
            })
    }

    /// A line at once, and one whenever the log has grown and is signed.
    private func follow(_: Call) async throws -> Response {
        let growth = try required().growth
        growth.note(await log.signedSize)
        return Response(lines: growth.follow())
    }
}

/// The collector, once it is recorded that records go to it.
package struct RecordSharing: Sendable {
    let url: String
    let collector: RecordCollector
    /// The record that names it: fields of earlier ones are not sent.
    let since: UInt64
    package let growth: LogGrowth

    var policy: DisclosurePolicy {
        switch collector.send {
        case .proofs: .proofs
        case .records: .records(from: since)
        }
    }

    /// Records a change of the recipient since the last service ran; called before the first request is served.
    ///
    /// - Returns: `nil` if there is no collector, or it cannot be recorded: then nothing is sent until the next start.
    package static func begin(
        _ configured: (collector: RecordCollector, url: String)?, recordingIn log: ConsentLog, growth: LogGrowth,
        logger: Logger
    ) async -> RecordSharing? {
        do {
            let recorded = try await log.recordedCollector()
            let present = configured?.collector
            var since = recorded?.since
            if present != recorded?.collector || configured?.url != recorded?.url {
                since = try await log.record(
                    .collectorChanged(from: recorded?.collector, to: present, url: configured?.url), changing: nil)
            }
            guard let configured, let since else { return nil }
            return RecordSharing(url: configured.url, collector: configured.collector, since: since, growth: growth)
        } catch {
            logger.error(
                "no records are sent: it could not be recorded who receives them", metadata: ["reason": "\(error)"])
            return nil
        }
    }
}

/// The size of the signed log, for those who follow it. Each reader gets the newest when it is ready for it.
package final class LogGrowth: Sendable {
    private struct State {
        var size: UInt64 = 0
        var readers: [UUID: AsyncStream<LogGrowthLine>.Continuation] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Records that the newest checkpoint has.
    func note(_ size: UInt64) {
        state.withLock { state in
            guard size > state.size else { return }
            state.size = size
            for reader in state.readers.values { reader.yield(LogGrowthLine(size: size)) }
        }
    }

    func follow() -> AsyncStream<LogGrowthLine> {
        let identifier = UUID()
        let (stream, continuation) = AsyncStream.makeStream(
            of: LogGrowthLine.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: identifier) }
        }
        state.withLock { state in
            continuation.yield(LogGrowthLine(size: state.size))
            state.readers[identifier] = continuation
        }
        return stream
    }
}
