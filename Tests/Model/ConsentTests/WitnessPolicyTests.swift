import Foundation
import Testing

@testable import Consent

@Suite("Witness policies")
struct WitnessPolicyTests {
    private let keys: [NoteSigner]
    private let log: NoteSigner

    init() throws {
        keys = try (1...7).map {
            try #require(NoteSigner(name: "w\($0).example", seed: Data(repeating: UInt8($0), count: 32)))
        }
        log = try #require(NoteSigner(name: "example.org/log", seed: Data(repeating: 0, count: 32)))
    }

    /// Lines in which `%1` is the first witness's key, and `%0` the log's.
    private func data(_ text: String) -> Data {
        var text = text.replacing("%0", with: log.verifier.text)
        for (place, key) in keys.enumerated() { text = text.replacing("%\(place + 1)", with: key.witnessVerifier.text) }
        return Data(text.utf8)
    }

    private func policy(_ text: String) throws -> WitnessPolicy { try WitnessPolicy(data(text)) }

    private func problem(_ data: Data) -> WitnessPolicy.Problem? {
        do throws(WitnessPolicy.Problem) {
            _ = try WitnessPolicy(data)
            return nil
        } catch {
            return error
        }
    }

    /// A checkpoint that these witnesses cosigned.
    private func note(_ witnesses: [Int]) throws -> SignedNote {
        let text = "example.org/log\n1\n\(Data(repeating: 1, count: 32).base64EncodedString())\n"
        return try witnesses.reduce(try #require(try log.sign(text))) { note, witness in
            try #require(note.adding(try keys[witness - 1].cosign(text, at: 1_790_000_000)))
        }
    }

    /// With two levels of groups, as in the specification's example.
    private let nested = """
        # Two operators
        log %0
        witness X1 %1
        witness X2 %2 https://x2.example/
        \twitness X3 %3\u{20}\u{20}
        group X-witnesses 2 X1 X2 X3

        witness Y1 %4
        witness Y2 %5
        group Y-witnesses any Y1 Y2
        group X-and-Y all X-witnesses Y-witnesses
        quorum X-and-Y

        """

    @Test("the specification's example: of one group two, and of the other one")
    func groups() throws {
        let policy = try policy(nested)
        #expect(policy.logs == [log.verifier] && policy.witnesses == keys.prefix(5).map(\.witnessVerifier))
        #expect(policy.needsWitness && policy.summary == "a quorum of 5 witnesses")
        for chosen in 0..<32 {
            let witnesses = (1...5).filter { chosen >> ($0 - 1) & 1 == 1 }
            let isMet = witnesses.count { $0 <= 3 } >= 2 && witnesses.contains { $0 > 3 }
            #expect(try policy.isMet(by: note(witnesses)) == isMet, "\(witnesses)")
        }
    }

    @Test("one witness, a number of a group, all, any, and none")
    func quorums() throws {
        let three = "witness a %1\nwitness b %2\nwitness c %3\n"
        let cases: [(String, least: Int, summary: String)] = [
            ("group g 2 a b c\nquorum g\n", 2, "2 of 3 witnesses"),
            ("group g all a b c\nquorum g", 3, "3 of 3 witnesses"),
            ("group g any a b c\nquorum g\n", 1, "1 of 3 witnesses"), ("quorum none\n", 0, "none of 3 witnesses"),
        ]
        for (rest, least, summary) in cases {
            let policy = try policy(three + rest)
            #expect(policy.summary == summary && policy.needsWitness == (least > 0))
            for count in 0...3 { #expect(try policy.isMet(by: note(Array((1...3).prefix(count)))) == (count >= least)) }
        }
        let one = try policy(three + "quorum b\n")
        #expect(try one.isMet(by: note([2])) && !one.isMet(by: note([1, 3])) && one.summary == "1 of 1 witnesses")
        #expect(try policy("quorum none\n").witnesses.isEmpty)
    }

    @Test("names are octets: names that look the same differ")
    func names() throws {
        var text = data("witness ")
        text += Data([0xE2, 0x84, 0xAA]) + data(" %1\nwitness K %2\nwitness ") + Data([0xFF]) + data(" %3\nquorum K\n")
        #expect(try WitnessPolicy(text).isMet(by: note([2])))
    }

    @Test("each mistake is refused, at its line")
    func mistakes() {
        let two = "witness a %1\nwitness b %2\n"
        let wrongs: [(String, line: Int)] = [
            ("", 1), (two, 3), (two + "quorum c\n", 3), (two + "quorum\n", 3), (two + "quorum a b\n", 3),
            (two + "quorum a\nquorum a\n", 4), ("quorum a\n" + two, 1), (two + "group g all a c\nquorum g\n", 3),
            (two + "group g 0 a b\nquorum g\n", 3), (two + "group g 3 a b\nquorum g\n", 3),
            (two + "group g +1 a b\nquorum g\n", 3), (two + "group g some a b\nquorum g\n", 3),
            (two + "group g all\nquorum a\n", 3), (two + "group g all a a\nquorum g\n", 3),
            (two + "group g all a\ngroup h all a b\nquorum h\n", 4), (two + "group a all b\nquorum a\n", 3),
            (two + "group g all none\nquorum g\n", 3), (two + "group none all a\nquorum a\n", 3),
            ("witness none %1\nquorum none\n", 1), ("witness a %1\nwitness a %2\nquorum a\n", 2),
            ("witness a %1\nwitness b %1\nquorum a\n", 2), ("witness a %0\nquorum a\n", 1),
            ("witness a x\nquorum a\n", 1), ("witness a\nquorum none\n", 1), ("witness a %1 u v\nquorum a\n", 1),
            ("log %1\nquorum none\n", 1), ("log %0\nlog %0\nquorum none\n", 2), ("log %0 u v\nquorum none\n", 1),
            ("Quorum none\n", 1), ("quorum none\r\n", 1), ("quorum none \u{1}\n", 1), ("quorum none \u{7F}\n", 1),
            ("witness\u{A0}a %1\nquorum none\n", 1),
        ]
        for (text, line) in wrongs { #expect(problem(data(text))?.line == line, "\(text)") }
    }

    @Test("the size and the numbers of logs, witnesses and groups are bounded")
    func bounds() throws {
        func lines(_ count: Int) throws -> String {
            try (0..<count).map {
                let key = try #require(NoteSigner(name: "w", seed: Data(repeating: UInt8($0), count: 32)))
                return "witness w\($0) \(key.witnessVerifier)\nlog \(key.verifier)\ngroup g\($0) all w\($0)\n"
            }.joined()
        }
        #expect(try policy(lines(WitnessPolicy.most) + "quorum g63\n").witnesses.count == WitnessPolicy.most)
        #expect(try problem(data(lines(WitnessPolicy.most + 1) + "quorum none\n"))?.line == 3 * WitnessPolicy.most + 1)
        let comments = Data(repeating: UInt8(ascii: "#"), count: WitnessPolicy.maximumSize)
        #expect(problem(comments)?.reason == "there is no quorum line")
        #expect(problem(comments + [0x0A])?.reason.contains("larger") == true)
    }
}
