import ArgumentParser
import CommandClient
import Foundation
import LinuxSystem
import SocketAPI

enum SetupStep: String, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    case microphone, service, engine, completions
    case hotKey = "hot-key"
    case agent
}

struct SetupCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Choose a microphone, try it, and set up what goes with dictation.",
        discussion: """
            The steps, each of which can be skipped and repeated:
              microphone   shows the level of each, tries the chosen one for five seconds, and plays them back
              service      lets systemd start the service, where it can
              engine       downloads an engine that makes fewer errors (moonshine-tiny-en)
              completions  of the shell
              hot-key      a key that begins and ends dictation
              agent        starts with the desktop, and asks for other programs
            What it changes is listed in $XDG_CONFIG_HOME/voicegate/setup.json, and --undo takes it back.
            Example:  voicegate setup
                      voicegate setup microphone --device default
                      voicegate setup --yes --skip engine --skip hot-key
            """)

    @Argument(help: .init("Only these steps. (default: all)", valueName: "step"))
    var steps: [SetupStep] = []

    @Option(help: .init("Leave out a step; may be repeated.", valueName: "step"))
    var skip: [SetupStep] = []

    @Flag(help: "Do not ask: do all steps. A microphone and a hot key are only chosen by --device and --hot-key.")
    var yes = false

    @Option(help: .init("The microphone; voicegate devices lists them.", valueName: "name"))
    var device: String?

    @Option(help: .init("Where the trial is played back, by ALSA's name.", valueName: "name"))
    var playbackDevice: String?

    @Option(help: .init("The engine.", valueName: "name"))
    var engine = "moonshine-tiny-en"

    @Option(help: .init("The shell: bash, zsh or fish. (default: $SHELL)", valueName: "name"))
    var shell: String?

    @Option(help: .init("The key for dictation, as GNOME writes it.", valueName: "keys"))
    var hotKey: String?

    @Flag(help: "Take back what setup has changed.")
    var undo = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if undo, !steps.isEmpty || !skip.isEmpty { throw ValidationError("--undo takes back all steps.") }
        if let shell, CompletionShell(rawValue: shell) == nil { throw ValidationError("--shell is bash, zsh or fish.") }
    }

    func run(_ context: CommandContext) async throws {
        let path = SetupRecord.path()
        var run = SetupRun(
            context: context, choices: self, recordPath: path, record: try SetupRecord.read(path))
        if undo { return try await run.undo() }
        guard yes || context.isInteractive else {
            throw CommandError(
                .cannotAsk, status: .usage, "There is no terminal to ask at. To do all steps without questions: --yes")
        }
        let chosen = (steps.isEmpty ? SetupStep.allCases : steps).filter { !skip.contains($0) }
        for (index, step) in chosen.enumerated() {
            context.output.note(
                (index > 0 ? "\n" : "") + run.text(.step(step, number: index + 1, count: chosen.count)))
            try await run.perform(step)
        }
        try run.report()
    }
}

/// One run of `voicegate setup`.
struct SetupRun {
    let context: CommandContext
    let choices: SetupCommand
    let recordPath: String
    var record: SetupRecord
    /// The changes of this run.
    private var made: [SetupRecord.Change] = []
    private var failed: [SetupStep] = []

    var output: Output { context.output }
    /// The texts in the user's language.
    var text: @Sendable (SetupText) -> String { { $0.text(in: .ofPerson) } }

    init(context: CommandContext, choices: SetupCommand, recordPath: String, record: SetupRecord) {
        self.context = context
        self.choices = choices
        self.recordPath = recordPath
        self.record = record
    }

    /// A step that fails is reported, and the others go on.
    mutating func perform(_ step: SetupStep) async throws {
        do {
            switch step {
            case .microphone: try await setUpMicrophone()
            case .service: try await setUpService()
            case .engine: try await setUpEngine()
            case .completions: try await setUpCompletions()
            case .hotKey: try await setUpHotKey()
            case .agent: try await setUpAgent()
            }
        } catch {
            let status = output.report(error)
            if status == .interrupted { throw CommandError.interrupted }
            failed.append(step)
        }
    }

    /// Written at once: an interrupted run can be taken back.
    mutating func note(_ change: SetupRecord.Change?) throws {
        guard let change else { return }
        record.changes.append(change)
        made.append(change)
        try record.write(to: recordPath)
    }

    /// - Parameter question: its answer is yes with `--yes`.
    func agrees(_ question: String) async throws -> Bool {
        if choices.yes { return true }
        return try await output.confirms(question)
    }

    func report() throws {
        if output.isJSON {
            try output.json(["changed": made.map(\.description), "failed": failed.map(\.rawValue)])
        }
        output.note("\n" + text(made.isEmpty ? .nothingChanged : .changed))
        for change in made { output.note("  " + text(.change(change))) }
        if !record.changes.isEmpty { output.note(text(.toUndo)) }
        output.note(text(.toDictate))
        guard failed.isEmpty else { throw CommandError.reported(.attention) }
    }

    /// In the opposite order. What cannot be taken back stays in the list.
    mutating func undo() async throws {
        guard !record.changes.isEmpty else { return output.note(text(.nothingToUndo)) }
        var remaining: [SetupRecord.Change] = []
        for change in record.changes.reversed() {
            do {
                let isDone = try await revert(change)
                output.note(text(isDone ? .undone(change) : .left(change)))
            } catch {
                _ = output.report(error)
                remaining.insert(change, at: 0)
            }
        }
        record.changes = remaining
        try record.write(to: recordPath)
        guard remaining.isEmpty else { throw CommandError.reported(.attention) }
    }

    /// - Returns: `false` if the user has changed it since.
    private func revert(_ change: SetupRecord.Change) async throws -> Bool {
        switch change {
        case .file(let path, let text, let previous):
            guard try SetupFile.restore(path, from: text, to: previous) else { return false }
            if path.hasSuffix("/config.yaml") { try await context.reloadService() }
        case .serviceEnabled:
            try await context.enableService(false)
        case .engineInstalled(let id):
            try await context.client().removeEngine(id)
        case .engineUsed(let id, let previous):
            let client = try await context.client()
            guard try await client.engines().isUsed(id) else { return false }
            _ = try await client.useEngine(previous ?? "pocketsphinx", for: nil)
        case .hotKey:
            guard let keys = DesktopKeys() else {
                throw CommandError(
                    .missingTool, "The hot key cannot be removed here. In the desktop: voicegate setup --undo")
            }
            try await keys.unbind()
        }
        return true
    }
}

extension EngineListReply {
    func isUsed(_ id: String) -> Bool { engines.contains { $0.id == id && !$0.usedFor.isEmpty } }
}
