import Speech
import Testing

@Suite("Transforms of a model's means")
struct SpeakerTransformTests {
    /// One class, two streams of 1 and 2 values.
    private static let good = "1\n2\n1\n1.5 \n-0.5 \n1.0 \n2\n1 0 \n0 1e-3 \n0.1 0.2 \n1.0 1.0 \n"

    private func fits(_ text: String, streams: [Int] = [1, 2]) -> Bool {
        SpeakerTransform.fits(Array(text.utf8), streams: streams)
    }

    @Test("a transform of the model's dimensions fits")
    func good() { #expect(fits(Self.good)) }

    @Test(
        "a transform of other dimensions does not fit: it would abort the process",
        arguments: [[1], [2, 1], [1, 2, 2], [], [1, 3]])
    func dimensions(_ streams: [Int]) { #expect(!fits(Self.good, streams: streams)) }

    @Test("a transform with a missing or surplus field does not fit")
    func lengths() {
        let fields = Self.good.split(whereSeparator: \.isWhitespace)
        for index in fields.indices {
            var less = fields
            less.remove(at: index)
            #expect(!fits(less.joined(separator: " ")), "without field \(index)")
        }
        #expect(!fits(Self.good + " 1"))
    }

    @Test(
        "implausible numbers do not fit",
        arguments: ["nan", "inf", "1e300", "0x10", "99999", "--1", "1.5.5", "a", ""])
    func numbers(_ number: String) {
        #expect(!fits(Self.good.replacing("1.5", with: number)))
        #expect(!fits(Self.good.replacing("1.0 1.0", with: "1.0 \(number)")))
    }

    @Test("scales of variances are positive") func scales() {
        #expect(
            !fits(
                Self.good.replacing(
                    "1.0 "
                        + "1.0", with: "1.0 -1.0")))
    }

    @Test("more than a megabyte does not fit")
    func long() { #expect(!fits(Self.good + String(repeating: " ", count: 1 << 20))) }
}
