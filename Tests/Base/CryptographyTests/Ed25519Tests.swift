import Cryptography
import Foundation
import Testing

@Suite("Ed25519")
struct Ed25519Tests {
    struct Vector: Sendable {
        let seed, publicKey, message, signature: String
    }

    /// RFC 8032, section 7.1: tests 1 to 3, and SHA(abc).
    private static let published = [
        Vector(
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155\
                5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                """),
        Vector(
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """),
        Vector(
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac\
                18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
                """),
        Vector(
            seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            message: """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """,
            signature: """
                dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589\
                09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704
                """),
    ]

    @Test("RFC 8032's seeds have their public keys and signatures", arguments: published)
    func examples(vector: Vector) throws {
        let key = try Ed25519.PrivateKey(seed: Data(hexadecimal: vector.seed))
        let message = Data(hexadecimal: vector.message)
        #expect(key.seed == Data(hexadecimal: vector.seed))
        #expect(key.publicKey == Data(hexadecimal: vector.publicKey))
        #expect(try key.signature(for: message) == Data(hexadecimal: vector.signature))
        #expect(Ed25519.isValid(Data(hexadecimal: vector.signature), of: message, publicKey: key.publicKey))
    }

    @Test("A signature is not valid for another message or key, nor with another bit or size")
    func tampering() throws {
        let key = try Ed25519.PrivateKey(seed: Data(1...32))
        let message = Data("a message".utf8)
        let signature = try key.signature(for: message)
        func isValid(_ signature: Data, of message: Data, publicKey: Data? = nil) -> Bool {
            Ed25519.isValid(signature, of: message, publicKey: publicKey ?? key.publicKey)
        }
        #expect(isValid(signature, of: message))
        for bit in 0..<(8 * Ed25519.signatureSize) {
            var other = signature
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isValid(other, of: message))
        }
        for bit in 0..<(8 * Ed25519.keySize) {
            var other = key.publicKey
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isValid(signature, of: message, publicKey: other))
        }
        #expect(!isValid(signature, of: message + [0]))
        for wrong in [signature + [0], signature.dropLast(), Data()] { #expect(!isValid(wrong, of: message)) }
        for wrong in [key.publicKey + [0], key.publicKey.dropLast(), Data()] {
            #expect(!isValid(signature, of: message, publicKey: wrong))
        }
    }

    @Test("A seed has 32 bytes", arguments: [0, 31, 33, 64])
    func seedSize(size: Int) {
        #expect(throws: CryptographyError.size) { try Ed25519.PrivateKey(seed: Data(count: size)) }
    }
}
