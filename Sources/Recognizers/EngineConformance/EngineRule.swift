/// The rules of Documentation/Engines.md that can be tried from outside.
public enum EngineRule: String, Sendable, Hashable, Codable, CaseIterable {
    case greets
    case hearsNothingInSilence
    case endsAtOnceWithoutAudio
    case tellsOfItsProgress
    case recognises
    case doesNotDependOnPieces
    case countsLostFrames
    case endsWithItsSocket
    case refusesNonsense
    case refusesAudioBeforeStart
    case readsSoundFiles
    case refusesWhatIsNoSoundFile
    case keepsToPhrases

    /// As a sentence about an engine.
    public var sentence: String {
        switch self {
        case .greets: "says ready, once, when its model is loaded, and nothing before it is asked"
        case .hearsNothingInSilence: "hears no words in silence, and tells how much audio it was"
        case .endsAtOnceWithoutAudio: "ends at once when there was no audio"
        case .tellsOfItsProgress: "tells of its progress for each two seconds of audio"
        case .recognises: "recognises what is said, with times within the audio"
        case .doesNotDependOnPieces: "hears the same whatever the pieces in which the audio comes"
        case .countsLostFrames: "counts lost audio in its times, and ends the utterance where it is missing"
        case .endsWithItsSocket: "ends when its socket is closed, also in the middle of a word"
        case .refusesNonsense: "refuses what is not the protocol, and does not hang"
        case .refusesAudioBeforeStart: "refuses audio before a session has begun"
        case .readsSoundFiles: "transcribes a sound file"
        case .refusesWhatIsNoSoundFile: "refuses what is no sound file as badAudio"
        case .keepsToPhrases: "tells of its client's phrases alone where only these may come out, or refuses them"
        }
    }
}
