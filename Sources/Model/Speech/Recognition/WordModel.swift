import Foundation

/// A trigram model of sentences with Witten-Bell smoothing, which needs no counts of counts and therefore suits short texts
/// (Witten and Bell, “The zero-frequency problem”, 1991, method C). Debian has no package that builds such models.
///
/// `p(w | h) = (c(hw) + t(h) · p(w | h')) / (c(h) + t(h))`, where `h'` is the history without its oldest word and `t(h)` the
/// number of different words after `h`. Without a history it is the relative frequency; words that are not in the text are
/// left to the model that this one is interpolated with.
public struct WordModel: Sendable {
    /// Words of all sentences, multiplied by their weights.
    public static let mostWords = 400_000

    private let words: [String]
    private let counts: [[(key: UInt64, count: Int)]]

    private static let begin = 0
    private static let end = 1
    private static let bits: UInt64 = 21
    private static let mask: UInt64 = 1 << bits - 1

    /// - Parameter sentences: `weight`: how many times the sentence counts.
    public init(_ sentences: [(words: [String], weight: Int)]) {
        var words = ["<s>", "</s>"]
        var numbers: [String: Int] = [:]
        var grams: [[UInt64]] = [[], [], []]
        for (sentence, weight) in sentences where !sentence.isEmpty && weight > 0 {
            guard grams[0].count + (sentence.count + 1) * weight <= Self.mostWords else { break }
            var line = [UInt64(Self.begin)]
            for word in sentence {
                let number = numbers[word] ?? words.count
                if number == words.count {
                    numbers[word] = number
                    words.append(word)
                }
                line.append(UInt64(number))
            }
            line.append(UInt64(Self.end))
            for _ in 0..<weight {
                for index in 1..<line.count {
                    grams[0].append(line[index])
                    grams[1].append(line[index - 1] << Self.bits | line[index])
                    if index > 1 {
                        grams[2].append(line[index - 2] << (2 * Self.bits) | line[index - 1] << Self.bits | line[index])
                    }
                }
            }
        }
        self.words = words
        self.counts = grams.map(Self.counted)
    }

    public var isEmpty: Bool { words.count <= 2 }

    /// The model as ARPA text, in logarithms to base 10: `\data\`, counts, `\1-grams:` … `\3-grams:`, `\end\`. Not for an empty
    /// model: PocketSphinx aborts on counts of 0.
    public var arpa: [UInt8] {
        precondition(!isEmpty, "an empty model has no ARPA text")
        let followers = [1, 2].map { Self.followers(counts[$0]) }
        let total = Double(counts[0].reduce(0) { $0 + $1.count })
        var lower: [UInt64: Double] = [:]
        var out = ARPAText(counts: [counts[0].count + 1] + counts.dropFirst().map(\.count))
        out.section(1)
        // The beginning of a sentence is never predicted.
        out.line(-99, [words[Self.begin]], backoff: followers[0][UInt64(Self.begin)]?.backoff)
        for (key, count) in counts[0] {
            let probability = Double(count) / total
            lower[key] = probability
            out.line(probability, [words[Int(key)]], backoff: followers[0][key]?.backoff ?? 1)
        }
        for order in 2...3 {
            out.section(order)
            var these: [UInt64: Double] = [:]
            let size = Self.bits * UInt64(order - 1)
            for (key, count) in counts[order - 1] {
                guard let history = followers[order - 2][key >> Self.bits] else { continue }
                let rest = lower[key & (1 << size - 1)] ?? 0
                let probability =
                    (Double(count) + Double(history.kinds) * rest) / Double(history.total + history.kinds)
                these[key] = probability
                let names = (0..<UInt64(order)).reversed().map { words[Int(key >> ($0 * Self.bits) & Self.mask)] }
                out.line(probability, names, backoff: order == 3 ? nil : followers[1][key]?.backoff ?? 1)
            }
            lower = these
        }
        return out.finished()
    }

    /// The words after a history.
    private struct Followers {
        var total = 0
        var kinds = 0

        /// The probability of other words.
        var backoff: Double { Double(kinds) / Double(total + kinds) }
    }

    private static func counted(_ grams: [UInt64]) -> [(key: UInt64, count: Int)] {
        var result: [(key: UInt64, count: Int)] = []
        for gram in grams.sorted() {
            if result.last?.key == gram { result[result.count - 1].count += 1 } else { result.append((gram, 1)) }
        }
        return result
    }

    private static func followers(_ counts: [(key: UInt64, count: Int)]) -> [UInt64: Followers] {
        var result: [UInt64: Followers] = [:]
        for (key, count) in counts {
            result[key >> bits, default: Followers()].total += count
            result[key >> bits, default: Followers()].kinds += 1
        }
        return result
    }
}

/// Writes a language model in the ARPA format.
struct ARPAText {
    private var bytes: [UInt8] = []

    /// - Parameter counts: of the n-grams of each order, none of them 0.
    init(counts: [Int]) {
        append("\n\\data\\\n")
        for (index, count) in counts.enumerated() { append("ngram \(index + 1)=\(count)\n") }
    }

    mutating func section(_ order: Int) { append("\n\\\(order)-grams:\n") }

    /// - Parameters:
    ///   - probability: more than 0; or -99, the format's mark for never.
    ///   - backoff: more than 0; `nil` in the highest order.
    mutating func line(_ probability: Double, _ words: [String], backoff: Double?) {
        append(probability < 0 ? "-99" : Self.logarithm(probability))
        append("\t\(words.joined(separator: " "))")
        if let backoff { append("\t\(Self.logarithm(backoff))") }
        append("\n")
    }

    consuming func finished() -> [UInt8] {
        append("\n\\end\\\n")
        return bytes
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// With four decimals, as in other tools. Foundation's formatting would take longer than the counting.
    private static func logarithm(_ value: Double) -> String {
        let units = Int((-log10(value) * 10_000).rounded())
        let decimals = String(10_000 + abs(units) % 10_000).dropFirst()
        return "\(units > 0 ? "-" : "")\(abs(units) / 10_000).\(decimals)"
    }
}
