import Speech
import TestSupport
import Testing

@Suite("Where utterances begin and end")
struct EndpointerTests {
    static let settings = {
        var settings = Endpointer.Settings()
        (settings.minimumSpeech, settings.minimumVoice, settings.minimumWhisper) = (2, 1, 4)
        (settings.longestUnvoiced, settings.settling, settings.maximumLength) = (8, 0, 20)
        (settings.preRoll, settings.postRoll, settings.endSilence) = (3, 2, 5)
        return settings
    }()

    /// `#` is a frame with a voice, `~` one of speech without, `.` one without speech.
    typealias Row = (name: String, frames: String, events: [Endpointer.Event])

    static let table: [Row] = [
        ("silence", "....................", []), ("a click", ".....#.........", []),
        ("clicks far apart", "#....#....#....", []), ("a word", ".....##........", [.began(at: 2), .ended(at: 9)]),
        ("a word at once", "##........", [.began(at: 0), .ended(at: 4)]),
        ("a pause within", ".....##....##.......", [.began(at: 2), .ended(at: 15)]),
        ("two words", "....##.....##.....", [.began(at: 1), .ended(at: 8), .began(at: 8), .ended(at: 15)]),
        ("speech to the end", "....####", [.began(at: 1), .ended(at: 8)]),
        ("too long", "....######################", [.began(at: 1), .ended(at: 21), .began(at: 21), .ended(at: 26)]),
        ("key strokes", ".....~~~.~~..~~~.........", []),
        ("a whisper", ".....~~~~........", [.began(at: 2), .ended(at: 11)]),
        ("a soft first sound", ".....~~~#........", [.began(at: 2), .ended(at: 11)]),
        (
            "typing after speech", ".....##~~~~~~~~~~~~~~~",
            [.began(at: 2), .ended(at: 11), .began(at: 12), .ended(at: 22)]
        ),
    ]
    static let breaths: [Row] = [
        ("a short pause is not a breath", "..##.##", [.began(at: 0), .ended(at: 7)]),
        ("a breath within", "..##...##", [.began(at: 0), .paused(at: 6), .resumed(at: 7), .ended(at: 9)]),
        ("the shortest breath", "..##..##", [.began(at: 0), .paused(at: 6), .resumed(at: 6), .ended(at: 8)]),
        ("the end is a breath first", "..##.....", [.began(at: 0), .paused(at: 6), .ended(at: 6)]),
        (
            "two breaths", "..##...##...#",
            [.began(at: 0), .paused(at: 6), .resumed(at: 7), .paused(at: 11), .resumed(at: 12), .ended(at: 13)]
        ),
    ]

    /// With `lookBack` 14 of the greatest length 20.
    static let lookingBack: [Row] = [
        (
            "too long, with two pauses", "..########.####..###########",
            [.began(at: 0), .ended(at: 16), .began(at: 16), .ended(at: 28)]
        ),
        (
            "too long, with a pause that is too early", "..##..####################",
            [.began(at: 0), .ended(at: 20), .began(at: 20), .ended(at: 26)]
        ),
        (
            "again too long", "..########..##############..##################",
            [.began(at: 0), .ended(at: 11), .began(at: 11), .ended(at: 27), .began(at: 27), .ended(at: 46)]
        ),
    ]

    @Test("an utterance that is too long ends in its longest late pause", arguments: lookingBack)
    func lookBack(row: Row) {
        var settings = Self.settings
        settings.lookBack = 14
        var endpointer = Endpointer(settings: settings)
        var events: [Endpointer.Event] = []
        var needed = 0
        for frame in row.frames {
            let new = endpointer.advance(Self.finding(frame))
            if case .began(let at)? = new.last { #expect(at >= needed, "a frame was needed that was given away") }
            events += new
            needed = endpointer.earliestNeeded
        }
        #expect(events + endpointer.finish() == row.events, "\(row.name)")
    }

    private static func finding(_ frame: Character) -> VoiceActivityDetector.Finding {
        VoiceActivityDetector.Finding(isSpeech: frame != ".", isVoiced: frame == "#")
    }

    @Test(
        "the table; breaths are reported if requested",
        arguments: table.map { ($0, 0) } + breaths.map { ($0, 2) })
    func knownCases(row: Row, breath: Int) {
        var settings = Self.settings
        if breath > 0 { settings.breath = breath }
        var endpointer = Endpointer(settings: settings)
        let events = row.frames.flatMap { endpointer.advance(Self.finding($0)) }
        #expect(events + endpointer.finish() == row.events, "\(row.name)")
    }

    @Test("utterances never overlap, are never too long, and cover all lasting speech")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var endpointer = Endpointer(settings: Self.settings)
            var frames: [Bool] = []
            while frames.count < 200 {
                let isSpeech = Bool.random(using: &generator)
                frames += Array(repeating: isSpeech, count: Int.random(in: 1...12, using: &generator))
            }
            var needed = 0
            var events: [Endpointer.Event] = []
            for frame in frames {
                let new = endpointer.advance(Self.finding(frame ? "#" : "."))
                if case .began(let at)? = new.last { #expect(at >= needed, "a frame was needed that was given away") }
                events += new
                needed = endpointer.earliestNeeded
            }
            events += endpointer.finish()
            var covered = Array(repeating: false, count: frames.count)
            var lastEnd = 0
            var began: Int?
            for event in events {
                switch event {
                case .began(let at):
                    #expect(began == nil && at >= lastEnd)
                    began = at
                case .ended(let at):
                    let start = began ?? at
                    #expect(began != nil && at >= start && at <= frames.count)
                    // The pre-roll may come on top of the longest utterance's speech.
                    #expect(at - start <= Self.settings.maximumLength)
                    for index in start..<at { covered[index] = true }
                    (began, lastEnd) = (nil, at)
                case .paused, .resumed: Issue.record("no breaths were requested")
                }
            }
            #expect(began == nil)
            for index in frames.indices.dropFirst() where frames[index] && frames[index - 1] {
                #expect(covered[index] && covered[index - 1])
            }
        }
    }

    @Test("an utterance reaches back to the beginning while the detector settles, but not later")
    func settling() {
        var settings = Self.settings
        settings.settling = 6
        for (quiet, began) in [(5, 0), (6, 3)] {
            var endpointer = Endpointer(settings: settings)
            let frames = String(repeating: ".", count: quiet) + "##"
            #expect(frames.flatMap { endpointer.advance(Self.finding($0)) } == [.began(at: began)])
        }
    }

    @Test("if the ends of words drown in noise, the pause that ends an utterance begins later")
    func drowned() {
        for drowned in [0, 3] {
            var endpointer = Endpointer(settings: Self.settings)
            var waited = 0
            for _ in 0..<3 {
                _ = endpointer.advance(VoiceActivityDetector.Finding(isSpeech: true, isVoiced: true, drowned: drowned))
            }
            while endpointer.isSpeaking {
                _ = endpointer.advance(Self.finding("."))
                waited += 1
            }
            #expect(waited == Self.settings.endSilence + drowned)
        }
    }

    @Test("a long utterance ends at a breath, and not within a word")
    func long() {
        var settings = Self.settings
        (settings.breath, settings.endSilence, settings.longLength) = (2, 4, 8)
        var endpointer = Endpointer(settings: settings)
        let events = "..##..##..####..##".flatMap { endpointer.advance(Self.finding($0)) }
        let ends = events.compactMap { if case .ended(let frame) = $0 { frame } else { nil } }
        #expect(ends == [10])
        #expect(events.contains(.paused(at: 6)))
    }

    @Test("breaths do not change the utterances, and alternate with resuming")
    func breathsAreExtra() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var settings = Self.settings
            var plain = Endpointer(settings: settings)
            settings.breath = 2
            var told = Endpointer(settings: settings)
            var isPaused = false
            for _ in 0..<60 {
                let finding = Self.finding(Bool.random(using: &random) ? "#" : ".")
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let expected = plain.advance(finding)
                    let events = told.advance(finding)
                    #expect(events.filter { !$0.isBreath } == expected, "seed \(seed)")
                    for event in events {
                        if case .paused = event { #expect(!isPaused, "seed \(seed)") }
                        if case .resumed = event { #expect(isPaused, "seed \(seed)") }
                        if case .paused = event { isPaused = true } else { isPaused = false }
                    }
                }
            }
        }
    }

    @Test("a NaN, negative or infinite pause is clamped")
    func sanePause() {
        let pauses = [.nan, -1, .infinity, 1e300].map { Endpointer.Settings(pause: $0).endSilence }
        #expect(pauses == [80, 20, 80, 1_000])
    }
}

extension Endpointer.Event {
    fileprivate var isBreath: Bool {
        switch self {
        case .paused, .resumed: true
        case .began, .ended: false
        }
    }
}
