/// A sentence and the sound of somebody who reads it.
public struct EnrolmentClip: Sendable, Hashable {
    public enum Sound: Sendable, Hashable {
        /// 16 kHz, mono.
        case samples([Int16])
        /// A sound file as it is on disk.
        case file([UInt8])

        public var byteCount: Int {
            switch self {
            case .samples(let samples): 2 * samples.count
            case .file(let bytes): bytes.count
            }
        }
    }

    /// Bounds that are checked wherever recordings come in.
    public enum Bounds {
        public static let mostClips = 200
        /// Fewer sentences tell nothing about the gain.
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

/// What was learnt of a voice, and what it is good for.
public struct Adaptation: Sendable, Hashable {
    /// The matrix as `SpeakerTransform` describes it, learnt from all recordings.
    public let transform: [UInt8]
    /// Measured with matrices that each did not see the sentences it was tried on.
    public let gain: AdaptationGain
    /// Seconds of sound that it was learnt from.
    public let seconds: Double
    /// Places of the recordings that were of no use: a word is unknown, or something else was said.
    public let unused: [Int]

    public init(transform: [UInt8], gain: AdaptationGain, seconds: Double, unused: [Int]) {
        self.transform = transform
        self.gain = gain
        self.seconds = seconds
        self.unused = unused
    }
}

/// What an adaptation did to the errors in sentences that it was not learnt from.
public struct AdaptationGain: Sendable, Hashable, Codable {
    /// A sentence that was kept back: how many words it has, and how many were wrong without and with the adaptation.
    public struct Sentence: Sendable, Hashable {
        public let words: Int
        public let before: Int
        public let after: Int

        public init(words: Int, before: Int, after: Int) {
            self.words = words
            self.before = before
            self.after = after
        }
    }

    public let sentences: Int
    public let words: Int
    public let errorsBefore: Int
    public let errorsAfter: Int
    /// Sentences with fewer errors than before, and with more.
    public let better: Int
    public let worse: Int

    public init(_ sentences: [Sentence]) {
        self.sentences = sentences.count
        words = sentences.reduce(0) { $0 + $1.words }
        errorsBefore = sentences.reduce(0) { $0 + $1.before }
        errorsAfter = sentences.reduce(0) { $0 + $1.after }
        better = sentences.count { $0.after < $0.before }
        worse = sentences.count { $0.after > $0.before }
    }

    /// For whoever reads the numbers from somewhere else.
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

    /// Whether it helps: at least two errors in total less, at least 3 % less, and more sentences better than worse, so
    /// that one sentence that happened to come out well does not decide.
    ///
    /// A stricter test (5 % by the sign test) would need about 100 sentences to notice a tenth fewer errors.
    public var isClear: Bool {
        let fewer = errorsBefore - errorsAfter
        return fewer >= 2 && 100 * fewer >= 3 * errorsBefore && better > worse
    }

    private func rate(_ errors: Int) -> Double { words == 0 ? 0 : 100 * Double(errors) / Double(words) }
}

/// Why no voice could be learnt.
public struct EnrolmentError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Codable, Hashable, CaseIterable {
        /// sphinxtrain is not installed.
        case toolMissing
        /// A tool failed.
        case toolFailed
        /// The model is missing, was refused, or cannot be adapted.
        case modelUnavailable
        /// A recording is no sound file, or is too long.
        case badAudio
        /// Not enough that can be used.
        case tooLittle
        /// More than is taken.
        case tooMuch
        /// No place in memory for what must not reach a disk.
        case noMemory
        /// Another enrolment runs.
        case busy
        /// The process that learns died, or took too long.
        case failed
        /// What the other side sent is not the protocol.
        case protocolViolation
        /// Given up.
        case cancelled
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
