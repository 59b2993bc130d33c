import Foundation
import ProgramSupport
import TestSupport
import Testing

/// A real Whisper server behind the gate. Needs `wyoming-faster-whisper` in the PATH and a model's folder in
/// VOICEGATE_WHISPER_MODEL, which no package of Debian brings.
@Suite("wyoming-faster-whisper as an engine outside of the service", .timeLimit(.minutes(5)))
struct WhisperEngineTests {
    private static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/wyoming-faster-whisper" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let model = ProcessInfo.processInfo.environment["VOICEGATE_WHISPER_MODEL"]

    @Test(
        "its text is the final one",
        .enabled(
            if: program != nil && model != nil,
            "needs wyoming-faster-whisper in the PATH and a model's folder in VOICEGATE_WHISPER_MODEL"))
    func transcribes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/whisper.sock"
        let server = try RunningProgram(
            [
                try #require(Self.program), "--uri", "unix://\(path)", "--model", try #require(Self.model),
                "--data-dir", folder.path, "--language", "en",
            ], environment: ProcessInfo.processInfo.environment, isForeground: false)
        try await server.shows("Ready")
        let file = try folder.write("engine: wyoming:unix://\(path)\n", to: "config.yaml")
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll, options: ["--configuration", file])
        try service.registerCurl()
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":1}"#])
        await dictation.end()
        let events = dictation.lines.compactMap { StreamEvent($0) }
        let text = events.filter { $0.type == "final" }.compactMap(\.text).joined(separator: " ").lowercased()
        #expect(text.contains("forward"), "\(text)")
    }
}
