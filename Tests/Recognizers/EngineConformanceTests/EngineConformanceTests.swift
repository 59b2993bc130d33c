import Foundation
import TestSupport
import Testing

@testable import EngineConformance

@Suite("The rules of the engine protocol", .serialized, .timeLimit(.minutes(5)))
struct EngineConformanceTests {
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    static let model = "/usr/share/pocketsphinx/model/en-us"

    static func recording() throws -> EngineTrial.Recording {
        let clip = try #require(SpeechClip.librivox().first)
        return try EngineTrial.Recording(path: clip.path, text: clip.words)
    }

    @Test("VoiceGate's own recogniser passes each rule", arguments: EngineRule.allCases)
    func ours(rule: EngineRule) async throws {
        let program = Self.folder.appending(path: "voicegate-recognizer").path
        let trial = EngineTrial(command: [program, "--model", Self.model], recording: try Self.recording())
        let finding = await Self.finding(trial, rule)
        #expect(finding == EngineFinding(rule: rule, result: .kept, detail: nil))
    }

    @Test("a confined engine of another kind passes each rule", arguments: EngineRule.allCases)
    func another(rule: EngineRule) async throws {
        let python = try await PythonTools.interpreter()
        let script = Checkout.root.appending(path: "Documentation/engine/pocketsphinx5.py").path
        let trial = EngineTrial(
            command: Self.lockedIn(
                [python, script],
                reading: [URL(fileURLWithPath: python).deletingLastPathComponent().path + "/..", script]),
            recording: try Self.recording())
        let finding = await Self.finding(trial, rule)
        #expect(finding == EngineFinding(rule: rule, result: .kept, detail: nil))
    }

    /// How an engine can be wrong, the rule that finds it, and nothing else about it.
    static let faults: [(fault: String, rule: EngineRule)] = [
        ("silent", .greets), ("talks before it is asked", .greets), ("hears words in silence", .hearsNothingInSilence),
        ("counts wrong", .hearsNothingInSilence), ("never tells", .tellsOfItsProgress),
        ("answers nonsense", .refusesNonsense), ("outlives its socket", .endsWithItsSocket),
        ("takes anything for sound", .refusesWhatIsNoSoundFile), ("tells everything", .keepsToPhrases),
        ("takes any task", .keepsItsDeclaration), ("declares nonsense", .greets),
    ]

    @Test("an engine that breaks a rule is detected", arguments: faults)
    func broken(fault: String, rule: EngineRule) async throws {
        let script = Checkout.root.appending(path: "Tests/Support/Tools/faulty_engine.py").path
        let trial = EngineTrial(
            command: ["/usr/bin/python3", script, fault], recording: try Self.recording(), limit: .seconds(5))
        let finding = await Self.finding(trial, rule)
        #expect(finding.result == .broken)
        #expect(finding.detail?.isEmpty == false)
        let sound = EngineTrial(
            command: ["/usr/bin/python3", script, "none"], recording: try Self.recording(), limit: .seconds(20))
        #expect(await Self.finding(sound, rule).result == .kept, "the fault is not what was found")
    }

    @Test("a command that cannot be started is reported, and no rule hangs")
    func missing() async throws {
        let trial = EngineTrial(command: ["/nonexistent/engine"], recording: nil)
        let finding = await Self.finding(trial, .greets)
        #expect(finding.result == .broken)
        #expect(finding.detail?.contains("/nonexistent/engine") == true)
        #expect(await Self.finding(trial, .recognises).result == .notTried)
    }

    static func lockedIn(_ command: [String], reading paths: [String]) -> [String] {
        [folder.appending(path: "voicegate-engine").path] + paths.flatMap { ["--readable", $0] } + ["--"] + command
    }

    /// A trial blocks.
    static func finding(_ trial: EngineTrial, _ rule: EngineRule) async -> EngineFinding {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: trial.finding(rule)) }
        }
    }
}
