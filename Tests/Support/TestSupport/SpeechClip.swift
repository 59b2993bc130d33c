import Foundation

/// Human speech with its words, from Debian's package `pocketsphinx-testdata`. 16 kHz, one channel.
public struct SpeechClip: Sendable, Hashable {
    private static let folder = "/usr/share/pocketsphinx/test/data/"

    public let path: String
    public let words: String

    /// - Parameter path: of a WAV file with the shortest header, or of raw samples.
    public init(path: String, words: String) {
        self.path = path
        self.words = words
    }

    public static let goForward = SpeechClip(path: folder + "goforward.raw", words: "go forward ten meters")

    /// Five sentences of "Sense and Sensibility".
    public static func librivox() throws -> [SpeechClip] {
        try String(contentsOfFile: folder + "librivox/transcription", encoding: .utf8).split(separator: "\n").map {
            let parts = $0.split(separator: "(")
            let words = parts[0].replacingOccurrences(of: "<s>", with: "").replacingOccurrences(of: "</s>", with: "")
            return SpeechClip(
                path: folder + "librivox/" + parts[1].dropLast() + ".wav",
                words: words.trimmingCharacters(in: .whitespaces))
        }
    }

    /// Those of the five with the fewest words: decoding takes about as long as the speech.
    public static func shortest(_ count: Int) throws -> [SpeechClip] {
        Array(try librivox().sorted { $0.words.utf8.count < $1.words.utf8.count }.prefix(count))
    }

    /// The file as it is.
    public func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    public func samples() throws -> [Int16] {
        // These WAV files have the shortest header there is.
        let bytes = try bytes().dropFirst(path.hasSuffix(".wav") ? 44 : 0)
        return stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
            Int16(truncatingIfNeeded: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }
}
