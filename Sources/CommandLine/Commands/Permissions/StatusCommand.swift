import ArgumentParser
import Authorization
import Foundation
import SocketAPI
import VoiceGateClient

struct StatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what VoiceGate may do, and what listens now or did a moment ago.",
        discussion: "With --json: an object with the authorization and the indicator.")

    @Flag(help: "Go on, and show each change.")
    var follow = false

    @Option(
        help: ArgumentHelp(
            "Go on, and print a line for a status bar whenever what listens changes: waybar or polybar.",
            valueName: "bar"))
    var bar: StatusBar.Kind?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if bar != nil, follow || options.json { throw ValidationError("--bar goes with neither --follow nor --json.") }
    }

    func run(_ context: CommandContext) async throws {
        if let bar {
            return try await StatusBar(kind: bar, client: context.clientOfRunningService, output: context.output).run()
        }
        let client = try await context.client()
        let output = context.output
        if follow { return try await StatusFollower(client: client, output: output).run() }
        let report = try await StatusReport(authorization: client.authorization(), indicator: client.indicator())
        if output.isJSON { return try output.json(report) }
        for line in StatusText.lines(report.authorization) + StatusText.lines(report.indicator) {
            try output.line(line)
        }
    }
}

/// What `voicegate status --json` prints.
struct StatusReport: Encodable {
    var authorization: AuthorizationReply
    var indicator: IndicatorReply
}

/// Shows how things stand, and each change: of what may be done, and of what listens.
struct StatusFollower: Sendable {
    let client: VoiceGateClient
    let output: Output

    private enum Change: Sendable {
        case authorization(AuthorizationReply)
        case indicator(IndicatorReply)
    }

    func run() async throws {
        let (changes, continuation) = AsyncThrowingStream.makeStream(of: Change.self)
        let authorization = AuthorizationReplies(events: try await client.authorizationChanges())
        let indicator = try await client.indicatorChanges()
        let tasks = [
            Task { await forward(authorization, Change.authorization, continuation) },
            Task { await forward(indicator, Change.indicator, continuation) },
        ]
        defer { for task in tasks { task.cancel() } }
        var report: (authorization: AuthorizationReply?, indicator: IndicatorReply?)
        for try await change in changes {
            switch change {
            case .authorization(let reply):
                report.authorization = reply
                if !output.isJSON { try show(StatusText.lines(reply)) }
            case .indicator(let reply):
                report.indicator = reply
                if !output.isJSON { try show(StatusText.lines(reply)) }
            }
            if output.isJSON, let authorization = report.authorization, let indicator = report.indicator {
                try output.json(StatusReport(authorization: authorization, indicator: indicator))
            }
        }
    }

    private func show(_ lines: [String]) throws {
        for line in lines { try output.line(line) }
    }

    private func forward<Replies: AsyncSequence & Sendable>(
        _ replies: Replies, _ change: (Replies.Element) -> Change,
        _ continuation: AsyncThrowingStream<Change, any Error>.Continuation
    ) async {
        do {
            for try await reply in replies { continuation.yield(change(reply)) }
            continuation.finish()
        } catch {
            continuation.finish(throwing: error)
        }
    }
}

/// How things stand, whole, after each event of the stream of changes.
struct AuthorizationReplies: AsyncSequence, Sendable {
    typealias Element = AuthorizationReply

    let events: EventStream<AuthorizationEvent>

    func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        private var events: EventStream<AuthorizationEvent>.Iterator
        private var last: AuthorizationReply?

        init(events: EventStream<AuthorizationEvent>.Iterator) { self.events = events }

        mutating func next() async throws -> AuthorizationReply? {
            while let event = try await events.next() {
                switch event {
                case .state(_, let reply, _):
                    last = reply
                    return reply
                case .changed(_, let muted, let resources):
                    last = last?.applying(muted: muted, resources)
                    if let last { return last }
                case .gap, .resumed:
                    break
                }
            }
            return nil
        }
    }
}

/// The indicator line by line, for the status bar that runs this command.
///
/// Never starts a service, and outlives it: without one nothing listens, and that is what is shown.
struct StatusBar: Sendable {
    enum Kind: String, ExpressibleByArgument, CaseIterable, Sendable {
        case waybar
        case polybar
    }

    let kind: Kind
    let client: VoiceGateClient
    let output: Output
    var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(2)) }

    func run() async throws {
        var last: String?
        func show(_ reply: IndicatorReply) throws {
            let text = try line(reply)
            if text != last { try output.line(text) }
            last = text
        }
        while true {
            do {
                for try await reply in try await client.indicatorChanges() { try show(reply) }
            } catch is ClientError {
                // Not there yet, or not any more.
            }
            try show(IndicatorReply(sessions: []))
            try await pause()
        }
    }

    private func line(_ reply: IndicatorReply) throws -> String {
        switch kind {
        case .waybar: String(decoding: try JSONCoding.encoder().encode(IndicatorBar(reply)), as: UTF8.self)
        case .polybar: IndicatorBar.polybarLine(reply)
        }
    }
}

/// The statuses as sentences, each with what to do next.
enum StatusText {
    static func lines(_ reply: AuthorizationReply, language: Language = .ofPerson) -> [String] {
        let wording = language.commandWording
        func sentence(
            _ status: AuthorizationStatus, _ resource: Resource, _ grant: AuthorizationReply.Grant?
        ) -> String {
            if status == .restricted, reply.muted { return wording.everythingMuted(command: "voicegate unmute") }
            return wording.sentence(
                for: status, resource, extent: grant.map { " (\(wording.extent($0)))" } ?? "",
                settings: "voicegate settings \(reply.client)")
        }
        var lines = ["\(reply.name) (\(reply.client))"]
        lines += TextTable.lines([
            [
                "  " + wording.speechRecognition,
                sentence(reply.speechRecognition, .speechRecognition, reply.speechRecognitionGrant),
            ],
            ["  " + wording.microphone, sentence(reply.microphone, .microphone, reply.microphoneGrant)],
        ])
        return lines + reply.problems.map(wording.problem)
    }

    static func lines(_ reply: IndicatorReply, language: Language = .ofPerson) -> [String] {
        let wording = language.commandWording
        let muted = reply.muted ? [wording.everythingMuted(command: "voicegate unmute")] : []
        let sessions = reply.sessions.map { session in wording.listener(session) { DayAndTime.text($0) } }
        let nothing = reply.sessions.contains(where: \.isRunning) ? [] : [wording.nothingListens]
        return muted + sessions + nothing
    }

    static func word(_ status: AuthorizationStatus, language: Language = .ofPerson) -> String {
        language.commandWording.word(for: status)
    }
}
