import Foundation

/// What a model of language and sound writes, and its bounds: on noise and on long speech such models repeat themselves without end
/// (1,363 words in 139 s of stuttering speech).
enum SpokenText {
    /// No one says more in a second; fast readers say 4 to 5.
    private static let mostWordsASecond = 8.0
    /// Too few to judge their rate or their repetition.
    private static let fewest = 8
    /// Words of the longest phrase that is searched for repetition, and how often in a row it may occur.
    private static let longestPhrase = 8
    private static let mostRepetitions = 4

    /// The words with their punctuation. Signs without a letter or a digit, such as “♪”, are not words.
    static func words(in text: String) -> [String] {
        text.split { $0.isWhitespace }.compactMap { part in
            let word = part.unicodeScalars.filter { !CharacterSet.controlCharacters.contains($0) }
            let hasSound = word.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            return hasSound ? String(String.UnicodeScalarView(word)) : nil
        }
    }

    /// Decibels of speech above its noise. With less, two words in five are wrong: 13.9 in 100 at an estimate of 10 to 14, 22 at 8 to
    /// 10, 43 at 3 to 6.
    static let neededDecibels = 6.0
    /// With less, a moment like a voice, or more words than its length permits, is a sound of music: of 75 such words in 143 minutes
    /// without singing 10 remain, and of 2,900 words in noise 7 are lost. Clean speech has at least 18.
    private static let faintDecibels = 9.0
    private static let shortestFaintVoice = 0.75
    /// The most in speech is 4.9, but 6 of an utterance of two seconds.
    private static let mostWordsASecondOfFaintVoice = 5.0

    /// - Parameters:
    ///   - voice: seconds with a voice.
    ///   - decibels: of the speech above its noise.
    /// - Returns: `false`: the words of an utterance come from music or noise.
    static func isSaid(_ words: Int, voice: Double, decibels: Double) -> Bool {
        decibels >= faintDecibels
            || voice >= shortestFaintVoice && Double(words) <= mostWordsASecondOfFaintVoice * voice
    }

    /// The same for a word however it is written.
    static func plain(_ word: String) -> String { word.lowercased().filter { $0.isLetter || $0.isNumber } }

    static func isPossible(_ words: [String], in seconds: Double) -> Bool {
        words.count < fewest
            || Double(words.count) <= mostWordsASecond * seconds && withoutLoops(words).count == words.count
    }

    /// As many of the words as can be said in this time, without loops.
    static func cut(_ words: [String], to seconds: Double) -> [String] {
        Array(withoutLoops(words).prefix(max(fewest, Int(mostWordsASecond * seconds))))
    }

    /// Phrases that occur more than `mostRepetitions` times in a row are left once.
    private static func withoutLoops(_ words: [String]) -> [String] {
        let plain = words.map(plain)
        var kept: [String] = []
        var place = 0
        while place < words.count {
            let loop = (1...longestPhrase).lazy.compactMap { length -> Range<Int>? in
                guard place + length <= plain.count else { return nil }
                let phrase = plain[place..<place + length]
                var end = place + length
                while end + length <= plain.count, plain[end..<end + length].elementsEqual(phrase) { end += length }
                return (end - place) / length > mostRepetitions ? place..<end : nil
            }.first { $0.count >= fewest }
            guard let loop else {
                kept.append(words[place])
                place += 1
                continue
            }
            let length = (1...longestPhrase).first { length in
                loop.count % length == 0
                    && plain[loop.lowerBound..<loop.upperBound - length].elementsEqual(
                        plain[loop.lowerBound + length..<loop.upperBound])
            }
            kept += words[loop.lowerBound..<loop.lowerBound + (length ?? loop.count)]
            place = loop.upperBound
        }
        return kept
    }
}

/// Places words in time.
enum WordTimes {
    /// Letters that a word's beginning and end count as.
    private static let margin = 2.0

    /// Divides the windows with a voice among the words, in proportion to their letters.
    ///
    /// - Parameters:
    ///   - voices: whether each window has a voice; at least one has.
    ///   - windowLength: seconds.
    static func placed(_ words: [String], in voices: [Bool], windowLength: Double) -> [PieceWord] {
        let spoken = voices.indices.filter { voices[$0] }
        let lengths = words.map { Double($0.count) + margin }
        let total = lengths.reduce(0, +)
        guard !spoken.isEmpty, total > 0 else { return [] }
        /// - Parameter share: of the time with a voice, 0…1.
        func time(_ share: Double, isEnd: Bool) -> Double {
            let place = share * Double(spoken.count)
            // The end of a word before a pause is before it, the start of the next after it.
            let index = min(max(isEnd ? Int(place.rounded(.up)) - 1 : Int(place), 0), spoken.count - 1)
            return (Double(spoken[index]) + min(max(place - Double(index), 0), 1)) * windowLength
        }
        var before = 0.0
        return zip(words, lengths).map { word, length in
            defer { before += length }
            return PieceWord(
                text: word, start: time(before / total, isEnd: false), end: time((before + length) / total, isEnd: true)
            )
        }
    }
}

/// Where speech that has no pause is cut.
enum QuietPlace {
    private static let window = 800

    /// The middle of the 50 ms with the least energy.
    ///
    /// - Parameter range: indices of the samples; at least 50 ms.
    static func index(in samples: ArraySlice<Float>, within range: Range<Int>) -> Int {
        var best = (energy: Float.infinity, place: range.lowerBound + range.count / 2)
        for start in stride(from: range.lowerBound, through: range.upperBound - window, by: window / 4) {
            let energy = samples[start..<start + window].reduce(0) { $0 + $1 * $1 }
            if energy < best.energy { best = (energy, start + window / 2) }
        }
        return best.place
    }
}
