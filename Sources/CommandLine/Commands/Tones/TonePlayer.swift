import LinuxSystem

/// Plays tones by ALSA's own player.
struct TonePlayer: Sendable {
    /// A sound server that does not answer must not keep anybody from dictating.
    static let limit = Duration.seconds(2)

    private let path: String
    /// ALSA's PCM name for playback.
    private let device: String?

    /// - Throws: `CommandError` with `missingTool`.
    init(_ tools: DeliveryTools, device: String?) throws(CommandError) {
        guard let path = tools.path(of: "aplay") else {
            throw CommandError(
                .missingTool, .unavailable, "aplay, which plays the tones, is missing: sudo apt install alsa-utils")
        }
        self.path = path
        self.device = device
    }

    /// Returns when the tone was heard.
    ///
    /// - Returns: why it was not; `nil` when it was.
    func play(_ tone: Tone) async -> String? {
        do {
            let run = try await Tool(path: path).run(
                ["--quiet", "--file-type", "wav"] + (device.map { ["--device", $0] } ?? []) + ["-"],
                ToolCall(input: tone.wave, output: .discarded, complaints: .kept, limit: Self.limit))
            if run.isOverdue { return "The tone could not be played within \(Self.limit.components.seconds) seconds." }
            guard run.status != 0 else { return nil }
            return "The tone could not be played: \(run.complaint.split(separator: "\n").last ?? "aplay failed.")"
        } catch {
            return "The tone could not be played: \(error)"
        }
    }
}
