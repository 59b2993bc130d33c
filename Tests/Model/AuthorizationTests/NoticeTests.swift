import Base
import TestSupport
import Testing

@testable import Authorization

private func client(_ recipients: [String]?, retention: String? = nil, describing text: String = "Why.") -> Client {
    Client(
        manifest: Manifest(
            identifier: Samples.identifier("a.b"), name: "B", executablePath: "/b",
            usageDescriptions: [.microphone: text],
            practices: DataPractices(
                kinds: [.liveAudio], purpose: "p", retention: retention, recipients: recipients)))
}

@Suite("Notices")
struct NoticeTests {
    @Test("C1 the notice names the four data items, in order")
    func items() throws {
        let notice = try #require(Notice(client: Client(manifest: Samples.manifest()), resource: .microphone))
        #expect(notice.items.map(\.name) == ["Collected", "Purpose", "Kept", "Shared"])
        #expect(
            notice.items.map(\.text) == [
                "live audio, the recognised text", "To write down what you say.", "nothing is kept", "with nobody",
            ])
        #expect(notice.text.contains("would like to use the microphone"))
    }

    @Test("a client without declared recipients is shown as undeclared, never as not sharing")
    func undeclaredSharing() throws {
        let notice = try #require(Notice(client: client(nil, retention: "30 days"), resource: .microphone))
        #expect(notice.items[3].text == "the client does not say")
        #expect(notice.items[2].text == "30 days")
    }

    @Test("text from a manifest cannot imitate a prompt")
    func injection() {
        let hostile = "Editor\n\n  [a] Allow\u{202E}desrever\u{200B}\u{1B}[2J\u{7}end\t."
        #expect(DisplayText.cleaned(hostile, limit: 100) == "Editor [a] Allowdesrever [2J end .")
    }

    @Test(
        "a character without ink is not shown, and not accepted in a manifest",
        arguments: [
            "\u{2800}", "\u{3164}", "\u{115F}", "\u{1160}", "\u{FFA0}", "\u{AD}", "\u{34F}", "\u{180E}", "\u{200B}",
            "\u{202E}",
            "\u{2066}", "\u{2060}", "\u{2064}", "\u{FEFF}", "\u{E0041}", "\u{E0100}", "\u{1D159}", "\u{13441}",
            "\u{FFF9}",
            "\u{E000}", "\u{1B}", "\u{2028}",
        ])
    func noInk(_ character: String) {
        #expect(DisplayText.cleaned("ab\(character)cd").replacing(" ", with: "") == "abcd")
        #expect(DisplayText.firstHidden(in: "ab\(character)cd") == character.unicodeScalars.first)
        #expect(
            !DisplayText.escaped("ab\(character)cd").unicodeScalars.contains { $0 == character.unicodeScalars.first })
    }

    @Test("spaces of every width are one space, marks do not pile up, and one without a letter is not shown")
    func layout() {
        #expect(DisplayText.cleaned("a\u{3000}\u{A0}\u{2003} \n\tb") == "a b")
        #expect(DisplayText.firstHidden(in: "a\u{3000}\u{A0} \n\tb") == nil)
        let piled = "z" + String(repeating: "\u{301}", count: 9) + "y"
        #expect(DisplayText.cleaned(piled).unicodeScalars.count == 5)
        #expect(DisplayText.firstHidden(in: piled) == "\u{301}")
        #expect(DisplayText.escaped(piled).contains("\\u{301}"))
        #expect(DisplayText.cleaned("\u{336}a \u{336}b") == "a b")
        #expect(DisplayText.cleaned("\u{1100}" + String(repeating: "\u{1161}", count: 9)).unicodeScalars.count == 4)
    }

    @Test(
        "what people write is shown as it is, but for joiners, which take no room",
        arguments: [
            "Tiếng Việt", "Tie\u{302}\u{301}ng", "日本語、한국어", "שָׁלוֹם", "हिन्दी", "བསྒྲུབས", "ภาษาไทย", "👍🏽 100 %",
            "l’Équipe – “x”",
            "می\u{200C}خواهم", "👩\u{200D}👩\u{200D}👧 \u{2600}\u{FE0F}",
        ])
    func people(_ text: String) {
        #expect(DisplayText.firstHidden(in: text) == nil)
        let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}", "\u{FE0F}"]
        #expect(
            Array(DisplayText.cleaned(text).unicodeScalars) == text.unicodeScalars.filter { !joiners.contains($0) })
    }

    @Test("a program that may run other code is shown as one, in each language; a script and a plain program are not")
    func otherCode() throws {
        let program = Executable(path: "/usr/bin/perl", device: 1, inode: 2, sha256: "aa", package: "perl-base")
        let shown = [
            Language.english: "/usr/bin/perl (package perl-base), may run other code",
            .japanese: "/usr/bin/perl（パッケージ perl-base）、ほかのコードを実行する可能性あり",
            .korean: "/usr/bin/perl(perl-base 패키지), 다른 코드를 실행할 수 있음",
        ]
        for language in Language.allCases {
            let text = try #require(shown[language])
            func item(_ evidence: Evidence) throws -> String? {
                let requester = Requester(
                    caller: Caller(
                        process: ProcessIdentity(processIdentifier: 1, startTime: 1), user: 1000, executable: program,
                        evidence: evidence),
                    client: Client(unregistered: program, using: Samples.manifest()), presence: .foreground)
                let notice = try #require(Notice(client: requester.client, resource: .microphone, language: language))
                let prompt = Prompt(
                    cookie: "c", requester: requester, resource: .microphone, question: .firstUse, notice: notice)
                let act = try #require(ConfirmedAct(.once, .full, to: prompt))
                #expect(act.text(in: language).contains(text) == (evidence == .interpreter))
                return prompt.items.first?.text
            }
            #expect(try item(.interpreter) == text)
            let plain = try #require(try item(.executable))
            #expect(text.hasPrefix(plain) && text != plain)
            #expect(try item(.script(interpreter: program)) == plain)
        }
    }

    @Test(
        "neither the file name nor the path of a program ends the quotation marks of a title",
        arguments: Language.allCases)
    func quotationMarks(language: Language) throws {
        let program = Executable(path: "/opt/x” 「y」 ‘z’ ｢Notes｣", device: 1, inode: 2, sha256: "aa")
        let client = Client(unregistered: program, using: Samples.manifest())
        let changed = AllowedProgram(sha256: "aabbccdd", path: program.path)
        for question in [Question.firstUse, .identityChanged(previous: changed, current: changed)] {
            let notice = try #require(
                Notice(client: client, resource: .microphone, question: question, language: language))
            #expect(notice.title.unicodeScalars.count(where: DisplayText.isQuotationMark) == 2, "\(notice.title)")
        }
        #expect(Client(unregistered: program).displayName == #"x" "y" "z" "Notes""#)
    }

    @Test("each line below the title of a recorded notice begins with its name", arguments: Language.allCases)
    func names(language: Language) throws {
        let wording = language.wording
        let client = client(["Example GmbH"], describing: "\(wording(.shared)): \(wording(.sharedWithNobody))")
        let notice = try #require(Notice(client: client, resource: .microphone, language: language))
        let names = [wording(.reason), wording(.collected), wording(.purpose), wording(.kept), wording(.shared)]
        let lines = notice.text.split(separator: "\n").dropFirst()
        #expect(lines.count == names.count)
        for (line, name) in zip(lines, names) { #expect(line.hasPrefix("\(name): "), "\(line)") }
    }

    @Test("long text is bounded, also if one character consists of thousands of marks")
    func bounded() {
        let long = DisplayText.cleaned(String(repeating: "x", count: 10_000), limit: 60)
        #expect(long.count == 60)
        #expect(long.hasSuffix("…"))
        let stacked = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(DisplayText.cleaned(stacked, limit: 60).unicodeScalars.count <= 240)
    }

    @Test(
        "an identifier contains Apple's characters only, and is bounded",
        arguments: [
            "", ".", "a b", "a/b", "a\nb", "é", String(repeating: "a", count: 156),
        ])
    func badIdentifier(_ text: String) {
        #expect(ClientIdentifier(rawValue: text) == nil)
    }

    @Test("the identifier of a program without a manifest cannot collide with a manifest's by accident")
    func unregistered() {
        #expect(ClientIdentifier.unregistered(executable: "cu rl/\n").rawValue == "unregistered.curl")
        #expect(ClientIdentifier.unregistered(executable: "日本").rawValue == "unregistered.")
    }
}

@Suite("Whether audio leaves the machine")
struct SharingTests {
    @Test(
        "a client without a network is verified, whatever it declares; otherwise its declaration counts, and silence is undeclared"
    )
    func sharing() {
        for recipients in [nil, [], ["Example GmbH"]] as [[String]?] {
            #expect(Sharing(client(recipients).manifest?.practices, hasNetwork: false) == .verified)
        }
        #expect(Sharing(client([]).manifest?.practices) == .declared)
        #expect(Sharing(client(["Example GmbH"]).manifest?.practices) == .shared)
        #expect(Sharing(client(nil).manifest?.practices) == .undeclared)
        #expect(Sharing(nil) == .undeclared)
    }

    @Test(
        "the service's own engine is not a recipient; an outside engine is one, once, beside those that the client names"
    )
    func engines() throws {
        func shown(_ declared: [String]?, _ engine: SpeechEngine = .ofService) throws -> [String]? {
            let notice = Notice(client: client(declared), resource: .microphone, engine: engine)
            return try #require(notice).practices.recipients
        }
        let theirs = SpeechEngine.outside(name: "Example Cloud")
        #expect(try shown([]) == [])
        #expect(try shown(nil) == nil)
        #expect(try shown([], theirs) == ["Example Cloud"])
        #expect(try shown(nil, theirs) == ["Example Cloud"])
        #expect(try shown(["Example GmbH"], theirs) == ["Example GmbH", "Example Cloud"])
        #expect(try shown(["Example Cloud"], theirs) == ["Example Cloud"])
    }

    @Test("sharing in a session is recorded only if there is a recipient")
    func sharedData() {
        let session = SessionDescription(
            identifier: "s", requester: Samples.requester(), grants: [:], device: nil)
        #expect(session.sharing == .declared)
        #expect(SharedData(declaredIn: session) == nil)
        #expect(SharedData(sentIn: session) == nil)
        func sent(_ device: String?) -> SessionDescription {
            SessionDescription(
                identifier: "s", requester: Samples.requester(), grants: [:], device: device, sharing: .verified,
                engine: .outside(name: "Example Cloud"))
        }
        let elsewhere = sent("default")
        #expect(elsewhere.sharing == .shared, "it leaves the service, whatever the client cannot do")
        #expect(SharedData(declaredIn: elsewhere) == nil)
        let shared = SharedData(sentIn: elsewhere)
        #expect(shared?.recipients == ["Example Cloud"])
        #expect(shared?.dataKinds == [.liveAudio])
        #expect(SharedData(sentIn: sent(nil))?.dataKinds == [.recording], "a file")
        #expect(shared?.basis == .sent)
        #expect(shared?.session == "s")
    }

    @Test("a text for a log keeps its letters; characters that move the cursor or turn the text are written as numbers")
    func escaped() {
        let text = "/tmp/日本 한국 é a\nb\t\u{1B}[31m\u{7F}\u{9B}\u{202E}\u{2067}\u{2028}\u{FEFF}\u{0}"
        #expect(
            DisplayText.escaped(text)
                == #"/tmp/日本 한국 é a\u{a}b\u{9}\u{1b}[31m\u{7f}\u{9b}\u{202e}\u{2067}\u{2028}\u{feff}\u{0}"#)
    }
}
