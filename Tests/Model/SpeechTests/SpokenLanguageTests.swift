import Testing

@testable import Speech

@Suite("Languages that a request names")
struct SpokenLanguageTests {
    @Test(
        "a tag of ISO 639 or an English name is a language, also as Whisper's clients write it",
        arguments: [
            ("de", "de"), ("deu", "de"), ("de-AT", "de"), ("DE_at", "de"), ("yue", "yue"), ("german", "de"),
            ("German", "de"), ("maori", "mi"), ("Māori", "mi"), ("bengali", "bn"), ("cantonese", "yue"),
        ])
    func languages(_ text: String, _ code: String) { #expect(SpokenLanguage(named: text)?.code == code) }

    @Test(
        "anything else is not a language",
        arguments: ["", "xx", "zzz", "und", "mul", "words", "german, please", "en-", "-", "d"])
    func others(_ text: String) { #expect(SpokenLanguage(named: text) == nil) }

    @Test("the region is kept beside the code")
    func regions() throws {
        let language = try #require(SpokenLanguage(tag: "zh_Hant-TW"))
        #expect(language.code == "zh")
        #expect(language.tag == "zh-Hant-TW")
        #expect(language.name == "chinese")
    }

    @Test(
        "the locale of messages names what is spoken, unless that is English",
        arguments: [
            (["LANG": "ko_KR.UTF-8"], "ko"), (["LANG": "en_US.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"], "ja"),
            (["LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"], nil), (["LANG": "en_GB.UTF-8"], nil), ([:], nil),
            (["LC_ALL": "", "LANG": "de_DE@euro"], "de"), (["LANG": "POSIX"], nil), (["LANG": "xx_XX"], nil),
        ] as [([String: String], String?)])
    func locale(_ environment: [String: String], _ code: String?) {
        #expect(SpokenLanguage.ofLocale(in: environment)?.code == code)
    }

    @Test("the name of a language in place of its tag is answered with the tag")
    func advice() {
        #expect(SpokenLanguage.advice(for: "japanese") == " For japanese write ja.")
        #expect(SpokenLanguage.advice(for: "Korean") == " For Korean write ko.")
        #expect(SpokenLanguage.advice(for: "klingonish") == "" && SpokenLanguage.advice(for: "") == "")
    }
}
