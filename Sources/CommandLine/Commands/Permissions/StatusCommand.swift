import ArgumentParser
import AuditExport
import Authorization
import Base
import CommandClient
import CommandText
import Consent
import Foundation
import LinuxSystem
import SocketAPI

struct StatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the permissions of this command, and which programs listen now or listened recently.",
        discussion: """
            Listening is the time in which a microphone was open and heard; files are transcribed. The figures are of the \
            last 24 hours, or of less if there were more than 1000 records. With --json: an object with the authorization \
            and the indicator.
            """)

    @Flag(help: "Keep running, and show what changes, with the time.")
    var follow = false

    @Option(
        help: .init(
            "Keep running, and print a line for a status bar at each change: waybar or polybar.", valueName: "bar"))
    var bar: StatusBar?

    @OptionGroup var options: GlobalOptions

    /// What `--json` prints.
    private struct Report: Encodable {
        let authorization: AuthorizationReply
        let indicator: IndicatorReply
    }

    private enum Change: Sendable {
        case authorization(AuthorizationEvent)
        case indicator(IndicatorReply)
    }

    func validate() throws {
        try refuse(if: bar != nil && (follow || options.outputOptions.json), "--bar excludes --follow and --json.")
    }

    func run(_ context: CommandContext) async throws {
        if let bar { return try await bar.show(context.clientOfRunningService, context.output) }
        let client = try await context.client()
        if follow { return try await follow(client, context.output) }
        let health = try await client.health()
        let wording = Language.ofPerson.commandWording
        // Absent for a user of a service of all users.
        let anchors = try? await client.diagnosis().anchors
        let report = try await Report(authorization: client.authorization(), indicator: client.indicator())
        if context.output.isJSON { return try context.output.json(report) }
        let questions = try await client.waitingQuestions(about: report.authorization.client)
        let recent = try await RecentUse(client)
        try context.output.lines(
            StatusText.lines(report.authorization, questions: questions) + StatusText.lines(report.indicator)
                + (recent.map { StatusText.lines($0) } ?? [])
                + (health.recognizer.map { [wording.recognizedBy(engine: $0)] } ?? [])
                + (health.log == .verifying ? [wording(.logBeingVerified)] : [])
                + (anchors.map { $0.uncovered == 0 ? [] : [wording.rewritable(count: $0.uncovered, size: $0.size)] }
                    ?? []))
    }

    private func follow(_ client: ServiceClient, _ output: Output) async throws {
        let (changes, continuation) = AsyncThrowingStream.makeStream(of: Change.self)
        let authorizations = try await client.authorizationChanges()
        let indicators = try await client.indicatorChanges()
        let tasks = [
            continuation.forward(authorizations) { .authorization($0) },
            continuation.forward(indicators) { .indicator($0) },
        ]
        defer { for task in tasks { task.cancel() } }
        var authorization: AuthorizationReply?
        var indicator: IndicatorReply?
        var (permissions, uses) = (ChangingLines(), ChangingLines())
        for try await change in changes {
            switch change {
            case .authorization(.state(_, let reply, _)): authorization = reply
            case .authorization(.changed(_, let muted, let resources)):
                authorization = authorization?.applying(muted: muted, resources)
                // A change does not say whose mute it is.
                let mute = muted ? try await client.authorization().mutedBy : nil
                authorization?.mutedBy = mute
            case .authorization: continue
            case .indicator(let reply): indicator = reply
            }
            if output.isJSON {
                guard let authorization, let indicator else { continue }
                try output.json(Report(authorization: authorization, indicator: indicator))
            } else if case .indicator(let reply) = change {
                try output.lines(uses.news(in: StatusText.lines(reply)))
            } else if let authorization {
                let questions = try await client.waitingQuestions(about: authorization.client)
                try output.lines(permissions.news(in: StatusText.lines(authorization, questions: questions)))
            }
        }
    }
}

/// Lines that are shown whole at first, and then only those that are new, with the time.
struct ChangingLines {
    private var shown: Set<String>?

    mutating func news(in lines: [String], now: Date = Date()) -> [String] {
        defer { shown = Set(lines) }
        guard let shown else { return lines }
        let time = DayAndTime.text(now).suffix(8)
        return lines.filter { !shown.contains($0) }.map { "\(time)  \($0.drop { $0 == " " })" }
    }
}

/// A status bar that shows the indicator as lines.
enum StatusBar: String, ExpressibleByArgument, CaseIterable, Sendable {
    case waybar, polybar

    /// Never starts a service; without one nothing listens.
    func show(_ client: ServiceClient, _ output: Output) async throws {
        var last: String?
        func show(_ reply: IndicatorReply) throws {
            let text =
                switch self {
                case .waybar:
                    String(
                        decoding: try JSONCoding.encoder().encode(IndicatorBar(reply, timeZone: .local)), as: UTF8.self)
                case .polybar: IndicatorBar.polybarLine(reply)
                }
            if text != last { try output.line(text) }
            last = text
        }
        while true {
            do {
                for try await reply in try await client.indicatorChanges() { try show(reply) }
            } catch is ClientError {
                // The service is not running.
            }
            try show(IndicatorReply(sessions: []))
            try await Task.sleep(for: .seconds(2))
        }
    }
}

/// What each program listened to and transcribed of late, by its records.
struct RecentUse {
    private static let mostRecords = 1_000

    let since: Date
    let clients: [String: Use]

    init(since: Date, clients: [String: Use]) { (self.since, self.clients) = (since, clients) }

    /// - Returns: `nil` if this process may not read the records.
    init?(_ service: ServiceClient) async throws {
        let newest = try await ifAllowed {
            try await service.auditRecords(matching: AuditFilter(limit: Self.mostRecords)).all()
        }
        guard let newest else { return nil }
        self.init(newest, isWhole: newest.count < Self.mostRecords, now: Date())
    }

    /// - Parameters:
    ///   - newest: oldest first.
    ///   - isWhole: whether these are all records.
    init(_ newest: [ConsentRecord], isWhole: Bool, now: Date) {
        let day = now.addingTimeInterval(-86_400)
        let since = isWhole ? day : max(newest.first?.time.date ?? day, day)
        self.init(since: since, clients: Use.ofClients(newest.filter { $0.time.date >= since }))
    }
}

extension ServiceClient {
    /// The questions about a client that wait for the user; none for a program, which may not read settings.
    func waitingQuestions(about client: String) async throws -> [Resource: Question.Kind] {
        let entries = try await ifAllowed { try await settings().entries } ?? []
        return entries.reduce(into: [:]) { questions, entry in
            if entry.client == client { questions[entry.resource] = entry.question }
        }
    }
}

/// Statuses as sentences with the next step.
enum StatusText {
    /// - Parameter questions: that wait for the user. A client sees `always` while it is not confirmed; its user sees more.
    static func lines(
        _ reply: AuthorizationReply, questions: [Resource: Question.Kind] = [:],
        language: Language = .ofPerson
    ) -> [String] {
        let wording = language.commandWording
        func row(
            _ name: String, _ resource: Resource, _ status: AuthorizationStatus, _ grant: AuthorizationReply.Grant?
        ) -> [String] {
            let isMuted = status == .restricted && reply.muted
            let allowed = grant.map {
                wording.allowed(questions[resource] == .upgradeToAlways ? .whileInUse : $0.scope, $0.fidelity)
            }
            let extent = [allowed, language.words(for: questions[resource])].compactMap { $0 }
            let sentence = wording.sentence(
                for: status, resource, grant: extent.isEmpty ? nil : extent.joined(separator: "; "),
                settings: "voicegate settings \(reply.client)")
            return ["  " + name, isMuted ? wording.everythingMuted(reply.mutedBy) : sentence]
        }
        let rows = [
            row(
                wording.resource(.speechRecognition), .speechRecognition, reply.speechRecognition,
                reply.speechRecognitionGrant),
            row(wording.resource(.microphone), .microphone, reply.microphone, reply.microphoneGrant),
        ]
        let isAllowed = [reply.speechRecognition, reply.microphone].contains(.authorized)
        return ["\(reply.name) (\(reply.client))"] + TextTable.lines(rows)
            + (isAllowed ? ["  " + wording(.toChange)] : []) + reply.problems.map { wording.problem(text: $0) }
    }

    static func lines(_ recent: RecentUse, language: Language = .ofPerson) -> [String] {
        guard !recent.clients.isEmpty else { return [] }
        let lines = recent.clients.sorted { $0.key < $1.key }.map { client, use in
            "  \(DisplayText.cleaned(client, limit: 255)): \(language.words(for: use))"
        }
        return [language.commandWording.usedSince(time: DayAndTime.text(recent.since))] + lines
    }

    static func lines(_ reply: IndicatorReply, language: Language = .ofPerson) -> [String] {
        let wording = language.commandWording
        let muted = reply.muted ? [wording.everythingMuted(reply.mutedBy)] : []
        let sessions = reply.sessions.map { session in session.sentence(in: language) { DayAndTime.text($0) } }
        return muted + sessions + (reply.listens ? [] : [wording(.nothingListens)])
    }
}
