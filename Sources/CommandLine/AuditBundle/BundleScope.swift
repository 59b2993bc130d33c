import Consent
import Foundation

/// `scope.json`: what the bundle covers. Members that are not named here are for people.
struct BundleScope: Decodable {
    /// The checkpoint's origin.
    let log: String
    /// The checkpoint's size.
    let size: UInt64
    /// Whether all records are there, so that the root can be worked out from them.
    let whole: Bool
}
