import Authorization
import TestSupport
import Testing

@Suite("The monitors that are registered")
struct MonitorBookTests {
    private func monitor(
        _ number: Int, client: String = "org.example.Editor", user: UInt32 = 1000, action: MonitorAction = .start
    ) -> MonitorRegistration {
        MonitorRegistration(
            identifier: "\(client)-\(user)-\(number)", user: user, client: Samples.identifier(client),
            kind: number == 0 ? .soundBegan : .keyPhrase("phrase \(number)"), action: action)
    }

    @Test("a client has at most four, and the same one once")
    func ofClient() throws {
        var book = MonitorBook()
        for number in 0..<MonitorBook.mostOfClient {
            try book.check(monitor(number))
            book.add(monitor(number))
        }
        #expect(throws: MonitorError.self) { try book.check(monitor(9)) }
        book.remove(monitor(1).identifier)
        let error = #expect(throws: MonitorError.self) { try book.check(monitor(0)) }
        #expect(error?.code == .alreadyRegistered)
        try book.check(monitor(9))
        try book.check(monitor(0, action: .notify))
    }

    @Test("a user has at most sixteen, and another user's do not count")
    func ofUser() throws {
        var book = MonitorBook()
        for client in 0..<4 { for number in 0..<4 { book.add(monitor(number, client: "org.example.c\(client)")) } }
        let error = #expect(throws: MonitorError.self) { try book.check(monitor(0)) }
        #expect(error?.code == .tooMany)
        try book.check(monitor(0, user: 1001))
        #expect(book.owners.count == 4)
        #expect(book.monitors(of: MonitorOwner(user: 1001, client: Samples.identifier("org.example.c0"))).isEmpty)
    }

    @Test("what is not there is not found")
    func unknown() {
        let error = #expect(throws: MonitorError.self) { _ = try MonitorBook().monitor("nothing") }
        #expect(error?.code == .unknown)
    }

    @Test("a kind and its phrase go together")
    func kinds() {
        #expect(MonitorKind(name: "soundBegan", phrase: nil) == .soundBegan)
        #expect(MonitorKind(name: "keyPhrase", phrase: "wake up") == .keyPhrase("wake up"))
        for (name, phrase) in [("soundBegan", "wake up"), ("keyPhrase", nil), ("other", nil)] as [(String, String?)] {
            #expect(MonitorKind(name: name, phrase: phrase) == nil)
        }
    }
}
