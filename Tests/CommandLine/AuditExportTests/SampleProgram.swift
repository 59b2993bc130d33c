/// A made-up program with what its notices say.
struct SampleProgram {
    let client: String
    let name: String
    let executable: String
    let language: String
    let kinds: [String]
    let purpose: String
    let retention: String?
    let recipients: [String]?
    let sharing: String

    var notice: String {
        "“\(name)” would like to use the microphone.\nTo write down what you say.\nCollected: \(kinds)\nPurpose: \(purpose)"
    }

    static let notes = SampleProgram(
        client: "org.example.Notes", name: "Notes", executable: "notes", language: "en",
        kinds: ["liveAudio", "transcript"], purpose: "To write down what you say.", retention: nil, recipients: [],
        sharing: "verified")
    static let minutes = SampleProgram(
        client: "org.example.Minutes", name: "会議メモ", executable: "minutes", language: "ja",
        kinds: ["liveAudio", "transcript", "recording"], purpose: "会議の議事録を作成するため。", retention: "30日間",
        recipients: ["Example Speech Ltd."], sharing: "shared")
    static let hostile = SampleProgram(
        client: "org.example.evil", name: SampleLog.hostileName, executable: "evil", language: "en",
        kinds: ["microphoneProfile"], purpose: "=HYPERLINK(\"http://example.org\",\"click\")", retention: "+1 year",
        recipients: nil, sharing: "undeclared")
    static let unused = SampleProgram(
        client: "org.example.Recipes", name: "Rezeptbuch", executable: "recipes", language: "ko", kinds: ["transcript"],
        purpose: "요리법을 찾기 위해.", retention: nil, recipients: nil, sharing: "undeclared")
    /// Listens without ever having asked.
    static let stranger = SampleProgram(
        client: "org.example.stranger", name: "Stranger", executable: "stranger", language: "en", kinds: ["liveAudio"],
        purpose: "", retention: nil, recipients: nil, sharing: "declared")
}
