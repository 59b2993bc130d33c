// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum RegisterText: String, Sendable, Hashable, CaseIterable {
    case title, subtitle, intro, notDeclared, noTransfer, transferUnknown, securityText, noConsent
}

struct RegisterWording: Sendable {
    let language: Language

    func callAsFunction(_ word: RegisterText) -> String { string(word.rawValue) }
    func users(count: TextValue) -> String { string("users", ["count": count]) }
    func consent(resource: TextValue, day: TextValue, record: TextValue) -> String {
        string("consent", ["resource": resource, "day": day, "record": record])
    }
    func column(_ code: String) -> String? { member("column/\(code)") }

    private func string(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("register." + key, values)
    }

    private func member(_ key: String) -> String? {
        language.texts.member("register." + key)
    }
}
