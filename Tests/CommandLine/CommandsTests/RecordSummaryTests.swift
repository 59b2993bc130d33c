@testable import CommandText
import Consent
import Testing

@Suite("A record's line")
struct RecordSummaryTests {
    @Test(
        "a jump of the clock has its direction, and units that a person reads",
        arguments: [
            (94_694_391_358, "forward by 3 years 1 day"), (-172_800_000, "back by 2 days"),
            (86_400_000, "forward by 1 day"),
            (-3_723_000, "back by 1 h 2 min"), (2500, "forward by 2.5 s"),
            (Int64.min, "back by 292471208 years 247 days"),
        ])
    func jump(_ milliseconds: Int64, _ text: String) {
        #expect(ConsentRecord.jump(milliseconds) == text)
    }
}
