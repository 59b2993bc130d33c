import Authorization
import CLinux
import Foundation
import Glibc

/// `/.flatpak-info`, which Flatpak puts into each sandbox (flatpak-metadata(5)): a key file whose group `Application` has
/// the name.
struct FlatpakInformation {
    /// Bytes; a real one has about 2 kB.
    static let sizeLimit = 65_536

    enum Finding {
        case none
        case application(String, FileMetadata)
        /// There is something, and it cannot be believed.
        case unreadable
    }

    /// - Parameter folder: the process's root folder, open.
    static func find(in folder: borrowing OwnedDescriptor) -> Finding {
        let number = vg_open_entry(folder.rawValue, ".flatpak-info")
        guard number >= 0 else { return errno == ENOENT ? .none : .unreadable }
        let file = OwnedDescriptor(owning: number)
        guard let contents = try? RegularFile(path: "/proc/self/fd/\(file.rawValue)", limit: sizeLimit),
            let name = application(in: contents.data)
        else { return .unreadable }
        return .application(name, contents.metadata)
    }

    /// - Returns: `nil` when there is no name, more than one, or none of Flatpak's.
    static func application(in data: Data) -> String? {
        guard let text = String(validating: data, as: UTF8.self) else { return nil }
        var group = ""
        var names: Set<String> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                group = String(line)
            } else if group == "[Application]", line.hasPrefix("name=") {
                names.insert(String(line.dropFirst("name=".count)))
            }
        }
        guard names.count == 1, let name = names.first, SandboxName.isValid(name) else { return nil }
        return name
    }
}
