import CLinux
import Foundation

/// The rights of a file's access list beyond owner, group and others.
struct AccessList: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case user, group
        }

        let kind: Kind
        let identifier: UInt32
    }

    /// The most bytes read; an entry has 8.
    static let limit = 65_536
    /// linux/posix_acl_xattr.h
    private static let version: UInt32 = 2

    /// Named users and groups with read permission, in the list's order.
    let readers: [Entry]

    init(of path: String) throws {
        var buffer = [UInt8](repeating: 0, count: Self.limit)
        let count = vg_access_list(path, &buffer, buffer.count)
        guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        guard let list = AccessList(bytes: buffer.prefix(count)) else { throw POSIXError(.EINVAL) }
        self = list
    }

    /// `system.posix_acl_access`: u32 version, then for each entry u16 tag, u16 permissions, u32 identifier, all little
    /// endian. Tag 2 is a named user, 8 a named group, 16 the mask, which bounds both; permission 4 is reading.
    ///
    /// - Returns: `nil` for an invalid list; no bytes are an empty list.
    init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty else {
            readers = []
            return
        }
        func number(_ place: Int, _ length: Int) -> UInt32 {
            bytes[place..<place + length].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard bytes.count % 8 == 4, number(0, 4) == Self.version else { return nil }
        let entries = stride(from: 4, to: bytes.count, by: 8).map {
            (number($0, 2), number($0 + 2, 2), number($0 + 4, 4))
        }
        let mask = entries.first { $0.0 == 16 }?.1 ?? 7
        readers = entries.compactMap { tag, permissions, identifier in
            guard permissions & mask & 4 != 0 else { return nil }
            switch tag {
            case 2: return Entry(kind: .user, identifier: identifier)
            case 8: return Entry(kind: .group, identifier: identifier)
            default: return nil
            }
        }
    }
}
