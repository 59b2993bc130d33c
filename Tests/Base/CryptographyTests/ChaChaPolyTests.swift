import Cryptography
import Foundation
import Testing

@Suite("ChaCha20-Poly1305")
struct ChaChaPolyTests {
    @Test("RFC 8439, section 2.8.2, seals to its ciphertext and tag")
    func sealing() throws {
        let sealed = try ChaChaPoly.seal(
            Data(
                "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
                    .utf8),
            using: SymmetricKey(data: 0x80...0x9f), nonce: Data(hexadecimal: "070000004041424344454647"),
            authenticating: Data(hexadecimal: "50515253c0c1c2c3c4c5c6c7"))
        #expect(
            sealed
                == Data(
                    hexadecimal: """
                        d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6\
                        3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36\
                        92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc\
                        3ff4def08e4b7a9de576d26586cec64b6116\
                        1ae10b594f09e26a7e902ecbd0600691
                        """))
    }

    @Test("RFC 8439, appendix A.5, opens to its plaintext")
    func opening() throws {
        let data = try ChaChaPoly.open(
            Data(
                hexadecimal: """
                    64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb2\
                    4c6cfc18755d43eea09ee94e382d26b0bdb7b73c321b0100d4f03b7f355894cf\
                    332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c855\
                    9797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4\
                    b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523e\
                    af4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a\
                    0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a10\
                    49e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29\
                    a6ad5cb4022b02709beead9d67890cbb22392336fea1851f38
                    """),
            using: SymmetricKey(
                data: Data(hexadecimal: "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0")),
            nonce: Data(hexadecimal: "000000000102030405060708"),
            authenticating: Data(hexadecimal: "f33388860000000000004e91"))
        #expect(
            String(decoding: data, as: UTF8.self) == """
                Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or \
                obsoleted by other documents at any time. It is inappropriate to use Internet-Drafts as reference material \
                or to cite them other than as /“work in progress./”
                """)
    }

    @Test("Only what was sealed opens: each bit, the nonce, the key and the associated data count")
    func tampering() throws {
        let (key, nonce, header) = (SymmetricKey(), Data(0..<12), Data("header".utf8))
        let sealed = try ChaChaPoly.seal(Data("data".utf8), using: key, nonce: nonce, authenticating: header)
        #expect(try ChaChaPoly.open(sealed, using: key, nonce: nonce, authenticating: header) == Data("data".utf8))
        for bit in 0..<(8 * sealed.count) {
            var other = sealed
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: CryptographyError.notAuthentic) {
                try ChaChaPoly.open(other, using: key, nonce: nonce, authenticating: header)
            }
        }
        for (key, nonce, header) in [
            (SymmetricKey(), nonce, header), (key, Data(1...12), header), (key, nonce, Data()),
        ] {
            #expect(throws: CryptographyError.notAuthentic) {
                try ChaChaPoly.open(sealed, using: key, nonce: nonce, authenticating: header)
            }
        }
    }

    @Test("Slices of larger data are sealed and opened like separate data")
    func slices() throws {
        let (key, nonce, data) = (SymmetricKey(), Data(0..<12), Data(0..<200))
        let sealed = try ChaChaPoly.seal(data[50..<150], using: key, nonce: nonce, authenticating: data[7..<20])
        let opened = try ChaChaPoly.open(
            (Data(count: 3) + sealed).dropFirst(3), using: key, nonce: nonce, authenticating: Data(7..<20))
        #expect(opened == Data(50..<150))
    }

    @Test("A nonce has 12 bytes, a key 32, and sealed data at least a tag")
    func sizes() throws {
        func seal(keySize: Int, nonceSize: Int) throws {
            _ = try ChaChaPoly.seal(
                Data(), using: SymmetricKey(data: Data(count: keySize)), nonce: Data(count: nonceSize),
                authenticating: Data())
        }
        try seal(keySize: 32, nonceSize: 12)
        for (keySize, nonceSize) in [(31, 12), (33, 12), (0, 12), (32, 11), (32, 13), (32, 0)] {
            #expect(throws: CryptographyError.size) { try seal(keySize: keySize, nonceSize: nonceSize) }
        }
        #expect(throws: CryptographyError.size) {
            try ChaChaPoly.open(Data(count: 15), using: SymmetricKey(), nonce: Data(count: 12), authenticating: Data())
        }
    }
}

@Suite("Secret keys")
struct SymmetricKeyTests {
    @Test("A new key has 32 bytes, and no two are equal")
    func new() {
        let keys = (0..<100).map { _ in SymmetricKey() }
        #expect(keys.allSatisfy { $0.withUnsafeBytes(\.count) == 32 })
        #expect(Set(keys.map { $0.withUnsafeBytes { Data($0) } }).count == keys.count)
    }

    @Test("Keys are equal if their bytes are")
    func equality() {
        #expect(SymmetricKey(data: [1, 2]) == SymmetricKey(data: [1, 2]))
        #expect(SymmetricKey(data: [1, 2]) != SymmetricKey(data: [1, 3]))
        #expect(SymmetricKey(data: [1, 2]) != SymmetricKey(data: [1]))
    }
}
