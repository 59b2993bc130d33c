import Cryptography
import Foundation
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    /// Of "SHA256 examples" and "SHA2 additional" of NIST, to FIPS 180-4.
    private static let published = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test("NIST's examples have their digests", arguments: published)
    func examples(text: String, digest: String) {
        #expect(Data(SHA256.hash(data: text.utf8)) == Data(hexadecimal: digest))
    }

    @Test("Pieces of any size have the digest of the whole, and a digest in between changes nothing")
    func pieces() {
        let data = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
        let whole = SHA256.hash(data: data)
        for size in 1...data.count {
            var hash = SHA256()
            for start in stride(from: 0, to: data.count, by: size) {
                hash.update(data: data[start..<min(start + size, data.count)])
                _ = hash.finalize()
            }
            #expect(hash.finalize() == whole)
        }
    }

    @Test("A sequence without contiguous memory is hashed as its bytes")
    func sequence() {
        #expect(SHA256.hash(data: stride(from: UInt8(0), to: 200, by: 1)) == SHA256.hash(data: Data(0..<200)))
    }

    @Test("Digests are equal only if all of their bits are")
    func equality() {
        let data = Data("abc".utf8)
        #expect(SHA256.hash(data: data) == SHA256.hash(data: data))
        for position in 0..<24 {
            var other = data
            other[position / 8] ^= 1 << UInt8(position % 8)
            #expect(SHA256.hash(data: other) != SHA256.hash(data: data))
        }
    }
}

@Suite("HMAC-SHA-256")
struct HMACSHA256Tests {
    /// RFC 4231, section 4: without case 5, whose code is cut off.
    private static let published = [
        (
            String(repeating: "0b", count: 20), Data("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", Data("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), Data(repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819", Data(repeating: 0xcd, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            String(repeating: "aa", count: 131), Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            String(repeating: "aa", count: 131),
            Data(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test("RFC 4231's examples have their codes", arguments: published)
    func examples(key: String, data: Data, code: String) {
        let key = SymmetricKey(data: Data(hexadecimal: key))
        #expect(Data(HMACSHA256.authenticationCode(for: data, using: key)) == Data(hexadecimal: code))
    }

    @Test("Data and keys may be empty")
    func empty() {
        // openssl mac -digest SHA256 -macopt hexkey:00 HMAC, of nothing: a key is padded with zeros.
        let code = Data(hexadecimal: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        for key in [Data(), Data([0])] {
            #expect(Data(HMACSHA256.authenticationCode(for: [], using: SymmetricKey(data: key))) == code)
        }
    }
}
