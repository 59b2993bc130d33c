import Crypto
import Foundation
import Testing

@testable import Consent

struct SubjectPseudonymTests {
    @Test("a pseudonym is HMAC-SHA256 of the user's number under the log's key, and stays the same")
    func form() throws {
        let key = Data((0..<32).map { UInt8($0) })
        let code = HMAC<SHA256>.authenticationCode(for: Data("1000".utf8), using: SymmetricKey(data: key))
        let subjects = try #require(SubjectPseudonyms(key: key))
        let expected = "s-" + code.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(subjects.subject(ofUser: 1000) == expected)
        #expect(subjects.subject(ofUser: 1000) == SubjectPseudonyms(key: key)?.subject(ofUser: 1000))
    }

    @Test("two users of a log, and one user in two logs, have nothing in common")
    func apart() throws {
        let one = try #require(SubjectPseudonyms(key: Data(repeating: 1, count: 32)))
        let other = try #require(SubjectPseudonyms(key: Data(repeating: 2, count: 32)))
        #expect(one.subject(ofUser: 1000) != one.subject(ofUser: 1001))
        #expect(one.subject(ofUser: 1000) != other.subject(ofUser: 1000))
    }

    @Test("a key of another size is none", arguments: [0, 16, 31, 33])
    func size(_ count: Int) { #expect(SubjectPseudonyms(key: Data(repeating: 0, count: count)) == nil) }
}
