import Foundation
import Speech
import TestSupport
import Testing

@Suite("Grammars as text")
struct GrammarTests {
    private static func grammar(_ rules: String) -> String { "#JSGF V1.0;\ngrammar test;\n\(rules)" }

    private static let cards = grammar(
        """
        public <cards> = <card>+ | <rank> <rank>; // a hand
        /* one card */
        <card> = <rank> [ of ] <suit> {card};
        <suit> = clubs | hearts | /3/ diamonds | /0/ nothing;
        <rank> = ace | two | "queen" | King;
        """)

    @Test(
        "the graph accepts exactly what the rules accept",
        arguments: [
            (
                cards, ["ace of clubs", "two hearts queen of diamonds", "king two", "ace ace"],
                ["ace", "", "ace of", "clubs", "ace of clubs two", "ace of nothing", "King"]
            ),
            (
                grammar("public <a> = go [ [ very ] far ] (north | south)* ;"),
                ["go", "go far", "go very far north", "go north south north"], ["go very", "north", "go far far"]
            ),
            (grammar("public <a> = one <a> | two;"), ["two", "one two", "one one one two"], ["one", "two one", ""]),
            (grammar("public <a> = x <b>; <b> = y <a> | z;"), ["x z", "x y x z"], ["x", "x y", "x y z"]),
            (grammar("public <a> = yes; public <b> = no;"), ["yes", "no"], ["yes no"]),
            (grammar("public <a> = <NULL> | ice-cream;"), ["", "ice cream"], ["ice"]),
            (grammar("public <a> = good <VOID> | bad;"), ["bad"], ["good"]),
            ("\u{FEFF}#JSGF V1.0;grammar a;public <b> = yes;", ["yes"], ["no"]),
            (
                "#JSGF V1.0;grammar com.example.robot;public <go> = go <com.example.robot.dir> | back <robot.dir>;"
                    + "<dir> = left | right;", ["go left", "back right"], ["go"]
            ),
            ("#JSGF V1.0 UTF-8 en;grammar a.b;public <a>=\"turn on\" (the light)+;", ["turn on the light"], ["turn"]),
        ])
    func accepts(_ text: String, _ allowed: [String], _ other: [String]) throws {
        let graph = try Grammar(text).graph
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        for sentence in allowed { #expect(graph.accepts(words(sentence)), "\(sentence)") }
        for sentence in other { #expect(!graph.accepts(words(sentence)), "\(sentence)") }
    }

    @Test("states and probabilities are valid for a recogniser")
    func graph() throws {
        let graph = try Grammar(Self.cards).graph
        #expect(graph.arcs.allSatisfy { 0..<graph.states ~= $0.from && 0..<graph.states ~= $0.to })
        #expect(graph.arcs.allSatisfy { $0.probability > 0 && $0.probability <= 1 })
        #expect(try Grammar(Self.cards).words == ["ace", "two", "queen", "king", "of", "clubs", "hearts", "diamonds"])
    }

    @Test(
        "an error is refused with its reason and line",
        arguments: [
            ("", "line 1"), ("hello", "line 1"), ("#JSGF V1.0", "“;” is missing"), ("#JSGF V1.0;", "grammar NAME"),
            ("#JSGF V1.0; grammar ;", "no name"),
            (grammar(""), "no rule is public"), (grammar("<a> = b;"), "no rule is public"),
            (grammar("public <a> = b"), "“;” is missing"), (grammar("public <a> = ;"), "line 3"),
            (grammar("public <a> = b | ;"), "<NULL>"), (grammar("public <a> b;"), "“=” is missing"),
            (grammar("public <a> = (b;"), "“)” is missing"), (grammar("public <a> = [b;"), "“]” is missing"),
            (grammar("public <a> = b);"), "“;” is missing"), (grammar("public <a> = * b;"), "nothing before it"),
            (grammar("public <a> = b <c;"), "no “>”"), (grammar("public <a> = b {c;"), "no “}”"),
            (grammar("public <a> = \"b;"), "no “\"”"), (grammar("public <a> = b /* c;"), "no end"),
            (grammar("public <a> = /x/ b;"), "weight"), (grammar("public <a> = /-1/ b;"), "weight"),
            (grammar("public <a> = /nan/ b | /inf/ c;"), "weight"),
            (grammar("public <a> = b /1/;"), "precede an alternative"),
            (grammar("public <a> = b; <a> = c;"), "defined twice"), (grammar("public <a> = <b>;"), "no rule <b>"),
            (grammar("import <b.c>; public <a> = b;"), "imports"),
            (grammar("public <a> = <b.c>;"), "not a rule's name"),
            (grammar("public <> = b;"), "begins with its name"), (grammar("public <a> = ...;"), "not a word"),
            (grammar("public <a> = <a> b;"), "begins with itself"),
            (grammar("public <a> = <a>;"), "begins with itself"),
            (grammar("public <a> = [x] <a> b | c;"), "begins with itself"),
            (grammar("public <a> = <b>; <b> = <c>* <a> | y; <c> = x;"), "begins with itself"),
            (grammar("public <a> = x <a> y | z;"), "refers to itself elsewhere"),
            (grammar("public <a> = x <a>;"), "accepts nothing that ends"),
            (grammar("public <a> = <VOID>;"), "accepts nothing that ends"),
            (grammar("public <a> = /0/ b;"), "accepts nothing that ends"),
        ])
    func refused(_ text: String, _ reason: String) throws {
        let error = #expect(throws: RecognitionError.self) { _ = try Grammar(text) }
        #expect(error?.code == .grammarRefused)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("a grammar that would grow without bound in the recogniser is refused")
    func tooLarge() throws {
        // Each rule says the next one twice: a million words.
        let doubling = (0..<20).map { "<r\($0)> = <r\($0 + 1)> <r\($0 + 1)>;" }.joined() + "<r20> = x;"
        let optional = "public <a> = " + (0..<3_000).map { _ in "[x]" }.joined(separator: " ") + ";"
        let many = (0..<2_000).map { "<r\($0)> = x;" }.joined()
        let nested = "public <a> = " + String(repeating: "(", count: 5_000) + "x;"
        let chain = (0..<200).map { "<r\($0)> = y <r\($0 + 1)> z;" }.joined() + "<r200> = x;"
        for rules in [
            doubling + "public <a> = <r0>;", optional, nested, many + "public <a> = x;", chain + "public <a> = <r0>;",
        ] { #expect(failure(RecognitionError.self) { try Grammar(Self.grammar(rules)) }?.code == .grammarRefused) }
        let long = #expect(throws: RecognitionError.self) {
            _ = try Grammar(Self.grammar("// " + String(repeating: "x", count: RecognitionTask.longestGrammar)))
        }
        #expect(long?.message.contains("64 KiB") == true)
    }

    @Test("a damaged grammar is refused or read, and never crashes")
    func damaged() {
        var generator = SeededGenerator(seed: 7)
        let bytes = Array(Self.cards.utf8)
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            do throws(RecognitionError) {
                let graph = try Grammar(String(decoding: damaged, as: UTF8.self)).graph
                #expect(!graph.arcs.isEmpty)
            } catch {
                #expect(error.code == .grammarRefused)
            }
        }
    }
}
