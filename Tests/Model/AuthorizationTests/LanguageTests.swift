import Authorization
import Testing

@Suite("The person's language")
struct LanguageTests {
    @Test("the environment names it: LC_ALL before LC_MESSAGES before LANG, an empty one does not count")
    func environment() {
        #expect(Language(environment: ["LANG": "ja_JP.UTF-8"]) == .japanese)
        #expect(Language(environment: ["LANG": "ja_JP.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"]) == .korean)
        #expect(Language(environment: ["LANG": "ja_JP.UTF-8", "LC_ALL": "C"]) == .english)
        #expect(Language(environment: ["LANG": "ko_KR.UTF-8@x", "LC_ALL": ""]) == .korean)
    }

    @Test(
        "an unknown language, or none, is English", arguments: ["de_DE.UTF-8", "xx", "", "POSIX", "C.UTF-8", "japan"])
    func unknown(locale: String) {
        #expect(Language(environment: ["LANG": locale]) == .english)
        #expect(Language(environment: [:]) == .english)
    }

    @Test(
        "a header names it by weight",
        arguments: [
            ("ja", Language.japanese), ("ko-KR", .korean), ("de, ko;q=0.5, ja;q=0.9", .japanese),
            ("en;q=0.1,ko", .korean), ("JA", .japanese), ("ja;q=0, en", .english),
        ] as [(String, Language)])
    func header(text: String, language: Language) {
        #expect(Language(acceptLanguage: text) == language)
    }

    @Test("a header that names none of ours names none", arguments: ["", "*", "de", ";;;", "ja;q=0", "q=1,,,"])
    func noLanguage(text: String) {
        #expect(Language(acceptLanguage: text) == nil)
    }
}
