import Crypto
import Foundation

/// Tells whether two lists hold the same paths, in any order, without remembering them.
///
/// The sum of a keyed hash of each path. The key is random and lives for one check, so that nobody can choose paths whose
/// sums are the same.
struct PathFingerprint: Equatable {
    private let key: SymmetricKey
    private var lanes = SIMD4<UInt64>(repeating: 0)

    init(key: SymmetricKey) { self.key = key }

    mutating func add(_ path: String) {
        let code = HMAC<SHA256>.authenticationCode(for: Data(path.utf8), using: key)
        var words = SIMD4<UInt64>()
        for (position, byte) in code.enumerated() {
            words[position / 8] = words[position / 8] << 8 | UInt64(byte)
        }
        lanes &+= words
    }
}
