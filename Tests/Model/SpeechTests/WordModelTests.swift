import Foundation
import Speech
import TestSupport
import Testing

@Suite("The word model")
struct WordModelTests {
    /// Reads ARPA text by the format's own rules.
    private struct Read {
        var counts: [Int: Int] = [:]
        var probability: [[String]: Double] = [:]
        var backoff: [[String]: Double] = [:]
        var isEnded = false

        init(_ bytes: [UInt8]) throws {
            var order = 0
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                if line == "\\data\\" { continue }
                if line == "\\end\\" { isEnded = true; continue }
                #expect(!isEnded, "nothing stands behind the end")
                if line.hasPrefix("ngram ") {
                    let parts = line.dropFirst(6).split(separator: "=")
                    let (order, count) = (try #require(Int(parts[0])), try #require(Int(parts[1])))
                    counts[order] = count
                } else if line.hasPrefix("\\") {
                    order = try #require(Int(line.dropFirst().prefix(1)))
                } else {
                    let parts = line.split(separator: "\t")
                    let words = parts[1].split(separator: " ").map(String.init)
                    #expect(words.count == order)
                    #expect(probability[words] == nil, "\(words) is there twice")
                    probability[words] = pow(10, try #require(Double(parts[0])))
                    if parts.count > 2 { backoff[words] = pow(10, try #require(Double(parts[2]))) }
                }
            }
        }

        func value(_ word: String, after history: [String]) -> Double {
            if let known = probability[history + [word]] { return known }
            guard !history.isEmpty else { return 0 }
            return (backoff[history] ?? 1) * value(word, after: Array(history.dropFirst()))
        }
    }

    private static let book = [
        (words: ["the", "art", "of", "printing"], weight: 1),
        (words: ["the", "art", "of", "making", "books"], weight: 2),
        (words: ["printing"], weight: 1),
    ]

    @Test("the text has as many n-grams as its counts, each once, and an end")
    func wellFormed() throws {
        for sentences in [Self.book, [(words: ["a"], weight: 1)]] {
            let read = try Read(WordModel(sentences).arpa)
            #expect(read.isEnded)
            #expect(Set(read.counts.keys) == [1, 2, 3])
            for (order, count) in read.counts {
                #expect(count > 0, "PocketSphinx ends the process on none")
                #expect(read.probability.keys.filter { $0.count == order }.count == count)
            }
        }
    }

    @Test("the probabilities after each history sum to one")
    func sums() throws {
        let read = try Read(WordModel(Self.book).arpa)
        let words = read.probability.keys.filter { $0.count == 1 && $0 != ["<s>"] }.map { $0[0] }
        #expect(abs(words.reduce(0) { $0 + read.value($1, after: []) } - 1) < 0.001)
        for history in [["<s>"], ["the"], ["of"], ["the", "art"], ["art", "of"], ["<s>", "printing"]] {
            let sum = words.reduce(0) { $0 + read.value($1, after: history) }
            #expect(abs(sum - 1) < 0.002, "\(history): \(sum)")
        }
    }

    @Test("words of the text are more likely than others, and those with a greater weight even more")
    func order() throws {
        let read = try Read(WordModel(Self.book).arpa)
        #expect(read.value("of", after: ["the", "art"]) > 0.7)
        #expect(read.value("making", after: ["art", "of"]) > read.value("printing", after: ["art", "of"]))
        #expect(read.value("printing", after: ["art", "of"]) > read.value("books", after: ["art", "of"]))
        #expect(read.value("books", after: ["art", "of"]) > 0)
    }

    @Test("a model without sentences is empty, and one with too many is truncated")
    func bounds() {
        #expect(WordModel([]).isEmpty)
        #expect(WordModel([(words: [], weight: 5), (words: ["a"], weight: 0)]).isEmpty)
        #expect(WordModel([(words: ["a"], weight: .max >> 8)]).isEmpty)
        #expect(!WordModel([(words: ["a"], weight: 1), (words: ["b"], weight: WordModel.mostWords)]).isEmpty)
    }
}
