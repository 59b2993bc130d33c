import ArgumentParser
import CommandClient
import Foundation
import LinuxSystem
import SocketAPI

enum SetupStep: String, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    case microphone, engine, agent
}

struct SetupCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Choose a microphone, a better engine, and where you are asked.",
        discussion: """
            The steps, each of which can be skipped and repeated:
              microphone  shows the level of each, tries the chosen one for five seconds, and plays them back
              engine      downloads an engine that makes fewer errors (moonshine-tiny-en), or that of your
                          locale's language (vosk-ko)
              agent       shows the prompts of other programs on your desktop, from each login on
            At the end it prints the commands for the rest: systemd, completions, a hot key. What it changes is \
            listed in $XDG_CONFIG_HOME/voicegate/setup.json, and --undo reverts it.
            Example:  voicegate setup
                      voicegate setup microphone --device default
                      voicegate setup --yes --skip engine
            """)

    @Argument(help: .init("Only these steps. (default: all)", valueName: "step"))
    var steps: [SetupStep] = []

    @Option(help: .init("Leave out a step; may be repeated.", valueName: "step"))
    var skip: [SetupStep] = []

    @Flag(help: "Do not ask: do all steps. A microphone is only chosen by --device.")
    var yes = false

    @Option(help: .init("The microphone; voicegate devices lists them.", valueName: "name"), completion: .devices)
    var device: String?

    @Option(help: .init("Where the trial is played back, by ALSA's name.", valueName: "name"))
    var playbackDevice: String?

    @Option(
        help: .init("The engine. (default: moonshine-tiny-en, or that of your locale's language)", valueName: "name"))
    var engine: String?

    @Flag(help: "Revert what setup has changed.")
    var undo = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if undo, !steps.isEmpty || !skip.isEmpty { throw ValidationError("--undo reverts all steps.") }
    }

    func run(_ context: CommandContext) async throws {
        let path = SetupRecord.path()
        var run = SetupRun(context: context, choices: self, recordPath: path, record: try SetupRecord.read(path))
        if undo { return try await run.undo() }
        try require(
            yes || context.isInteractive, .cannotAsk, status: .usage,
            "There is no terminal to ask at. To do all steps without questions: --yes")
        let chosen = (steps.isEmpty ? SetupStep.allCases : steps).filter { !skip.contains($0) }
        for (index, step) in chosen.enumerated() {
            context.output.note(
                (index > 0 ? "\n" : "")
                    + run.text.step(number: index + 1, count: chosen.count, name: run.text.stepName(step)))
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
    private(set) var made: [SetupRecord.Change] = []
    private(set) var failed: [SetupStep] = []

    var output: Output { context.output }
    /// The texts in the user's language.
    let text = SetupWording(language: .ofPerson)

    /// A step that fails is reported, and the others go on.
    mutating func perform(_ step: SetupStep) async throws {
        do {
            switch step {
            case .microphone: try await setUpMicrophone()
            case .engine: try await setUpEngine()
            case .agent: try await setUpAgent()
            }
        } catch {
            let status = output.report(error)
            if status == .interrupted { throw CommandError.interrupted }
            failed.append(step)
        }
    }

    /// Written at once: an interrupted run can be undone.
    mutating func note(_ change: SetupRecord.Change?) throws {
        guard let change else { return }
        record.changes.append(change)
        made.append(change)
        try record.write(to: recordPath)
    }

    /// - Parameters:
    ///   - question: its answer is yes with `--yes`.
    ///   - isUsual: whether Enter alone agrees.
    func agrees(_ question: String, isUsual: Bool = false) async throws -> Bool {
        if choices.yes { return true }
        return try await output.confirms(question, isUsual: isUsual)
    }

    func report() throws {
        if output.isJSON {
            try output.json([
                "changed": made.map(SetupWording(language: .english).text), "failed": failed.map(\.rawValue),
            ])
        }
        output.note("\n" + text(made.isEmpty ? .nothingChanged : .changed))
        for change in made { output.note("  " + text.text(of: change)) }
        if !record.changes.isEmpty { output.note(text(.toUndo)) }
        output.note("\n" + text(.next))
        guard failed.isEmpty else { throw CommandError.reported(.attention) }
    }

    /// In the opposite order. Changes that cannot be undone stay in the list.
    mutating func undo() async throws {
        guard !record.changes.isEmpty else { return output.note(text(.nothingToUndo)) }
        var remaining: [SetupRecord.Change] = []
        for change in record.changes.reversed() {
            do {
                let isDone = try await revert(change)
                let shown = text.text(of: change)
                output.note(isDone ? text.undone(change: shown) : text.left(change: shown))
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
            if path.hasSuffix("/config.yaml") { try await context.applyConfiguration() }
        case .engineInstalled(let id): try await context.client().removeEngine(id)
        case .engineUsed(let id, let previous):
            let client = try await context.client()
            guard try await client.engines().isUsed(id) else { return false }
            _ = try await client.useEngine(previous ?? "pocketsphinx", for: nil)
        case .unitEnabled:
            guard let unit = AgentUnit(), try await unit.state() == .enabled else { return false }
            try await unit.run("disable")
        }
        return true
    }
}
