import Authorization
import Testing

@testable import Commands
@testable import SocketAPI

@Suite("Choices of the settings for an entry")
struct SettingsChoiceTests {
    private func keys(
        _ verdict: Verdict?, scope: Scope? = nil, change: (inout SettingsEntry) -> Void = { _ in }
    ) -> String {
        let status: AuthorizationStatus =
            switch verdict {
            case .authorized: .authorized
            case .denied: .denied
            case nil: .notDetermined
            }
        var entry = SettingsEntry(client: "a.a", name: "a", resource: .speechRecognition, status: status)
        (entry.verdict, entry.scope) = (verdict, scope)
        change(&entry)
        return SettingsChoice.offered(for: entry).map(\.key).joined()
    }

    @Test("each answer changes something, and always is only the upgrade of a permission")
    func offered() {
        #expect(keys(nil) == "wd")
        #expect(keys(.denied) == "wn")
        #expect(keys(.authorized, scope: .whileInUse) == "adn")
        #expect(keys(.authorized, scope: .always) == "wdn")
    }

    @Test("a question about always is answered with w or a")
    func question() {
        #expect(keys(.authorized, scope: .whileInUse) { $0.question = .upgradeToAlways } == "wadn")
        #expect(keys(.authorized, scope: .always) { $0.question = .review } == "wadn")
    }

    @Test("a program that has changed can only be allowed while using, and what is allowed once can be asked again")
    func changed() {
        #expect(keys(.authorized, scope: .always) { $0.isChanged = true } == "wdn")
        #expect(keys(nil) { $0.isAllowedOnce = true } == "wdn")
    }

    @Test("phrases only and every word change the fidelity, and leave the scope")
    func fidelity() throws {
        #expect(keys(.authorized, scope: .whileInUse) { $0.offersFidelity = true } == "afdn")
        var entry = SettingsEntry(client: "a.a", name: "a", resource: .speechRecognition, status: .authorized)
        (entry.verdict, entry.scope, entry.fidelity, entry.offersFidelity) = (.authorized, .always, .reduced, true)
        let choice = try #require(SettingsChoice.offered(for: entry).first { $0.key == "f" })
        #expect(choice.change.scope == .always && choice.change.fidelity == .full)
    }
}
