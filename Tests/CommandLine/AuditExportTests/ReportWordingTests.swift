import Authorization
import Consent
import Testing

@testable import AuditExport

@Suite struct ReportWordingTests {
    @Test("every kind of record has words in each language, and no two the same", arguments: Language.allCases)
    func kinds(language: Language) {
        let words = RecordKind.all.map { language.reportWording.kind($0.rawValue) }
        #expect(!words.contains(nil))
        #expect(Set(words).count == words.count)
        #expect(language.reportWording.kind("stranger") == nil)
    }

    @Test("every refusal has words in each language", arguments: Language.allCases)
    func refusals(language: Language) {
        for code in RefusalCode.allCases where code != .alreadyFull {
            #expect(language.reportWording.refusal(code.rawValue) != nil, "\(code)")
        }
    }

    @Test("durations and numbers are rounded for readers")
    func numbers() {
        let words = Language.english.reportWording
        #expect(
            [0, 1, 449, 450, 9_949, 9_950, 59_499, 61_000, 599_000, 600_000, 3_599_000, 3_600_000, 90_061_000]
                .map(words.duration) == [
                    "0 s", "0.1 s", "0.4 s", "0.5 s", "9.9 s", "10 s", "59 s", "1 min 1 s", "9 min 59 s", "10 min",
                    "59 min", "1 h 0 min", "25 h 1 min",
                ])
        #expect(
            [0, 12, 999, 1_000, 123_456, 1_234_567].map(words.count) == [
                "0", "12", "999", "1,000", "123,456", "1,234,567",
            ])
        #expect(
            [0, 999, 1_000, 4_812_331, 2_000_000_000].map(words.bytes) == [
                "0 B", "999 B", "1.0 kB", "4.8 MB", "2.0 GB",
            ])
    }

    @Test("moments are those of the calendar, also on leap days, before 1970 and far away")
    func calendar() {
        let days: [(Int64, Int64, Int64, Int64)] = [
            (-1, 1969, 12, 31), (0, 1970, 1, 1), (11_016, 2000, 2, 29), (19_782, 2024, 2, 29), (20_778, 2026, 11, 21),
        ]
        for (number, year, month, day) in days {
            let date = CivilDate(year: year, month: month, day: day)
            #expect(CivilDate(daysSince1970: number) == date && date.daysSince1970 == number)
        }
        for number in stride(from: Int64(-800_000), to: 2_900_000, by: 997) {
            #expect(CivilDate(daysSince1970: number).daysSince1970 == number)
        }
        let last = LocalMoment(local: -1)
        #expect((last.date, last.hour, last.minute) == (CivilDate(daysSince1970: -1), 23, 59))
    }

    @Test(
        "a timeline has few enough columns to be seen, however long it is, and loses nothing",
        arguments: [1, 3, 40, 400, 2_000, 7_000])
    func columns(days: Int) throws {
        var calendar = UseCalendar()
        var use = Use()
        use.listened = Use.Count(times: 1, milliseconds: 1_000)
        for day in 0..<days { calendar.add(use, hour: (20_000 + day) * 24 + 9) }
        let timeline = try #require(Timeline(calendar))
        let columns = timeline.columns(calendar)
        #expect((12...100).contains(timeline.range.count))
        #expect(columns.keys.allSatisfy(timeline.range.contains))
        #expect(columns.values.reduce(0) { $0 + $1.listened.times } == days)
    }

    @Test("nothing listened, so there is no timeline")
    func noTimeline() { #expect(Timeline(UseCalendar()) == nil) }
}
