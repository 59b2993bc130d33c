import ArgumentParser
import EngineConformance
import Foundation

struct EngineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine",
        abstract: "Recognisers of other kinds.",
        discussion: "How to write one, and how it is configured: Documentation/Engines.md",
        subcommands: [EngineCheckCommand.self])
}

struct EngineCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Try a recogniser against the rules of the engine protocol.",
        discussion: """
            Each rule is a line:  kept, BROKEN or not tried, and what is to be done. Exit code 65 when one is broken. \
            The engine is started as it is, not locked in; the service locks it in.

            Example:  voicegate engine check --clip hello.wav --text "hello world" -- /opt/engine/run --model /opt/model
            """)

    @Option(help: ArgumentHelp("A recording of a person; half of the rules need one.", valueName: "file"))
    var clip: String?

    @Option(help: ArgumentHelp("What is said in it.", valueName: "words"))
    var text: String?

    @Option(help: ArgumentHelp("How long the engine may take for each rule.", valueName: "seconds"))
    var limit = 60

    @Flag(help: "Print JSON, one rule a line.")
    var json = false

    @Flag(help: "Print broken rules alone.")
    var quiet = false

    @Argument(parsing: .postTerminator, help: "The program and its arguments.")
    var command: [String]

    func validate() throws {
        if (clip == nil) != (text == nil) { throw ValidationError("--clip and --text belong together.") }
        if !(1...3600).contains(limit) { throw ValidationError("--limit takes seconds, 1 to 3600.") }
    }

    func run() async throws {
        try await CommandContext.running(quiet: quiet, json: json) { output in
            let recording = try recording()
            let trial = EngineTrial(command: command, recording: recording, limit: .seconds(limit))
            var isBroken = false
            for rule in EngineRule.allCases {
                let finding = try await Blocking.run { trial.finding(rule) }
                isBroken = isBroken || finding.result == .broken
                if json {
                    try output.json(finding)
                } else if !quiet || finding.result == .broken {
                    try output.line(Self.line(finding))
                }
            }
            if isBroken { throw CommandError.alreadyTold(.badData) }
        }
    }

    private func recording() throws -> EngineTrial.Recording? {
        guard let clip, let text else { return nil }
        do {
            return try EngineTrial.Recording(path: clip, text: text)
        } catch {
            throw CommandError(.noInput, .noInput, "\(clip) cannot be read as a sound file.")
        }
    }

    private static func line(_ finding: EngineFinding) -> String {
        let word =
            switch finding.result {
            case .kept: "kept     "
            case .broken: "BROKEN   "
            case .notTried: "not tried"
            }
        return "\(word)  It \(finding.rule.sentence)." + (finding.detail.map { "\n           " + $0 } ?? "")
    }
}
