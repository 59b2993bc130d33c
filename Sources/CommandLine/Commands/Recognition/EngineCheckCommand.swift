import ArgumentParser
import CLinux
import EngineConformance
import Foundation

struct EngineCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Test a recogniser against the rules of the engine protocol.",
        discussion: """
            Each rule is a line:  kept, BROKEN or not tried, and the requirement. The exit code is 65 if a rule is broken. \
            The engine runs in the sandbox that the service puts it in, and may read what --reads and --model name.

            Example:  voicegate engine check --reads /opt/engine -- /opt/engine/run --model /opt/model
            """)

    @Option(help: .init("A recording of speech; half of the rules require one.", valueName: "file"))
    var clip: String?

    @Option(help: .init("The words in the recording.", valueName: "words"))
    var text: String?

    @Option(help: .init("A file or folder that the engine may read; repeat it for more.", valueName: "path"))
    var reads: [String] = []

    @Option(help: .init("The time limit of each rule.", valueName: "seconds"))
    var limit = 60

    @OptionGroup var outputOptions: OutputOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments.")
    var command: [String]

    func validate() throws {
        if (clip == nil) != (text == nil) { throw ValidationError("--clip and --text require each other.") }
        if !(1...3600).contains(limit) { throw ValidationError("--limit takes seconds, 1 to 3600.") }
    }

    func run() async throws {
        let output = outputOptions.output
        try await output.reportingErrors {
            let recording = try recording()
            let trial = EngineTrial(command: try confined(), recording: recording, limit: .seconds(limit))
            var isBroken = false
            for rule in EngineRule.allCases {
                let finding = try await Blocking.run { trial.finding(rule) }
                isBroken = isBroken || finding.result == .broken
                if output.isJSON {
                    try output.json(finding)
                } else if !outputOptions.quiet || finding.result == .broken {
                    try output.line(Self.line(finding))
                }
            }
            if isBroken { throw CommandError.reported(.badData) }
        }
    }

    /// The command, started as the service does.
    private func confined() throws(CommandError) -> [String] {
        guard vg_sandbox_landlock() > 0 else {
            throw CommandError(
                .cannotConfine,
                "The kernel has no Landlock, and the service starts engines only with it. Enable Landlock.")
        }
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = (own as NSString).deletingLastPathComponent
        let candidates = ["/voicegate-engine", "/../libexec/voicegate/voicegate-engine"].map { folder + $0 }
        guard let launcher = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw CommandError(
                .noInput, "voicegate-engine is missing beside \(folder)/voicegate. Install VoiceGate again.")
        }
        let models = command.indices.dropLast().filter { command[$0] == "--model" }.map { command[$0 + 1] }
        return [launcher] + (reads + models).flatMap { ["--readable", $0] } + ["--"] + command
    }

    private func recording() throws -> EngineTrial.Recording? {
        guard let clip, let text else { return nil }
        do {
            return try EngineTrial.Recording(path: clip, text: text)
        } catch {
            throw CommandError(.noInput, "\(clip) cannot be read as a sound file. Supply a WAV or FLAC file.")
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
