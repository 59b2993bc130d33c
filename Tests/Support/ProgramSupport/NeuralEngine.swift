import Foundation
import TestSupport
import Testing

/// The neural engine of the catalogue.
public enum NeuralEngine {
    /// Its folder: `VOICEGATE_TEST_ENGINE`, or what `Tests/Support/Tools/setup-engine` has made; `nil`: it could not be downloaded.
    public static let folder = CatalogueEngine.folder("moonshine-tiny-en", variable: "VOICEGATE_TEST_ENGINE")
}

/// The Korean engine of the catalogue.
public enum KoreanEngine {
    /// As that of `NeuralEngine`, with the variable `VOICEGATE_TEST_VOSK`.
    public static let folder = CatalogueEngine.folder("vosk-ko", variable: "VOICEGATE_TEST_VOSK")

    /// The samples of Korean speech of a synthetic voice (`Tests/Support/Tools/speak`).
    public static func speech(_ text: String) async throws -> [Int16] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/speech.wav"
        let program = try RunningProgram(
            [Checkout.root.appending(path: "Tests/Support/Tools/speak").path, text, path],
            environment: ["PATH": "/usr/bin:/bin"], isForeground: false)
        try #require(await program.end() == 0, "\(program.errorText)")
        return try SpeechClip(path: path, words: text).samples()
    }
}

private enum CatalogueEngine {
    static func folder(_ id: String, variable: String) -> String? {
        let folder =
            ProcessInfo.processInfo.environment[variable]
            ?? Checkout.root.appending(path: ".build/test-engine/" + id).path
        return FileManager.default.fileExists(atPath: folder + "/engine.json") ? folder : nil
    }
}
