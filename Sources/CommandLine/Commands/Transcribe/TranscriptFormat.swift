import ArgumentParser

/// How a file's text is written.
enum TranscriptFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// A line for each utterance.
    case text
    /// An object for each file, with its name, its text and each utterance's words and times.
    case json
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles.
    case vtt
}
