import Authorization
import Base
import Retention
import TestSupport
import Testing

@Suite("The end of kept items")
struct KeepingEndTests {
    private static let day: Int64 = 86_400_000
    private static let start = Moment(boot: "one", sinceBoot: 1000, wall: 1_000_000_000)

    private static func item(_ time: String = "P30D", began: Moment = start) throws -> KeptItem {
        KeptItem(
            identifier: "a", session: "s", client: Samples.identifier("a.b"), user: 1000, kind: .transcript,
            resources: [.speechRecognition], time: try #require(KeepingTime(time)), bytes: 1, began: began)
    }

    private static func later(_ days: Double, wall: Double? = nil, boot: String = "one") -> Moment {
        Moment(
            boot: boot, sinceBoot: boot == "one" ? start.sinceBoot + Int64(days * Double(day)) : 5,
            wall: start.wall + Int64((wall ?? days) * Double(day)))
    }

    @Test(
        "within one boot the clock that cannot be set decides, suspended time counted",
        arguments: [
            (29.9, 29.9, false), (30.0, 30.0, true), (31.0, 31.0, true),
            // The wall's clock was set back, or forward.
            (30.0, -300.0, true), (29.9, 1000.0, false),
        ] as [(Double, Double, Bool)])
    func sameBoot(elapsed: Double, wall: Double, isOver: Bool) throws {
        #expect(try Self.item().isOver(at: Self.later(elapsed, wall: wall)) == isOver)
    }

    @Test(
        "over a reboot the wall's clock decides, and one that went backwards ends it",
        arguments: [(29.9, false), (30.0, true), (0.0, false), (-0.1, true), (-300.0, true)] as [(Double, Bool)])
    func otherBoot(wall: Double, isOver: Bool) throws {
        let now = Self.later(0, wall: wall, boot: "two")
        let item = try Self.item().anchored(to: now, lastSeen: nil)
        #expect(item.isOver(at: now) == isOver)
    }

    @Test(
        "a clock that was set back before the reboot extends nothing: the service's last observed time counts",
        arguments: [
            // Days by the boot's clock until the service looked last, the wall's clock then, and after the reboot.
            (25.0, 5.0, 6.0, 26.0), (25.0, 25.0, 27.0, 27.0), (25.0, 5.0, 5.0, 25.0),
        ] as [(Double, Double, Double, Double)])
    func witness(seen: Double, seenWall: Double, wall: Double, age: Double) throws {
        let lastSeen = Self.later(seen, wall: seenWall)
        let now = Self.later(0, wall: wall, boot: "two")
        let item = try Self.item().anchored(to: now, lastSeen: lastSeen)
        #expect(item.remaining(at: now) == Int64((30 - age) * Double(Self.day)))
        // From then on this boot's clock counts.
        let next = Moment(boot: "two", sinceBoot: now.sinceBoot + Int64((30 - age) * Double(Self.day)), wall: 0)
        #expect(item.isOver(at: next))
        #expect(!item.isOver(at: Moment(boot: "two", sinceBoot: next.sinceBoot - 1, wall: 0)))
    }

    @Test("a clock behind the service's last observed time ends items that have an end")
    func behindWitness() throws {
        let now = Self.later(0, wall: 4.9, boot: "two")
        let item = try Self.item().anchored(to: now, lastSeen: Self.later(25, wall: 5))
        #expect(item.isOver(at: now))
    }

    @Test("a witness that is older than the item is ignored")
    func olderWitness() throws {
        let now = Self.later(0, wall: 3, boot: "two")
        let item = try Self.item().anchored(to: now, lastSeen: Self.later(-1))
        #expect(item.remaining(at: now) == 27 * Self.day)
    }

    @Test("an item kept until withdrawal has no end, whatever the clocks show")
    func untilWithdrawn() throws {
        for moment in [Self.later(100_000), Self.later(0, wall: -5, boot: "two")] {
            let item = try Self.item("untilWithdrawn").anchored(to: moment, lastSeen: nil)
            #expect(item.remaining(at: moment) == nil)
            #expect(item.end == nil)
        }
    }
}
