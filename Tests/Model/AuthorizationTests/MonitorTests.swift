import Authorization
import Base
import Foundation
import TestSupport
import Testing

@Suite("Registered monitors")
struct MonitorBookTests {
    private func monitor(
        _ number: Int, client: String = "org.example.Editor", user: UInt32 = 1000, action: MonitorAction = .start
    ) -> MonitorRegistration {
        MonitorRegistration(
            identifier: "\(client)-\(user)-\(number)", user: user, client: Samples.identifier(client),
            kind: number == 0 ? .soundBegan : .keyPhrase("phrase \(number)"), action: action)
    }

    @Test(
        "a client has at most four of each user, and the same one once; those that notify the user are not counted with them"
    )
    func ofClient() throws {
        var book = MonitorBook()
        for number in 0..<MonitorBook.mostOfClient {
            try book.check(monitor(number))
            book.add(monitor(number))
        }
        #expect(throws: MonitorError.self) { try book.check(monitor(9)) }
        try book.check(monitor(9, user: 1001))
        book.remove(monitor(1).identifier)
        let error = #expect(throws: MonitorError.self) { try book.check(monitor(0)) }
        #expect(error?.code == .alreadyRegistered)
        try book.check(monitor(9))
        try book.check(monitor(0, action: .notify))
    }

    @Test("phrases with the same words are the same monitor", arguments: ["turn on", "Turn On!", "turn-on"])
    func sameWords(phrase: String) throws {
        func registration(_ phrase: String) -> MonitorRegistration {
            MonitorRegistration(
                identifier: phrase, user: 1000, client: Samples.identifier("org.example.Editor"),
                kind: .keyPhrase(phrase), action: .start)
        }
        let book = MonitorBook([registration("Turn on")])
        let error = #expect(throws: MonitorError.self) { try book.check(registration(phrase)) }
        #expect(error?.code == .alreadyRegistered)
        try book.check(registration("turn off"))
    }

    @Test("a user has at most sixteen, and another user's do not count")
    func ofUser() throws {
        var book = MonitorBook()
        for client in 0..<4 { for number in 0..<4 { book.add(monitor(number, client: "org.example.c\(client)")) } }
        let error = #expect(throws: MonitorError.self) { try book.check(monitor(0)) }
        #expect(error?.code == .tooMany)
        try book.check(monitor(0, user: 1001))
        for client in 0..<4 {
            for number in 0..<4 {
                let notifying = monitor(number, client: "org.example.c\(client)", action: .notify)
                try book.check(notifying)
                book.add(notifying)
            }
        }
        #expect(book.owners.count == 8)
        #expect(book.monitors(of: MonitorOwner(user: 1001, client: Samples.identifier("org.example.c0"))).isEmpty)
    }

    @Test("a kind fits its phrase")
    func kinds() {
        #expect(MonitorKind(name: "soundBegan", phrase: nil) == .soundBegan)
        #expect(MonitorKind(name: "keyPhrase", phrase: "wake up") == .keyPhrase("wake up"))
        for (name, phrase) in [("soundBegan", "wake up"), ("keyPhrase", nil), ("other", nil)] as [(String, String?)] {
            #expect(MonitorKind(name: name, phrase: phrase) == nil)
        }
    }
}

@Suite("When a monitor may act again")
struct MonitorBackOffTests {
    private let now = Moment(boot: "a", sinceBoot: 50_000, wall: 1_000_000)

    private func later(_ milliseconds: Int64, wall: Int64? = nil) -> Moment {
        Moment(boot: "a", sinceBoot: now.sinceBoot + milliseconds, wall: wall ?? now.wall + milliseconds)
    }

    @Test("a new monitor may act at once")
    func fresh() {
        #expect(MonitorBackOff().wait(at: now) == nil)
    }

    @Test(
        "each failure in a row doubles the pause, up to ten minutes",
        arguments: [
            (1, 5), (2, 10), (3, 20), (4, 40), (5, 80), (7, 320), (8, 600), (9, 600), (500, 600),
        ] as [(Int, Int64)])
    func failures(count: Int, seconds: Int64) {
        var backOff = MonitorBackOff()
        for _ in 0..<count { backOff.failed("No device.", at: now) }
        #expect(backOff.failures == count)
        #expect(backOff.wait(at: now) == .seconds(seconds))
        #expect(backOff.wait(at: later(seconds * 1000 - 1)) == .milliseconds(1))
        #expect(backOff.wait(at: later(seconds * 1000)) == nil)
        #expect(backOff.wait(at: later(0, wall: 0)) == .seconds(seconds), "the wall clock does not count")
    }

    @Test("a success resets the pause to a short one")
    func success() {
        var backOff = MonitorBackOff()
        for number in 0..<7 { backOff.failed("\(number)", at: now) }
        #expect(backOff.reason == "6")
        backOff.succeeded(at: now)
        #expect(backOff.failures == 0)
        #expect(backOff.reason == nil)
        #expect(backOff.wait(at: now) == MonitorBackOff.pause)
        backOff.failed("No device.", at: now)
        #expect(backOff.wait(at: now) == .seconds(5))
    }
}
