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
