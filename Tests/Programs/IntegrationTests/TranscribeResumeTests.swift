import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Each format is resumed after one of the interruptions.
@Suite("voicegate transcribe that is interrupted", .timeLimit(.minutes(5)))
struct TranscribeResumeTests {
    let service: ServiceUnderTest
    let folder: TemporaryFolder
    let sound: String
    var output: String { folder.path + "/text" }

    init() async throws {
        service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        folder = try TemporaryFolder()
        // A command, three times, with pauses between.
        let forward = try HumanSpeech.samples(HumanSpeech.goForward)
        let samples = (0..<3).flatMap { _ in forward + [Int16](repeating: 0, count: 20_000) }
        sound = folder.path + "/sound.wav"
        try HumanSpeech.wav(samples, sampleRate: 16_000, channels: 1).write(to: URL(fileURLWithPath: sound))
    }

    private func arguments(_ format: String, _ more: [String] = []) -> [String] {
        ["transcribe", sound, "--format", format, "--output", output] + more
    }

    private func written() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

    /// What the command writes when nothing interrupts it.
    private func undisturbed(_ format: String) async throws -> String {
        #expect(try await service.run(arguments(format)).status == 0)
        let text = try written()
        try FileManager.default.removeItem(atPath: output)
        #expect(!FileManager.default.fileExists(atPath: output + ".resume"))
        return text
    }

    /// Starts the command and waits until something, but not all, is written.
    private func begun(_ format: String) async throws -> RunningProgram {
        let program = try service.commandLine(arguments(format))
        try await eventually { ((try? written()) ?? "").contains("forward") }
        return program
    }

    private func resumed(_ format: String) async throws -> (status: Int32, errors: String) {
        let (status, _, errors) = try await service.run(arguments(format, ["--resume"]))
        return (status, errors)
    }

    @Test(
        "Ctrl-C ends it with 130; resuming gives the uninterrupted output", arguments: ["text", "srt"])
    func interrupted(_ format: String) async throws {
        let whole = try await undisturbed(format)
        let program = try await begun(format)
        program.signal(SIGINT)
        #expect(await program.end() == 130)
        #expect(program.errorText.contains("--resume"), "\(program.errorText)")
        let place = try FileManager.default.attributesOfItem(atPath: output + ".resume")
        #expect(place[.posixPermissions] as? Int == 0o600)
        #expect(whole.hasPrefix(try written().split(separator: "\n").first ?? "nothing"))
        let (status, errors) = try await resumed(format)
        #expect(status == 0, "\(errors)")
        #expect(try written() == whole)
        #expect(!FileManager.default.fileExists(atPath: output + ".resume"))
    }

    @Test("when killed it leaves complete segments, and an incomplete one is not kept")
    func killed() async throws {
        let whole = try await undisturbed("vtt")
        let program = try await begun("vtt")
        program.signal(SIGKILL)
        await program.end()
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("00:00:".utf8))
        try handle.close()
        #expect(try await resumed("vtt").status == 0)
        #expect(try written() == whole)
    }

    @Test("a killed recogniser is an error, and --resume continues")
    func workerKilled() async throws {
        let whole = try await undisturbed("json")
        let program = try await begun("json")
        for worker in try workers() { kill(worker, SIGKILL) }
        #expect(await program.end() == 69)
        #expect(try await resumed("json").status == 0)
        #expect(try written() == whole)
    }

    @Test("a complete output is left alone, with and without --resume")
    func complete() async throws {
        #expect(try await service.run(arguments("text")).status == 0)
        let whole = try written()
        #expect(try await resumed("text").status == 0)
        let (status, _, errors) = try await service.run(arguments("text"))
        #expect(status == 74)
        #expect(errors.contains("exists already"), "\(errors)")
        #expect(try written() == whole)
    }

    @Test("another sound file is not resumed")
    func changed() async throws {
        let program = try await begun("text")
        program.signal(SIGKILL)
        await program.end()
        let before = try written()
        #expect(try await service.run(arguments("srt", ["--resume"])).status == 64)
        try HumanSpeech.wav([1, 2, 3], sampleRate: 16_000, channels: 1).write(to: URL(fileURLWithPath: sound))
        #expect(try await resumed("text").status == 64)
        #expect(try written() == before)
    }

    /// The recogniser of the file: the one that has more to do than the command line of a warm one says.
    private func workers() throws -> [pid_t] {
        let task = "/proc/\(service.program.processIdentifier)/task"
        let children = try FileManager.default.contentsOfDirectory(atPath: task).flatMap {
            try String(contentsOfFile: "\(task)/\($0)/children", encoding: .utf8).split(separator: " ")
        }
        return children.compactMap { pid_t($0) }.filter {
            (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8))?.contains("--file-decoders") == true
        }
    }
}
