import Foundation

/// A language model in the ARPA format, written line by line.
struct ARPAText {
    private var bytes: [UInt8] = []

    /// - Parameter counts: of the n-grams of each order, none of them 0.
    init(counts: [Int]) {
        append("\n\\data\\\n")
        for (index, count) in counts.enumerated() { append("ngram \(index + 1)=\(count)\n") }
    }

    mutating func section(_ order: Int) { append("\n\\\(order)-grams:\n") }

    /// - Parameters:
    ///   - probability: more than 0; or -99, the format's mark of what is never predicted.
    ///   - backoff: more than 0; `nil` in the highest order.
    mutating func line(_ probability: Double, _ words: [String], backoff: Double?) {
        if probability < 0 { append("-99") } else { append(logarithm: probability) }
        bytes.append(UInt8(ascii: "\t"))
        for (index, word) in words.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: " ")) }
            append(word)
        }
        if let backoff {
            bytes.append(UInt8(ascii: "\t"))
            append(logarithm: backoff)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    consuming func finished() -> [UInt8] {
        append("\n\\end\\\n")
        return bytes
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// With four places, as other tools write it. Formatting by the system's library takes longer than the counting.
    private mutating func append(logarithm value: Double) {
        let units = Int((-log10(value) * 10_000).rounded())
        if units > 0 { bytes.append(UInt8(ascii: "-")) }
        append(String(abs(units) / 10_000))
        bytes.append(UInt8(ascii: "."))
        var place = 1_000
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(abs(units) / place % 10))
            place /= 10
        }
    }
}
