import Foundation
import TestSupport
import Testing

@testable import Authorization

@Suite("A grant names the speech engine")
struct EngineConsentTests {
    private static let engine = SpeechEngine.outside(name: "wyoming:unix:///run/engine.sock")

    @Test(
        "every notice and the settings name the engine, beside the recipients that the client declares",
        arguments: Language.allCases)
    func notices(_ language: Language) throws {
        let name = try #require(Self.engine.recipient)
        for (declared, count) in [(nil, 1), ([], 1), (["Example GmbH"], 2)] as [([String]?, Int)] {
            var manifest = Samples.manifest()
            manifest.practices.recipients = declared
            for resource in Resource.allCases {
                let notice = try #require(
                    Notice(
                        client: Client(manifest: manifest), resource: resource, language: language, engine: Self.engine)
                )
                #expect(notice.practices.recipients?.count == count)
                #expect(notice.text.contains(name))
                #expect(notice.text.contains(language.wording(.sharingNotDeclared)) == (declared == nil))
                #expect(!notice.text.contains(language.wording(.sharedWithNobody)))
                let settings = Notice(
                    settingsOf: manifest, resource: resource, language: language, engine: Self.engine)
                #expect(settings.items.map(\.text) == notice.items.map(\.text))
            }
        }
        var crowded = Samples.manifest()
        crowded.practices.recipients = (1...30).map { "Company \($0)" }
        let notice = try #require(
            Notice(client: Client(manifest: crowded), resource: .microphone, language: language, engine: Self.engine))
        #expect(notice.practices.recipients?.count == 31, "none is left out")
        #expect(notice.practices.recipients?.last == name)
    }
}
