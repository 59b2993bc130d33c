import CommandText
import Foundation
import SocketAPI
import TestSupport
import Testing

@testable import Commands

@Suite("Results and messages do not mix", .timeLimit(.minutes(1)))
struct OutputTests {
    /// A pipe whose reading end gives all that was written.
    private final class Reader {
        private let pipe = Pipe()
        var descriptor: Int32 { pipe.fileHandleForWriting.fileDescriptor }

        func all() throws -> String {
            try pipe.fileHandleForWriting.close()
            return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }

        func stopReading() throws { try pipe.fileHandleForReading.close() }
    }

    @Test("without a terminal nothing is drawn")
    func piped() throws {
        let (results, messages) = (Reader(), Reader())
        let output = Output(
            isQuiet: false, isJSON: false, results: results.descriptor, messages: messages.descriptor,
            environment: ["TERM": "xterm"])
        output.live("go for")
        output.note("Listening.")
        try output.line("go forward")
        output.clearLive()
        #expect(try results.all() == "go forward\n")
        #expect(try messages.all() == "Listening.\n")
    }

    @Test("a name that a result or a message quotes does not control the terminal")
    func names() throws {
        let (results, messages) = (Reader(), Reader())
        let output = Output(isQuiet: false, isJSON: false, results: results.descriptor, messages: messages.descriptor)
        let name = "\u{1B}[2J\u{202E}x"
        try output.result(name, ["\(name) listens.", "first\nsecond"])
        try output.lines([name])
        output.note(name)
        let shown = #"\u{1b}[2J\u{202e}x"#
        #expect(try results.all() == "\(shown) listens.\nfirst\nsecond\n\(shown)\n")
        #expect(try messages.all() == shown + "\n")
    }

    @Test("in a terminal the live line is cleared for a result and drawn again")
    func terminal() throws {
        let terminal = try PseudoTerminal(columns: 20)
        let output = Output(
            isQuiet: false, isJSON: false, results: terminal.terminal, messages: terminal.terminal,
            environment: ["TERM": "xterm"])
        output.live("go for")
        try output.line("ten")
        output.live("go forward ten meters and")
        let shown = terminal.read(until: "and\u{1B}[K")
        #expect(
            shown == "\rgo for\u{1B}[K" + "\r\u{1B}[K" + "ten\r\n" + "\rgo for\u{1B}[K"
                + "\r…ard ten meters and\u{1B}[K")
    }

    @Test(
        "a dumb terminal, quiet and JSON show no live line",
        arguments: [
            (["TERM": "dumb"], false, false), ([:], false, false), (["TERM": "xterm"], true, false),
            (["TERM": "xterm"], false, true),
        ])
    func dumb(_ environment: [String: String], _ isQuiet: Bool, _ isJSON: Bool) throws {
        let terminal = try PseudoTerminal()
        let output = Output(
            isQuiet: isQuiet, isJSON: isJSON, results: terminal.terminal, messages: terminal.terminal,
            environment: environment)
        output.live("go for")
        try output.line("ten")
        #expect(terminal.read(until: "ten\r\n") == "ten\r\n")
    }

    @Test("an error is a sentence for the user, and with JSON an object for the program")
    func problem() throws {
        let (results, messages) = (Reader(), Reader())
        let output = Output(
            isQuiet: true, isJSON: true, results: results.descriptor, messages: messages.descriptor, environment: [:])
        output.note("Not shown when quiet.")
        _ = output.report(ErrorReply(code: "denied", message: "No.", settings: "voicegate settings"))
        #expect(
            try results.all() == #"{"error":{"code":"denied","message":"No.","settings":"voicegate settings"}}"# + "\n")
        #expect(try messages.all() == "voicegate: No.\nTo allow it: voicegate settings\n")
    }

    @Test("a closed reader is not a failure")
    func closed() throws {
        signal(SIGPIPE, SIG_IGN)
        let results = Reader()
        try results.stopReading()
        let output = Output(isQuiet: false, isJSON: false, results: results.descriptor, environment: [:])
        #expect(throws: OutputClosed.self) { try output.line("ten") }
    }
}

@Suite("The live line")
struct LiveLineTests {
    @Test("shows the end of wide text and leaves a column free")
    func fitted() {
        #expect(LiveLine.fitted("go forward", width: 11) == "go forward")
        #expect(LiveLine.fitted("go forward", width: 10) == "… forward")
        #expect(LiveLine.fitted("go", width: 1) == "…")
        #expect(LiveLine.fitted("", width: 80).isEmpty)
    }

    @Test("speech cannot move the cursor")
    func cleaned() { #expect(LiveLine.fitted("a\n\u{1B}[2Jb", width: 80) == "a [2Jb") }

    @Test("overwrites the old text without clearing it first, and writes nothing for the same text")
    func drawing() {
        var line = LiveLine()
        #expect(line.clearing() == nil)
        #expect(line.drawing("go", width: 80) == "\rgo\u{1B}[K")
        #expect(line.drawing("go", width: 80) == nil)
        #expect(line.clearing() == "\r\u{1B}[K")
        #expect(line.redrawing() == "\rgo\u{1B}[K")
        #expect(line.drawing("", width: 80) == "\r\u{1B}[K")
        #expect(line.redrawing() == nil)
    }

    @Test(
        "a level's bar is full at full scale and empty in a quiet room",
        arguments: [(0.0, 10), (-30.0, 5), (-60.0, 0), (-96.0, 0), (3.0, 10)])
    func level(_ decibels: Double, _ filled: Int) {
        #expect(LevelBar.text(decibels).count { $0 == "#" } == filled)
        #expect(LevelBar.text(decibels).count == LevelBar.cells + 2)
    }

    @Test("table columns are aligned, without trailing spaces")
    func table() { #expect(TextTable.lines([["A", "B"], ["long", "x"], ["s"]]) == ["A     B", "long  x", "s"]) }
}
