/// How much a text says, roughly: a character of Chinese, Japanese or Korean counts as two letters.
enum TextColumns {
    static func count(_ text: String) -> Int {
        text.reduce(0) { sum, character in
            switch character.unicodeScalars.first.flatMap(Script.init) {
            case .kana, .han, .hangul: sum + 2
            default: sum + 1
            }
        }
    }
}
