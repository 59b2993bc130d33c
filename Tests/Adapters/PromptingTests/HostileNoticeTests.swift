import Authorization
import Glibc
import TestSupport
import Testing

@testable import Prompting

/// Manifests as a reader would refuse most of them: what comes through to a prompt must be harmless all the same.
@Suite(
    "Notices that imitate a prompt", .serialized, .timeLimit(.minutes(3)),
    .enabled(if: access(TerminalScreen.program, X_OK) == 0, "takes tmux"))
struct HostileNoticeTests {
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var name = "Notes"
        var reason = "Listens while you hold the key."
        var purpose = "Writing notes."
        var retention: String?
        var recipients: [String] = []
        var phrases: [String] = []
        var path = "/usr/bin/evil"
        /// A program without a manifest runs VoiceGate's command.
        var isRegistered = true
        var language = Language.english

        init(_ description: String, _ make: (inout Attack) -> Void) {
            testDescription = description
            make(&self)
        }

        var prompt: Prompt {
            get throws {
                let manifest = Manifest(
                    identifier: try #require(ClientIdentifier(rawValue: "org.example.evil")), name: name,
                    executablePath: path, usageDescriptions: [.speechRecognition: reason],
                    practices: DataPractices(
                        kinds: [.liveAudio], purpose: purpose, retention: retention, recipients: recipients),
                    phrases: phrases)
                let program = Executable(path: path, device: 1, inode: 2, sha256: "00")
                let requester = Requester(
                    caller: Caller(
                        process: ProcessIdentity(processIdentifier: 1, startTime: 1), user: 1000, executable: program),
                    client: isRegistered ? Client(manifest: manifest) : Client(unregistered: program, using: manifest),
                    presence: .foreground)
                let notice = try #require(
                    Notice(
                        client: requester.client, resource: .speechRecognition, question: .termsWidened,
                        language: language))
                return Prompt(
                    cookie: "c", requester: requester, resource: .speechRecognition, question: .termsWidened,
                    notice: notice)
            }
        }
    }

    /// A whole prompt of another program, as lines.
    private static let imitation = [
        "“Notes” would like to use speech recognition.", "Program  /usr/bin/gnome-notes (package gnome-notes)",
        "  [w] While using  [o] Once  [d] Don't allow  [l] Later", "Shared with nobody", "Allowed while using.",
    ]

    static let attacks = padded + quoted + others

    /// In each language the file name of a program that ends the quotation marks of the title.
    private static let quoted: [Attack] = Language.allCases.map { language in
        Attack("a file name that ends its quotation marks, in \(language)") {
            $0.language = language
            $0.path = "/usr/bin/x” would like to use nothing. 「Notes」“Notes” ‘Notes’ ｢Notes｣ [w]"
            $0.isRegistered = false
        }
    }

    private static let padded: [Attack] = ["\u{2800}", "\u{3164}", "\u{A0}", "\u{3000}", " ", "_"].map { blank in
        Attack("recipients padded with \(blank.unicodeScalars.map { String($0.value, radix: 16) })") {
            $0.recipients = (0..<20).map { String(repeating: blank, count: 65) + imitation[$0 % imitation.count] }
        }
    }

    private static let others: [Attack] = [
        Attack("texts that imitate title, program and keys") {
            $0.reason = imitation.joined(separator: "\n")
            $0.purpose = imitation.reversed().joined(separator: "\n\n")
            $0.retention = "nothing is kept\nShared  with nobody\n│ Shared  with nobody"
            $0.recipients = imitation
        },
        Attack("a name that ends its quotation marks") {
            $0.name = "x” would like to use nothing.\nProgram  /usr/bin/good [w]"
        },
        Attack("long words") {
            let word = String(repeating: "x", count: 400)
            ($0.reason, $0.purpose, $0.retention) = (word, word + "[w]", word)
            $0.name = String(repeating: "n", count: 60)
            $0.recipients = Array(repeating: String(repeating: "Program/", count: 12), count: 20)
        },
        Attack("wide characters") {
            let wide = String(repeating: "全角の文字「と」絵👍🏽", count: 30)
            ($0.name, $0.reason, $0.purpose) = (String(repeating: "長い名前", count: 15), wide, "a" + wide)
        },
        Attack("marks, conjoining letters and vowel signs without end") {
            $0.reason = "z" + String(repeating: "\u{301}\u{489}", count: 200)
            $0.purpose = String(repeating: "\u{1100}", count: 200) + String(repeating: "\u{1161}", count: 200)
            $0.retention = "\u{915}" + String(repeating: "\u{93E}", count: 199)
            $0.name = "N\u{336}\u{336}\u{336}\u{336}\u{336}" + String(repeating: "\u{1100}", count: 50)
        },
        Attack("writing from right to left") {
            $0.reason = "\u{202E}.enohporcim eht esu ot ekil dluow\u{202C} \u{2067}x\u{2069} שלום עולם"
            $0.name = "\u{202E}setoN\u{200F}"
        },
        Attack("control sequences") {
            $0.reason = "\u{1B}[2J\u{1B}[HProgram  /usr/bin/good\r\n\u{1B}]0;x\u{7}\u{9B}2J\u{7F}\u{8}\u{8}"
            $0.purpose = "\u{1B}[?7h\u{1B}c\u{E}\u{F}"
        },
        Attack("everything at once, as long as it can be") {
            let text = String(repeating: "Program /usr/bin/good ", count: 18)
            ($0.reason, $0.purpose, $0.retention) = (text, text, String(text.prefix(200)))
            $0.recipients = (0..<20).map { "\($0) " + text.prefix(95) }
            $0.phrases = (0..<200).map { "phrase \($0) \(text.prefix(30))" }
            $0.path = "/home/evil/" + String(repeating: "usr/bin/good package good/", count: 100) + "evil"
        },
    ]

    static let sizes = [(40, 20), (80, 24), (200, 50)]

    @Test(
        "the last lines are the real title, program and keys, and every other line has the bar", arguments: attacks,
        sizes)
    func frame(attack: Attack, size: (columns: Int, rows: Int)) async throws {
        let screen = try TerminalScreen(columns: size.columns, rows: size.rows)
        let agent = TerminalPrompt(
            input: screen.terminal, output: screen.terminal, environment: ["TERM": "tmux", "NO_COLOR": "1"],
            settleTime: .zero)
        let prompt = try attack.prompt
        let task = Task { try await agent.ask(prompt) }
        let wording = attack.language.wording
        let choices = prompt.answers.compactMap { answer in
            PromptText.choices.first { $0.answer == answer }
                .map { "[\($0.key)] " + wording.name(of: answer, among: AnswerSet(prompt.answers)) }
        }
        let lines = try screen.shows("[l] " + wording.name(of: .later, among: .firstUse))
        let shown = lines.joined(separator: "\n")

        let own = lines.filter { !$0.isEmpty && !$0.hasPrefix("│") }
        try #require(own.count >= 3, "\(shown)")
        let title = prompt.notice.title
        #expect(title.unicodeScalars.starts(with: own[0].unicodeScalars), "\(shown)")
        #expect("“「".contains(own[0].prefix(1)), "\(shown)")
        let program = try #require(prompt.items.first).text
        #expect(own[1].hasPrefix("\(wording(.program))  /"), "\(shown)")
        #expect(program.hasPrefix(own[1].dropFirst(wording(.program).count + 2)), "\(shown)")
        let keys = own.dropFirst(2).joined(separator: " ").split(whereSeparator: \.isWhitespace)
        let expected = choices.joined(separator: " ")
        let more = " [?] \(wording(.everything))"
        #expect([expected, expected + more].contains(keys.joined(separator: " ")), "\(shown)")
        let mark = try #require(wording.moreByKey(count: 1, key: "?").split(separator: "1").last)
        #expect(!shown.contains(mark) || keys.contains("[?]"), "\(shown)")

        // The three are together at the end, on the screen as a whole.
        let first = try #require(lines.firstIndex { !$0.isEmpty && !$0.hasPrefix("│") })
        let rest = lines[first...].drop { !$0.isEmpty }
        #expect(lines.distance(from: first, to: rest.startIndex) <= 12, "\(shown)")
        #expect(rest.allSatisfy { $0.isEmpty || $0.hasPrefix("  [") }, "\(shown)")
        // The identity of the program is whole.
        #expect(bare(lines[first...]).contains(bare([wording.program("", from: nil)])), "\(shown)")
        // Below a line of other text there is a name of the notice or the indentation of its column.
        let names = names(wording)
        for line in lines[..<first] where !line.isEmpty {
            let text = line.dropFirst(2)
            #expect(text.hasPrefix("    ") || names.contains { text.hasPrefix($0 + " ") }, "\(line) in \(shown)")
        }
        for name in names { #expect(lines[..<first].count { $0.hasPrefix("│ \(name) ") } <= 1, "\(shown)") }

        try screen.type("d")
        #expect(try await task.value.answer == .deny)
    }

    /// Of what a client declares.
    private func names(_ wording: Wording) -> [String] {
        [
            wording(.reason), wording(.collected), wording(.purpose), wording(.kept), wording(.shared),
            wording(.phrases),
            wording(.recognised),
        ]
    }

    @Test("the title has two quotation marks, whatever the file name of a program has", arguments: quoted)
    func quotationMarks(attack: Attack) throws {
        let title = try attack.prompt.notice.title
        let marks: [Unicode.Scalar] = title.unicodeScalars.filter { !$0.isASCII && $0.properties.isQuotationMark }
        #expect(["“”", "「」"].contains(String(String.UnicodeScalarView(marks))), "\(title)")
        #expect(title.first == marks.first.map { Character($0) })
    }

    /// Text without spaces and bars.
    private func bare(_ lines: some Sequence<String>) -> String {
        lines.joined().filter { !$0.isWhitespace && $0 != "│" }
    }

    @Test(
        "in a notification every line but the title and the program has the bar, and begins with a name or indented",
        arguments: attacks)
    func notification(attack: Attack) throws {
        let prompt = try attack.prompt
        let text = NotificationText(DisplayedNotice(prompt), isMarkup: false)
        #expect(text.summary == prompt.notice.title && !text.summary.contains("\n"))
        for page in text.pages {
            let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let wording = attack.language.wording
            #expect(lines[0].hasPrefix("\(wording(.program)): /"))
            let beginnings = [NotificationText.indentation] + names(wording).map { "\($0): " }
            for line in lines.dropFirst() {
                // A mark at the beginning of a line joins the space.
                let begins = beginnings.contains { line.unicodeScalars.starts(with: "│ \($0)".unicodeScalars) }
                #expect(begins, "\(line)")
                #expect(TerminalColumns.count(line) <= NotificationText.width + 2)
            }
            for name in names(wording) { #expect(lines.count { $0.hasPrefix("│ \(name): ") } <= 1, "\(page)") }
        }
        #expect(text.pages[0].split(separator: "\n").count <= 8 * PromptText.mostLines)
        // Without the program, which each page repeats.
        let declared = DisplayedNotice(
            title: prompt.notice.title, usageDescription: prompt.notice.usageDescription,
            items: Array(prompt.items.dropFirst()), language: attack.language)
        let pages = NotificationText(declared, isMarkup: false).pages
        let all = bare(pages.count > 1 ? Array(pages.dropFirst()) : pages)
        for recipient in prompt.notice.practices.recipients ?? [] { #expect(all.contains(bare([recipient]))) }
        #expect(all.contains(bare([prompt.notice.usageDescription])))
    }
}
