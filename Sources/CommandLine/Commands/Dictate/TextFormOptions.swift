import ArgumentParser

/// How the recognised words are written.
struct TextFormOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Write marks that are said by name: comma, period, question mark, new line, open quote … (English).")
    var punctuation: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Write numbers with digits: twenty three is 23, nineteen eighty four 1984 (English).")
    var numbers: Bool?

    var form: TextForm { TextForm(punctuation: punctuation ?? false, numbers: numbers ?? false) }
}
