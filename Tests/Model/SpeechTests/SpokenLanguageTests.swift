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
}
