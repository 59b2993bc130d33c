import Base
import Consent
import FleetDatabase
import FleetModel
import Foundation
import Hummingbird

/// What a machine does besides uploading: enrol and report.
struct HostRoutes: Sendable {
    let store: FleetStore
    private let reports = HostGate()

    init(store: FleetStore) { self.store = store }

    /// Administrators' terminals show it.
    private static func isHostName(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count) && DisplayText.escaped(name) == name
    }

    func add(to router: Router<some RequestContext>) {
        router.post("enroll") { request, _ in try await enrol(request) }
        router.post("report") { request, _ in try await report(request) }
    }

    private func enrol(_ request: Request) async throws -> Response {
        let body = try await request.json(EnrolmentRequest.self)
        guard Self.isHostName(body.name) else {
            throw Refusal.malformed("The name has no characters, more than 100 bytes, or a control character.")
        }
        guard let key = NoteVerifier(text: body.key), key.algorithm == .ed25519 else {
            throw Refusal.malformed("The key is not a verifier key of a log.")
        }
        // That the machine has the key's secret part: checkpoints are known to many, a report of this moment is not.
        guard let note = SignedNote(Data(body.report.utf8)), !note.signers(among: [key]).isEmpty,
            let report = LogReport(text: note.text), report.checkpoint.origin == key.name
        else {
            throw Refusal(.unprocessableContent, "The report is not signed by the key.")
        }
        let now = Timestamp(Date())
        guard (report.time.milliseconds - now.milliseconds).magnitude <= ReportRule.enrolmentTolerance else {
            throw Refusal(
                .unprocessableContent,
                "The report is of \(report.time.text), and it is \(now.text). Set the machine's clock.")
        }
        let interval = try Self.interval(body.interval)
        do {
            let (host, token) = try await store.enrol(
                with: BearerToken(text: body.token), key, name: body.name, interval: interval)
            return try .json(.created, EnrolmentReply(host: host, token: token.text, interval: interval))
        } catch FleetStore.EnrolmentProblem.token {
            throw Refusal(.forbidden, "The enrolment token is unknown, used, expired, or for another host.")
        } catch FleetStore.EnrolmentProblem.enrolled {
            throw Refusal(.conflict, "The log or the name is enrolled. Revoke the former host first.")
        }
    }

    private static func interval(_ seconds: Int?) throws -> Int {
        let seconds = seconds ?? ReportRule.defaultInterval
        guard ReportRule.allowedInterval.contains(seconds) else {
            throw Refusal.malformed("The interval is not between 1 s and an hour.")
        }
        return seconds
    }

    private func report(_ request: Request) async throws -> Response {
        let received = Timestamp(Date())
        let host = try await store.host(of: request)
        let body = try await request.json(ReportRequest.self)
        guard let note = SignedNote(Data(body.report.utf8)), let signed = LogReport(text: note.text) else {
            throw Refusal.malformed("The report is not a signed note with a checkpoint, a counter and a time.")
        }
        let interval = try body.interval.map(Self.interval) ?? host.interval
        let answer = try await reports.admit(host.identifier) { _ in
            try await store.take(note, signed, at: received, interval: interval, from: host)
        }
        switch answer {
        case .taken: return try .json(.ok, ReportReply(interval: interval))
        case .untrusted: throw Refusal.untrusted
        case .repeated(let counter): throw try Refusal.json(.conflict, ReportReply(counter: counter))
        }
    }
}

extension FleetStore {
    /// The host whose token the request has.
    ///
    /// - Throws: `Refusal`.
    func host(of request: Request) async throws -> FleetHost {
        guard let token = request.bearerToken, let host = try await host(token: token) else {
            throw Refusal.unauthorized
        }
        return host
    }
}

extension Request {
    var bearerToken: BearerToken? {
        guard let text = headers[.authorization], text.hasPrefix("Bearer ") else { return nil }
        return BearerToken(text: String(text.dropFirst(7)))
    }
}
