import Authorization
import Consent
import Foundation
import TestSupport
import Testing

/// Pages are opened in a real Chromium.
@Suite(.timeLimit(.minutes(5))) struct ReportPageTests {
    private static let log = SampleLog.story()
    /// Put into a copy of a page to ask the browser what it made of it; the page itself allows no script.
    private static let measurement = """
        <script>
        const wide = [...document.querySelectorAll("body *")].filter(element =>
            element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".wide") && !element.closest(".skip"));
        const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
        const named = [...document.querySelectorAll("[aria-labelledby]")].flatMap(e => e.getAttribute("aria-labelledby").split(" "));
        const result = {
            width: innerWidth, scroll: document.documentElement.scrollWidth, wide: wide.map(e => e.className || e.tagName),
            twice: ids.filter((id, place) => ids.indexOf(id) != place), unnamed: named.filter(id => !ids.includes(id)),
            anchors: [...document.querySelectorAll("a")].map(a => a.getAttribute("href").slice(1)).filter(id => !ids.includes(id)),
            headings: [...document.querySelectorAll("h1,h2,h3,h4")].map(h => +h.tagName[1]),
            tables: [...document.querySelectorAll("table")].map(t => [!!t.caption, t.querySelectorAll("th:not([scope])").length]),
            pictures: [...document.querySelectorAll("svg")].map(s => [s.getAttribute("role"), !!s.querySelector("title"), !!s.querySelector("desc")]),
            regions: [...document.querySelectorAll(".wide")].map(r => [r.tabIndex, r.getAttribute("role"), !!r.getAttribute("aria-label")]),
            landmarks: ["header", "nav", "main", "footer"].map(name => document.querySelectorAll("body > " + name).length),
            loaded: performance.getEntriesByType("resource").map(entry => entry.name),
        };
        document.documentElement.innerHTML = "";
        document.documentElement.textContent = "RESULT" + JSON.stringify(result) + "END";
        </script>
        """

    private struct Measured: Decodable {
        let width: Int
        let scroll: Int
        let wide: [String]
        let twice: [String]
        let unnamed: [String]
        let anchors: [String]
        let headings: [Int]
        let landmarks: [Int]
        let loaded: [String]
    }

    /// What the browser makes of a page at a width. Its window is never narrower than 500, so the page is put into a frame.
    private func measured(_ page: String, width: Int) async throws -> Measured {
        let browser = try Browser()
        let policy = try #require(page.firstMatch(of: #/<meta http-equiv="Content-Security-Policy"[^>]*>/#))
        let opened = page.replacing(policy.output, with: "").replacing("</body>", with: Self.measurement + "</body>")
        let inner = try browser.folder.write(opened, to: "inner.html")
        let frame = """
            <!DOCTYPE html><body><iframe id="page" style="border:0;width:\(width)px;height:900px" src="file://\(inner)"></iframe>
            <script>onload = () => document.title = "done"; addEventListener("message", event => document.body.append(event.data))</script>
            """
        let outer = try browser.folder.write(frame, to: "outer.html")
        let asked = try String(contentsOfFile: inner, encoding: .utf8).replacing(
            "document.documentElement.innerHTML = \"\";",
            with: "parent.postMessage(\"RESULT\" + JSON.stringify(result) + \"END\", \"*\");")
        try browser.folder.write(asked, to: "inner.html")
        let lines = try await browser.run(
            outer, ["--window-size=1400,900", "--virtual-time-budget=5000", "--dump-dom"])
        let document = lines.joined(separator: "\n")
        let result = try #require(document.firstMatch(of: #/RESULT(\{.*\})END/#)?.1, "\(document.prefix(2_000))")
        let text = String(result).replacing("&amp;", with: "&").replacing("&lt;", with: "<").replacing(
            "&gt;", with: ">")
        return try JSONDecoder().decode(Measured.self, from: Data(text.utf8))
    }

    /// So that a person can look at them, too: VOICEGATE_KEEP_REPORTS names a folder.
    private func page(_ language: Language) throws -> String {
        let page = try Exports.report(Self.log.records, language)
        if let folder = ProcessInfo.processInfo.environment["VOICEGATE_KEEP_REPORTS"] {
            try page.write(toFile: "\(folder)/report.\(language.rawValue).html", atomically: true, encoding: .utf8)
        }
        return page
    }

    @Test("on a phone and on a desk nothing is wider than the page, in each language", arguments: Language.allCases)
    func fits(language: Language) async throws {
        let page = try page(language)
        for width in [320, 390, 1280] {
            let measured = try await measured(page, width: width)
            #expect(measured.width == width)
            #expect(measured.scroll <= width)
            #expect(measured.wide.isEmpty)
        }
    }

    @Test("the page has landmarks, headings in order, and names for everything that refers to one")
    func structure() async throws {
        let measured = try await measured(try page(.english), width: 1280)
        #expect(measured.landmarks == [1, 1, 1, 1])
        #expect(measured.twice.isEmpty && measured.unnamed.isEmpty && measured.anchors.isEmpty)
        #expect(measured.headings.first == 1 && measured.headings.count { $0 == 1 } == 1)
        #expect(zip(measured.headings, measured.headings.dropFirst()).allSatisfy { $1 <= $0 + 1 })
        #expect(measured.loaded.isEmpty)
    }

    @Test("tables have captions and heads, pictures have words and the same as a table")
    func alternatives() async throws {
        let page = try page(.english)
        let tables = page.matches(of: #/<table /#).count
        #expect(tables > 5 && page.matches(of: #/<table role="table"><caption>[^<]+</caption>/#).count == tables)
        #expect(page.matches(of: #/<th[ >]/#).count == page.matches(of: #/<th scope="(col|row)"/#).count)
        let pictures = page.matches(of: #/<svg /#).count
        #expect(
            pictures == 4
                && page.matches(of: #/role="img" aria-labelledby="[a-z0-9]+t [a-z0-9]+d"><title/#).count == pictures)
        #expect(page.matches(of: #/class="wide" role="region" tabindex="0" aria-label="[^"]+"/#).count == tables)
    }

    @Test("a page of a hostile program runs nothing, loads nothing, and shows its name as text")
    func hostile() async throws {
        var log = SampleLog()
        let name = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
        let program = SampleProgram(
            client: "org.example.\"><script>document.title='owned'</script>", name: name, executable: "'\"><script>x",
            language: "\"><script>", kinds: ["<b>"], purpose: "</style><script>document.title='owned'</script>",
            retention: "\u{202E}<i>", recipients: ["<u>\u{2066}"], sharing: "<s>")
        log.ask(program, at: SampleLog.start)
        log.listen(program, at: SampleLog.start + 1_000, milliseconds: 500, reason: "</p><script>")
        log.add("</code><script>document.title='owned'</script>", at: SampleLog.start + 5_000, log.who(program))
        let page = try Exports.report(log.records)
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("<u>"))
        #expect(
            !page.unicodeScalars.contains {
                (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
            })
        let browser = try Browser()
        let document = try await browser.document(of: try browser.folder.write(page, to: "page.html"))
        #expect(document.contains("<title>Who listened, and when · VoiceGate</title>"))
        #expect(document.contains("&lt;img src=x"))
    }

    @Test("the policy in the page stops a script that got into it all the same")
    func policy() async throws {
        let page = try page(.english).replacing(
            "</body>",
            with: "<script>document.title='owned'</script><img src=\"x\" onerror=\"document.title='owned'\"></body>")
        let browser = try Browser()
        let document = try await browser.document(of: try browser.folder.write(page, to: "page.html"))
        #expect(!document.contains("<title>owned"))
    }

    @Test("open questions for the reader are listed, each with its record")
    func questions() throws {
        let page = try page(.english)
        for title in [
            "Listening without a permission", "Sessions without an end", "Kept longer than declared",
            "Allowed, but never used",
            "Used long after the last decision", "The clock was set back", "Erased records",
        ] { #expect(page.contains("<h3>\(title) <span"), "\(title)") }
        #expect(!page.contains("Questions without an answer"))
    }

    @Test("a log without problems has no questions, and a part of a log does not claim that a grant is missing")
    func noQuestions() throws {
        var log = SampleLog()
        log.ask(.notes, at: SampleLog.start)
        log.listen(.notes, at: SampleLog.start + 60_000, milliseconds: 4_000)
        log.ask(.unused, at: SampleLog.start + 70_000, scope: "once")
        #expect(try Exports.report(log.records).contains("There are no open questions."))
        let part = log.records.filter { $0.kind.rawValue.hasPrefix("session.") }
        #expect(try Exports.report(part).contains("Listening without a permission"))
        #expect(try !Exports.report(part, client: "org.example.Notes").contains("Listening without a permission"))
    }

    @Test("a log that does not verify says so at the top and under proof, and nothing counts as proven")
    func broken() throws {
        let problem = try JSONDecoder().decode(
            RecordProblem.self, from: Data(#"{"kind":"leafAltered","index":4,"reason":"it <was> changed"}"#.utf8))
        let page = try Exports.report(Self.log.records, problem: problem)
        #expect(page.contains("Record 4 does not fit: it &lt;was&gt; changed."))
        #expect(page.contains("Treat this page as a claim."))
        #expect(!page.contains("The log verifies"))
    }

    @Test("an empty log makes a page that says so")
    func empty() throws {
        let page = try Exports.report([])
        #expect(page.contains("No program listened.") && page.contains("No records match."))
    }

    @Test("the page of very many sessions and programs stays small and names what it leaves out")
    func many() throws {
        var log = SampleLog()
        for number in 0..<6_000 {
            let program = SampleProgram(
                client: "org.example.p\(number % 700)", name: "Program \(number % 700)", executable: "p",
                language: "en",
                kinds: ["liveAudio"], purpose: "p", retention: nil, recipients: [], sharing: "declared")
            if number < 700 { log.ask(program, at: SampleLog.start + Int64(number)) }
            log.listen(program, at: SampleLog.start + Int64(number) * SampleLog.day / 4, milliseconds: 60_000)
        }
        let page = try Exports.report(log.records)
        #expect(page.utf8.count < 1_000_000)
        #expect(page.contains("All of them are in accesses.csv of the bundle."))
        #expect(page.contains("6,000"))
    }
}
