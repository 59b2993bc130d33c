import ArgumentParser
import Authorization
import CommandClient
import CommandText
import SocketAPI

struct StatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the permissions of this command, and which programs listen now or listened recently.",
        discussion: "With --json: an object with the authorization and the indicator.")

    @Flag(help: "Keep running, and show each change.")
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
        if bar != nil, follow || options.outputOptions.json {
            throw ValidationError("--bar excludes --follow and --json.")
        }
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
        try context.output.result(
            report,
            StatusText.lines(report.authorization) + StatusText.lines(report.indicator)
                + (health.recognizer.map { [wording(.recognizedBy($0))] } ?? [])
                + (health.log == .verifying ? [wording(.logBeingVerified)] : [])
                + (anchors.map { $0.uncovered == 0 ? [] : [wording(.rewritable(count: $0.uncovered, size: $0.size))] }
                    ?? []))
    }

    private func follow(_ client: ServiceClient, _ output: Output) async throws {
        let (changes, continuation) = AsyncThrowingStream.makeStream(of: Change.self)
        let authorizations = try await client.authorizationChanges()
        let indicators = try await client.indicatorChanges()
        let tasks = [
            Task { await forward(authorizations, Change.authorization, continuation) },
            Task { await forward(indicators, Change.indicator, continuation) },
        ]
        defer { for task in tasks { task.cancel() } }
        var authorization: AuthorizationReply?
        var indicator: IndicatorReply?
        for try await change in changes {
            switch change {
            case .authorization(.state(_, let reply, _)): authorization = reply
            case .authorization(.changed(_, let muted, let resources)):
                authorization = authorization?.applying(muted: muted, resources)
            case .authorization: continue
            case .indicator(let reply): indicator = reply
            }
            if output.isJSON {
                guard let authorization, let indicator else { continue }
                try output.json(Report(authorization: authorization, indicator: indicator))
            } else if case .indicator(let reply) = change {
                try output.lines(StatusText.lines(reply))
            } else if let authorization {
                try output.lines(StatusText.lines(authorization))
            }
        }
    }

    private func forward<Events: AsyncSequence & Sendable>(
        _ events: Events, _ change: (Events.Element) -> Change,
        _ continuation: AsyncThrowingStream<Change, any Error>.Continuation
    ) async {
        do {
            for try await event in events { continuation.yield(change(event)) }
            continuation.finish()
        } catch {
            continuation.finish(throwing: error)
        }
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
                case .waybar: String(decoding: try JSONCoding.encoder().encode(IndicatorBar(reply)), as: UTF8.self)
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

/// Statuses as sentences with the next step.
enum StatusText {
    static func lines(_ reply: AuthorizationReply, language: Language = .ofPerson) -> [String] {
        let wording = language.commandWording
        func row(
            _ name: String, _ resource: Resource, _ status: AuthorizationStatus, _ grant: AuthorizationReply.Grant?
        ) -> [String] {
            let isMuted = status == .restricted && reply.muted
            let sentence = wording.sentence(
                for: status, resource, extent: grant.map { " (\(wording.extent($0)))" } ?? "",
                settings: "voicegate settings \(reply.client)")
            return ["  " + name, isMuted ? wording(.everythingMuted(reply.mutedBy)) : sentence]
        }
        let rows = [
            row(
                wording.speechRecognition, .speechRecognition, reply.speechRecognition, reply.speechRecognitionGrant),
            row(wording.microphone, .microphone, reply.microphone, reply.microphoneGrant),
        ]
        let isAllowed = [reply.speechRecognition, reply.microphone].contains(.authorized)
        return ["\(reply.name) (\(reply.client))"] + TextTable.lines(rows)
            + (isAllowed ? ["  " + wording(.toChange)] : []) + reply.problems.map { wording(.problem($0)) }
    }

    static func lines(_ reply: IndicatorReply, language: Language = .ofPerson) -> [String] {
        let wording = language.commandWording
        let muted = reply.muted ? [wording(.everythingMuted(reply.mutedBy))] : []
        let sessions = reply.sessions.map { session in wording.listener(session) { DayAndTime.text($0) } }
        return muted + sessions + (reply.sessions.contains(where: \.isRunning) ? [] : [wording(.nothingListens)])
    }
}
