import SocketAPI
import Speech

/// A transcript's text as it grows, in OpenAI's events.
struct OpenAIText {
    private var text = ""

    /// What the utterance adds; `nil` where nothing was said.
    mutating func adding(_ transcript: Transcript) -> OpenAITranscriptEvent? {
        guard !transcript.text.isEmpty else { return nil }
        let delta = (text.isEmpty ? "" : " ") + transcript.text
        text += delta
        return .delta(delta)
    }

    var done: OpenAITranscriptEvent { .done(text) }
}
