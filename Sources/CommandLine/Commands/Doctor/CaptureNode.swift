import Foundation

/// A capture node as it is found.
struct CaptureNode: Sendable, Hashable {
    let path: String
    let owner: UInt32
    let group: UInt32
    /// Permission bits.
    let mode: UInt32
    /// `nil`: cannot be read.
    let accessList: AccessList?
    /// Whether udev gives it to whoever sits at the machine; `nil`: udev says nothing about it.
    let isTaggedUaccess: Bool?
    /// Users besides root and the service's that could open it, by name, sorted; `nil`: only root can find out.
    let readers: [String]?
}
