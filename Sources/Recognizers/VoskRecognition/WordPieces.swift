import Speech

/// How words are written with the words of a model. Models of languages that are written in syllables have parts of words: for
/// Korean `불 을 켜 주 세요` instead of `불을 켜 주세요`.
struct WordPieces {
    /// Of a word, those with the fewest pieces: how a word is divided in the model's training texts is not known.
    private static let mostReadings = 4
    /// Characters.
    private static let longestPiece = 12

    let knows: (_ word: String) -> Bool

    /// Sentences for the library, which together have each arc of the graph, in each reading of its word.
    ///
    /// - Throws: `refusal` of the first word that the model cannot write.
    func sentences(
        of graph: GrammarGraph, refusal: (_ word: String) -> RecognitionError
    ) throws(RecognitionError) -> [String] {
        var readings: [String: [[String]]] = [:]
        for word in Set(graph.arcs.compactMap(\.word)).sorted() {
            let found = self.readings(of: word)
            guard !found.isEmpty else { throw refusal(word) }
            readings[word] = found
        }
        var sentences: [String] = []
        var known: Set<String> = []
        for sentence in graph.coveringSentences {
            for number in 0..<Self.mostReadings {
                let pieces = sentence.flatMap { word in
                    let own = readings[word] ?? []
                    return own[min(number, own.count - 1)]
                }
                let text = pieces.joined(separator: " ")
                if known.insert(text).inserted { sentences.append(text) }
            }
        }
        return sentences
    }

    /// Sequences of words that the model knows, with the fewest first; empty if there are none.
    func readings(of word: String) -> [[String]] {
        for whole in [word, word.uppercased()] where knows(whole) && !Self.isSyllabic(word) { return [[whole]] }
        guard Self.isSyllabic(word) else { return [] }
        let letters = Array(word)
        // Of the first letters.
        var readings: [[[String]]] = [[[]]]
        for end in 1...letters.count {
            var found: [[String]] = []
            for start in max(0, end - Self.longestPiece)..<end where !readings[start].isEmpty {
                let piece = String(letters[start..<end])
                if knows(piece) { found += readings[start].map { $0 + [piece] } }
            }
            readings.append(
                Array(
                    found.enumerated().sorted { ($0.1.count, $0.0) < ($1.1.count, $1.0) }.map(\.1).prefix(
                        Self.mostReadings)))
        }
        return readings[letters.count]
    }

    /// Whether each letter is a syllable or a word: Hangul, Kana or Han. Otherwise a word's parts are not said as they are written.
    private static func isSyllabic(_ word: String) -> Bool {
        !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                [0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3].contains { $0.contains(Int(scalar.value)) }
            }
    }
}

extension GrammarGraph {
    /// For each arc with a word a shortest sentence with it; at most as many as there are arcs.
    var coveringSentences: [[String]] {
        let before = shortest(from: start, Dictionary(grouping: arcs, by: \.from)) { $0.to }
        let after = shortest(from: end, Dictionary(grouping: arcs, by: \.to)) { $0.from }
        var sentences: [[String]] = []
        var known: Set<[String]> = []
        for arc in arcs {
            guard let word = arc.word, let head = before[arc.from], let tail = after[arc.to] else { continue }
            let sentence = head + [word] + tail.reversed()
            if known.insert(sentence).inserted { sentences.append(sentence) }
        }
        return sentences
    }

    /// The words on a path to each state with the fewest arcs.
    private func shortest(
        from state: Int, _ arcs: [Int: [Arc]], _ next: (Arc) -> Int
    ) -> [Int: [String]] {
        var paths: [Int: [String]] = [state: []]
        var queue = [state]
        var place = 0
        while place < queue.count {
            let state = queue[place]
            place += 1
            for arc in arcs[state] ?? [] where paths[next(arc)] == nil {
                paths[next(arc)] = (paths[state] ?? []) + (arc.word.map { [$0] } ?? [])
                queue.append(next(arc))
            }
        }
        return paths
    }

    /// The words of a sentence of the graph that is written in lower case without spaces; `nil`: it is none.
    func words(in text: String) -> [String]? {
        let outgoing = Dictionary(grouping: arcs, by: \.from)
        struct Place: Hashable {
            let state: Int
            let index: String.Index
        }
        let first = Place(state: start, index: text.startIndex)
        var paths: [Place: [String]] = [first: []]
        var queue = [first]
        while let place = queue.popLast() {
            if place.state == end, place.index == text.endIndex { return paths[place] }
            for arc in outgoing[place.state] ?? [] {
                let word = arc.word?.lowercased() ?? ""
                guard text[place.index...].hasPrefix(word) else { continue }
                let next = Place(state: arc.to, index: text.index(place.index, offsetBy: word.count))
                guard paths[next] == nil else { continue }
                paths[next] = (paths[place] ?? []) + (arc.word.map { [$0] } ?? [])
                queue.append(next)
            }
        }
        return nil
    }
}
