import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("A grant names who receives consent records")
struct CollectorConsentTests {
    @Test("each notice names the collector and its purpose after the recipients of the audio, in each language")
    func notices() throws {
        for language in Language.allCases {
            for send in RecordCollector.Sending.allCases {
                let collector = RecordCollector(name: "Example Audit", purpose: "to find misuse", send: send)
                let client = Client(manifest: Samples.manifest())
                let notice = try #require(
                    Notice(client: client, resource: .microphone, language: language, collector: collector))
                let plain = try #require(Notice(client: client, resource: .microphone, language: language))
                let shared = try #require(notice.items.first { $0.name == language.wording(.shared) }).text
                let before = try #require(plain.items.first { $0.name == language.wording(.shared) }).text
                #expect(shared == "\(before) — \(language.wording.recordsShared(with: collector))")
                #expect(shared.contains("Example Audit") && shared.contains("to find misuse"))
                #expect(notice.practices == plain.practices, "it receives no audio")
            }
            let texts = RecordCollector.Sending.allCases.map {
                language.wording.recordsShared(with: RecordCollector(name: "A", purpose: "b", send: $0))
            }
            #expect(Set(texts).count == 2)
        }
    }
}
