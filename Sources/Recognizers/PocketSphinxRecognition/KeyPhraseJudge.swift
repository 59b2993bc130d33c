import RecognizerWorker
import Speech

/// Finds key phrases within an utterance.
///
/// The utterance is decoded twice, whatever the number of phrases: freely, and as any sequence of the words that were heard and of
/// the phrases. A phrase that the second decoding finds must fit about as well as the freely recognised words there do.
struct KeyPhraseJudge {
    private struct Phrase: Sendable {
        let key: KeyPhrase
        let words: [String]
    }

    /// Frames are 10 ms of the utterance.
    private struct HeardWord: Sendable {
        let word: String
        let first: Int
        let last: Int
    }

    /// A place in the utterance where a phrase may be.
    private struct Finding {
        let phrase: Phrase
        let frames: Range<Int>
    }

    /// Frames of talk after which a breath ends an utterance, so that phrases are found while somebody keeps talking.
    static let longLength = 800

    private static let frameLength = 160
    /// Frames added on both sides: sounds of adjacent words overlap.
    private static let margin = 4
    /// Of a word that is not of a phrase. With the weight of a graph 14 nats, as much as a phrase of a second may fit worse.
    private static let wordProbability = 0.1

    private let phrases: [Phrase]
    private let decoders: Decoders
    private let worked: () -> Void

    /// - Parameters:
    ///   - phrases: of words that the dictionary has.
    ///   - worked: called after each part of the work; none takes longer than a free decoding of the utterance.
    init(_ phrases: [KeyPhrase], decoders: Decoders, worked: @escaping () -> Void) {
        self.phrases = phrases.map { Phrase(key: $0, words: PhraseBook.words(of: $0.text)) }
        self.decoders = decoders
        self.worked = worked
    }

    /// What was found, in order, with times that do not overlap: each phrase as its client wrote it. A phrase within a longer one
    /// follows that one, because the first of a client's monitors to be triggered is the only one. Waits for the decoder.
    func transcripts(of utterance: Utterance) -> [Transcript] {
        var latest = utterance.start
        return findings(in: utterance.samples).map { finding in
            let start = min(max(latest, utterance.start + Double(finding.frames.lowerBound) / 100), utterance.end)
            let end = min(max(start, utterance.start + Double(finding.frames.upperBound) / 100), utterance.end)
            latest = end
            return Transcript(text: finding.phrase.key.text, start: start, end: end, words: [])
        }
    }

    private func findings(in samples: [Int16]) -> [Finding] {
        let heard = step { Self.heard($0.segments(of: samples)) } ?? []
        guard !heard.isEmpty else { return [] }
        var findings = places(of: phrases, in: heard)
        let graph = GrammarGraph(
            sequencesOf: Set(heard.map(\.word)), wordProbability: Self.wordProbability, phrases: phrases.map(\.words))
        let reading = step { $0.reading(of: samples, as: graph).map { Self.heard($0.segments) } } ?? []
        for candidate in places(of: phrases, in: reading) {
            let isKnown = findings.contains {
                $0.phrase.words == candidate.phrase.words && $0.frames.overlaps(candidate.frames)
            }
            guard !isKnown, let said = confirmed(candidate, in: samples, heard) else { continue }
            findings.append(said)
        }
        return Self.ordered(findings)
    }

    /// By place; the longest first where one is within another.
    private static func ordered(_ findings: [Finding]) -> [Finding] {
        func place(_ finding: Finding) -> Int {
            let middle = (finding.frames.lowerBound + finding.frames.upperBound) / 2
            return findings.filter {
                $0.frames.contains(middle) && $0.phrase.words.contains(finding.phrase.words)
            }.map(\.frames.lowerBound).min() ?? finding.frames.lowerBound
        }
        return findings.map { (finding: $0, key: (place($0), -$0.phrase.words.count, $0.frames.lowerBound)) }
            .sorted { $0.key < $1.key }.map(\.finding)
    }

    /// The finding, if its phrase fits the words that were heard there.
    private func confirmed(_ finding: Finding, in samples: [Int16], _ heard: [HeardWord]) -> Finding? {
        let stretch = heard.filter { finding.frames.contains(($0.first + $0.last) / 2) }
        guard let first = stretch.first?.first, let last = stretch.last?.last else { return nil }
        let start = max(0, first - Self.margin) * Self.frameLength
        let end = min(samples.count, (last + 1 + Self.margin) * Self.frameLength)
        guard start < end else { return nil }
        let piece = Array(samples[start..<end])
        let (words, others) = (finding.phrase.words, stretch.map(\.word))
        let fits: (phrase: Double, heard: Double)? = step { decoder in
            guard let reading = decoder.reading(of: piece, as: GrammarGraph(phrases: [words])),
                let free = decoder.reading(of: piece, as: GrammarGraph(phrases: [others]))
            else { return nil }
            return (reading.fit, free.fit)
        }
        guard let fits, fits.phrase >= fits.heard - finding.phrase.key.tolerance else { return nil }
        return Finding(phrase: finding.phrase, frames: first..<last + 1)
    }

    /// Where the words have a phrase.
    private func places(of phrases: [Phrase], in heard: [HeardWord]) -> [Finding] {
        let words = heard.map(\.word)
        return phrases.flatMap { phrase in
            var found: [Finding] = []
            var start = 0
            while start + phrase.words.count <= words.count {
                let end = start + phrase.words.count
                if words[start..<end].elementsEqual(phrase.words) {
                    found.append(Finding(phrase: phrase, frames: heard[start].first..<heard[end - 1].last + 1))
                    start = end
                } else {
                    start += 1
                }
            }
            return found
        }
    }

    private static func heard(_ segments: [Segment]) -> [HeardWord] {
        segments.compactMap { segment in
            Vocabulary.word(segment.word).map { HeardWord(word: $0, first: segment.first, last: segment.last) }
        }
    }

    private func step<Value: Sendable>(_ work: @escaping @Sendable (Decoder) -> Value?) -> Value? {
        defer { worked() }
        return decoders.result(work)
    }
}
