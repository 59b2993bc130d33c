import Foundation
import Glibc

/// The names in a folder.
public enum Folder {
    /// - Returns: names without `.` and `..`, sorted; at most `limit`, so that a huge folder costs no more than that.
    public static func names(in path: String, limit: Int) throws(FileError) -> [String] {
        guard let stream = opendir(path) else { throw FileError.system(path, errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            // `d_name` is a zero-terminated array inside the entry, good until the next readdir.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
