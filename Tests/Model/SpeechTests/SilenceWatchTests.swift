import Testing

@testable import Speech

@Suite("When silence ends a session")
struct SilenceWatchTests {
    enum Step: Sendable {
        case speech
        /// More speech, from this time on.
        case next(at: Double)
        case words(end: Double)
        case noise(end: Double)
        case listensAgain
        case audio(Double, isOver: Bool)
    }

    @Test(
        "by table",
        arguments: [
            ("never before speech began", 2, [.audio(1, isOver: false), .audio(3_600, isOver: false)]),
            ("a noise without words arms nothing", 2, [.speech, .noise(end: 1), .audio(100, isOver: false)]),
            ("not while somebody speaks", 2, [.speech, .audio(100, isOver: false)]),
            ("after words", 2, [.speech, .words(end: 1), .audio(2.9, isOver: false), .audio(3, isOver: true)]),
            ("speech that goes on disarms", 2, [.speech, .words(end: 1), .next(at: 1.5), .audio(9, isOver: false)]),
            (
                "a noise after words counts from its end", 2,
                [
                    .speech, .words(end: 1), .next(at: 1.5), .noise(end: 2), .audio(3.9, isOver: false),
                    .audio(4, isOver: true),
                ]
            ),
            (
                "a pause is not silence", 2,
                [
                    .speech, .words(end: 1), .listensAgain, .audio(60, isOver: false), .audio(61, isOver: false),
                    .audio(62, isOver: true),
                ]
            ),
            (
                "an utterance cut off by a pause counts from its end of the pause", 2,
                [.speech, .listensAgain, .audio(60, isOver: false), .words(end: 1), .audio(61, isOver: false)]
            ),
            (
                "the text of an utterance comes after the next has begun", 2,
                [
                    .speech, .next(at: 2), .words(end: 1), .audio(9, isOver: false), .words(end: 10),
                    .audio(12, isOver: true),
                ]
            ),
            ("never without a limit", nil, [.speech, .words(end: 1), .audio(3_600, isOver: false)]),
        ] as [(String, Double?, [Step])])
    func table(_ name: String, _ limit: Double?, _ steps: [Step]) {
        var watch = SilenceWatch(limit: limit)
        for step in steps {
            switch step {
            case .speech: watch.speechStarted(at: 0)
            case .next(let start): watch.speechStarted(at: start)
            case .words(let end): watch.utteranceEnded(at: end, hasWords: true)
            case .noise(let end): watch.utteranceEnded(at: end, hasWords: false)
            case .listensAgain: watch.listensAgain()
            case .audio(let seconds, let expected):
                let isOver = watch.isOver(at: seconds)
                #expect(isOver == expected, "\(name): \(step)")
            }
        }
    }
}
