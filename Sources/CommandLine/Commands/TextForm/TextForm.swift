/// Which of what was said is written as signs: English words for marks, and numbers.
public struct TextForm: Sendable, Hashable {
    /// "comma" becomes ",", "new line" a line's end; sentences begin with a capital letter.
    public var punctuation: Bool
    /// "twenty three" becomes 23. Single numbers below ten stay words, as in prose.
    public var numbers: Bool

    public static let asSaid = TextForm(punctuation: false, numbers: false)

    public init(punctuation: Bool, numbers: Bool) {
        self.punctuation = punctuation
        self.numbers = numbers
    }
}
