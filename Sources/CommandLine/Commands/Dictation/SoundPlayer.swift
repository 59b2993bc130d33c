import Foundation
import LinuxSystem
import Speech

/// Plays tones and recordings with ALSA's aplay.
struct SoundPlayer: Sendable {
    /// A sound server that does not answer must not block the dictation.
    static let limit = Duration.seconds(2)

    private let path: String
    /// ALSA's PCM name for playback.
    private let device: String?

    init(_ tools: DeliveryTools, device: String?) throws(CommandError) {
        let path = try require(
            tools.path(of: "aplay"), .missingTool,
            "aplay, which plays sound, is not installed. To install it: sudo apt install alsa-utils")
        self.path = path
        self.device = device
    }

    /// Returns the error when the tone was played; `nil`: none.
    func play(_ tone: Tone) async -> String? {
        await play(tone.samples, rate: Tone.sampleRate, "The tone", within: Self.limit)
    }

    /// Plays one channel.
    ///
    /// - Parameter name: of the sound, in an error.
    func play(_ samples: [Int16], rate: Int, _ name: String, within limit: Duration) async -> String? {
        do {
            let wave = WaveHeader.bytes(ofData: Int64(samples.count * 2), rate: rate) + Frames.bytes(of: samples)
            let run = try await Tool(path: path).run(
                ["--quiet", "--file-type", "wav"] + (device.map { ["--device", $0] } ?? []) + ["-"],
                ToolCall(input: [UInt8](wave), output: .discarded, complaints: .kept, limit: limit))
            if run.isOverdue { return "\(name) could not be played within \(limit.components.seconds) seconds." }
            guard run.status != 0 else { return nil }
            return "\(name) could not be played: \(run.complaint.split(separator: "\n").last ?? "aplay failed.")"
        } catch {
            return "\(name) could not be played: \(error)"
        }
    }
}

/// A short sound of two notes, rising at the start and falling at the end.
enum Tone: Sendable, Hashable, CaseIterable {
    case start, stop

    static let sampleRate = 48_000
    /// Seconds of one note.
    static let note = 0.06
    /// Full scale is 1.
    static let loudness = 0.2

    private var frequencies: [Double] { self == .start ? [660, 990] : [990, 660] }

    /// One channel. Each note fades in and out to avoid clicks.
    var samples: [Int16] {
        let count = Int(Self.note * Double(Self.sampleRate))
        return frequencies.flatMap { frequency in
            (0..<count).map { frame in
                let swell = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(count))
                let wave = sin(2 * .pi * frequency * Double(frame) / Double(Self.sampleRate))
                return Int16(wave * swell * Self.loudness * 32_767)
            }
        }
    }
}
