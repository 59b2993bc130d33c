import Authorization
import Consent
import Foundation
import SocketAPI
import TestSupport
import Testing

@testable import AuditExport

@Suite struct DashboardPageTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func page(
        _ language: Language = .english, _ change: (inout DashboardContent) -> Void = { _ in }
    ) throws -> String {
        var content = try DashboardSamples.content(at: Self.now, in: language)
        change(&content)
        return DashboardPage(content, language: language, now: Self.now, timeZone: .gmt, formToken: "f0rm").document()
    }

    @Test("names of programs stay text, and nothing in the page is inline", arguments: Language.allCases)
    func escaping(language: Language) throws {
        let page = try page(language)
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"))
        #expect(page.matches(of: #/<script/#).count == 1 && page.contains("<script src=\"/dashboard.js\" defer>"))
        #expect(!page.contains("<style") && page.firstMatch(of: #/<[^>]* (style|on[a-z]+)=/#) == nil)
        #expect(page.firstMatch(of: #/(src|href|action)="(?!\/|#)/#) == nil)
        #expect(!page.contains("{{") && !page.contains("}}"))
        let identifiers = page.matches(of: #/ id="([^"]+)"/#).map(\.1)
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test("each form has the page's token, and no form grants anything")
    func forms() throws {
        let page = try page()
        let forms = page.matches(
            of: #/<form method="post" action="\/([a-z-]+)">(<input type="hidden" name="token" value="f0rm">)?/#)
        #expect(forms.count > 6 && forms.allSatisfy { $0.2 != nil })
        #expect(page.matches(of: #/<form/#).count == forms.count)
        #expect(Set(forms.map { String($0.1) }) == ["mute", "end", "deny", "verify", "export"])
        #expect(page.contains("<code>voicegate settings org.example.evil --allow microphone</code>"))
        let muted = try self.page { $0.settings.muted = true }
        #expect(muted.contains("voicegate unmute") && !muted.contains("action=\"/mute\""))
    }

    @Test("kept data is erased from its own page, which shows how much there is")
    func erasure() throws {
        let dashboard = DashboardPage(
            try DashboardSamples.content(at: Self.now), language: .english, now: Self.now, timeZone: .gmt,
            formToken: "f0rm")
        let links = Set(dashboard.document().matches(of: #/href="\/erase\?kept=([a-z0-9]+)"/#).map { String($0.1) })
        #expect(links == ["i1", "i2", "all"])
        let one = try #require(dashboard.confirmation(erasingKept: "i2"))
        #expect(one.contains("1 recording or transcript is erased permanently"))
        #expect(one.contains(#"action="/erase-item"><input type="hidden" name="token" value="f0rm">"#))
        #expect(one.contains(#"name="item" value="i2""#))
        let all = try #require(dashboard.confirmation(erasingKept: nil))
        #expect(all.contains("2 recordings or transcripts") && all.contains(#"action="/erase-history""#))
        #expect(dashboard.confirmation(erasingKept: "i3") == nil)
    }

    @Test("the counts are those of the report's figures")
    func counts() throws {
        let content = try DashboardSamples.content(at: Self.now)
        var figures = ReportFigures(clock: LocalClock(timeZone: .gmt), isWhole: false)
        for record in content.records { figures.add(record) }
        let words = Language.english.reportWording
        #expect(try page().contains("<span class=\"much\">\(words.use(figures.use))</span>"))
    }

    @Test("the page never claims more about the log than is known")
    func trust() throws {
        #expect(try page().contains("No independent checkpoint covers the last 32 records yet"))
        #expect(try page { $0.health.log = .altered }.contains("<li class=\"bad\">The log was altered."))
        let unknown = try page {
            $0.health.log = nil
            $0.anchors = nil
            $0.publications = nil
        }
        #expect(!unknown.contains("<li class=\"good\">"))
        let found = try JSONDecoder().decode(
            VerificationReport.self,
            from: Data(
                #"{"records":4,"root":"","erasedRecords":0,"problem":{"kind":"leafAltered","index":4,"reason":"<it>"}}"#
                    .utf8))
        let altered = try page { $0.verification = (found, Self.now) }
        #expect(altered.contains("<li class=\"bad\">The log does not verify.") && altered.contains("&lt;it&gt;"))
    }

    @Test("an empty service makes a page that says so", arguments: Language.allCases)
    func empty(language: Language) throws {
        let page = try page(language) { content in
            content = DashboardContent(
                health: content.health, indicator: IndicatorReply(sessions: []),
                settings: SettingsReply(entries: [], problems: []))
        }
        for text in [DashboardText.nothingListens, .noClients] {
            #expect(page.contains(DashboardWording(language: language)(text)))
        }
        #expect(page.contains("<section id=\"questions\" data-live hidden></section>"))
    }

    @Test("a message of the service stays text on the page that shows it")
    func notices() {
        let page = DashboardPage.notice(.failed("<b>no</b>"), language: .korean)
        #expect(page.contains("&lt;b&gt;no&lt;/b&gt;") && page.contains("lang=\"ko\""))
    }
}
