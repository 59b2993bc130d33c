import TestSupport
import Testing

@Suite("The tests' word error rate")
struct WordErrorRateTests {
    @Test(
        "the table",
        arguments: [
            ("", "", 0), ("a b c", "a b c", 0), ("a b c", "", 3), ("", "a b", 2), ("a b c", "a x c", 1),
            ("a b c", "a c", 1), ("a b c", "a b b c", 1), ("A, b!", "a b", 0), ("a b c d", "b c d a", 2),
        ])
    func table(reference: String, hypothesis: String, errors: Int) {
        #expect(WordErrorRate(reference: reference, hypothesis: hypothesis).errors == errors)
    }
}
