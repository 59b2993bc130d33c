import Authorization

/// A sentence and the sound of a speaker who reads it.
public struct EnrolmentClip: Sendable, Hashable {
    public enum Sound: Sendable, Hashable {
        /// 16 kHz, mono.
        case samples([Int16])
        case file([UInt8])

        public var byteCount: Int {
            switch self {
            case .samples(let samples): 2 * samples.count
            case .file(let bytes): bytes.count
            }
        }
    }

    /// Checked wherever recordings are received.
    public enum Bounds {
        public static let mostClips = 200
        /// With fewer the gain cannot be measured.
        public static let fewestClips = 8
        /// Characters of a sentence.
        public static let longestText = 1_000
        /// Bytes of a sound file.
        public static let largestFile = 16 << 20
        /// Bytes of all of them.
        public static let largestTotal = 64 << 20
        /// Seconds of one, and of all.
        public static let longestClip = 60.0
        public static let longestTotal = 600.0
        /// Less cannot help.
        public static let shortestTotal = 20.0
    }

    public let text: String
    public let sound: Sound

    public init(text: String, sound: Sound) {
        self.text = text
        self.sound = sound
    }
}

/// A transform that was learnt from a voice, and its gain.
public struct Adaptation: Sendable, Hashable {
    /// As `SpeakerTransform` describes it, learnt from all recordings.
    public let transform: [UInt8]
    /// By cross-validation: each sentence was tested with a transform that was not learnt from it.
    public let gain: AdaptationGain
    /// Seconds of sound that it was learnt from.
    public let seconds: Double
    /// Indices of the recordings that could not be used: a word is unknown, or the text does not match.
    public let unused: [Int]

    public init(transform: [UInt8], gain: AdaptationGain, seconds: Double, unused: [Int]) {
        self.transform = transform
        self.gain = gain
        self.seconds = seconds
        self.unused = unused
    }
}

/// The effect of an adaptation on the errors in sentences that it was not learnt from.
public struct AdaptationGain: Sendable, Hashable, Codable {
    public let sentences: Int
    public let words: Int
    public let errorsBefore: Int
    public let errorsAfter: Int
    /// Sentences with fewer errors, and with more.
    public let better: Int
    public let worse: Int

    /// - Parameter sentences: the words of each, and its errors without and with the adaptation.
    public init(_ sentences: [(words: Int, before: Int, after: Int)]) {
        self.sentences = sentences.count
        words = sentences.reduce(0) { $0 + $1.words }
        errorsBefore = sentences.reduce(0) { $0 + $1.before }
        errorsAfter = sentences.reduce(0) { $0 + $1.after }
        better = sentences.count { $0.after < $0.before }
        worse = sentences.count { $0.after > $0.before }
    }

    public init(sentences: Int, words: Int, errorsBefore: Int, errorsAfter: Int, better: Int, worse: Int) {
        self.sentences = sentences
        self.words = words
        self.errorsBefore = errorsBefore
        self.errorsAfter = errorsAfter
        self.better = better
        self.worse = worse
    }

    /// Errors in 100 words, without and with the adaptation.
    public var rateBefore: Double { rate(errorsBefore) }
    public var rateAfter: Double { rate(errorsAfter) }

    /// Whether it helps: at least two and at least 3 % fewer errors, and more sentences better than worse, so that one sentence
    /// does not decide. A stricter test (5 % by the sign test) would need about 100 sentences to detect 10 % fewer errors.
    public var isClear: Bool {
        let fewer = errorsBefore - errorsAfter
        return fewer >= 2 && 100 * fewer >= 3 * errorsBefore && better > worse
    }

    private func rate(_ errors: Int) -> Double { words == 0 ? 0 : 100 * Double(errors) / Double(words) }
}

/// Why no voice could be learnt.
public typealias EnrolmentError = CodedError<EnrolmentErrorCode>

public enum EnrolmentErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// sphinxtrain is not installed.
    case toolMissing
    /// A tool failed.
    case toolFailed
    /// The model is missing, was refused, or cannot be adapted.
    case modelUnavailable
    /// A recording is unreadable or too long.
    case badAudio
    /// Too few usable recordings.
    case tooLittle
    /// Too many recordings.
    case tooMuch
    /// No folder in memory for data that must not reach a disk.
    case noMemory
    /// Another enrolment runs.
    case busy
    /// The learning process died, or took too long.
    case failed
    /// The other side broke the protocol.
    case protocolViolation
    case cancelled
}
