import Authorization
import TestSupport
import Testing

@Suite("Quotas of users")
struct QuotaTests {
    private let limits = Quota(total: 32, ofProgram: 6, part: 2, keptForRoot: 2)

    @Test("one user gets a part only, and a program fewer")
    func oneUser() {
        var counts = QuotaCounts<Int>(limits)
        var refusals: [QuotaRefusal] = []
        for number in 0..<40 { if let refusal = counts.take(number % 5, of: 1000) { refusals.append(refusal) } }
        #expect(counts.taken == 10)
        #expect(refusals.allSatisfy { $0 == .ofUser(10) })
        var others = QuotaCounts<Int>(limits)
        for _ in 0..<6 { #expect(others.take(1, of: 1000) == nil) }
        #expect(others.take(1, of: 1000) == .ofProgram(6))
        #expect(others.take(1, of: 1001) == nil, "another user's program of that name is another program")
    }

    @Test(
        "a user without a unit gets one while any is free, whatever ten users took before; root gets the last ones"
    )
    func lastOnes() {
        var counts = QuotaCounts<Int>(Quota(total: 100, ofProgram: 6, part: 2, keptForRoot: 2))
        for user in UInt32(1000)..<1010 {
            #expect(counts.take(0, of: user) == nil, "user \(user)")
            for program in 1..<40 { _ = counts.take(program, of: user) }
        }
        for user in UInt32(2000)..<2040 { _ = counts.take(0, of: user) }
        #expect(counts.taken == 98)
        #expect(counts.take(0, of: 3000) == .ofAll(98))
        #expect(counts.take(0, of: 0) == nil)
        #expect(counts.take(1, of: 0) == .ofUser(1))
    }

    @Test("where only one user is served, that user may take all")
    func servesOne() {
        var counts = QuotaCounts<Int>(Quota(total: 8, ofProgram: 4, servesOneUser: true))
        for number in 0..<8 { #expect(counts.take(number / 4, of: 1000) == nil) }
        #expect(counts.take(2, of: 1000) == .ofAll(8))
    }

    @Test("released quota can be taken again; in any order the counts are those of a list")
    func randomSequence() {
        var generator = SeededGenerator(seed: 7)
        var counts = QuotaCounts<Int>(limits)
        var list: [(user: UInt32, program: Int)] = []
        for _ in 0..<20_000 {
            if !list.isEmpty, Bool.random(using: &generator) {
                let entry = list.remove(at: Int.random(in: 0..<list.count, using: &generator))
                counts.giveBack(entry.program, of: entry.user)
            } else {
                let entry = (
                    user: UInt32.random(in: 0..<5, using: &generator), program: Int.random(in: 0..<3, using: &generator)
                )
                let own = list.filter { $0.user == entry.user }
                let refusal = limits.refusal(
                    of: entry.user, having: own.count, ofProgram: own.count { $0.program == entry.program },
                    taken: list.count)
                #expect(counts.take(entry.program, of: entry.user) == refusal)
                if refusal == nil { list.append(entry) }
            }
            #expect(counts.taken == list.count)
        }
        for entry in list { counts.giveBack(entry.program, of: entry.user) }
        counts.giveBack(0, of: 0)
        #expect(counts.taken == 0)
    }
}
