import Foundation
import Retention
import Synchronization

/// Bytes in memory, read as a file is.
final class MemoryFile: KeptInput {
    private let rest: Mutex<Data>

    init(_ bytes: Data) { rest = Mutex(bytes) }

    func read(_ count: Int) async throws -> Data {
        rest.withLock {
            let bytes = Data($0.prefix(count))
            $0 = Data($0.dropFirst(count))
            return bytes
        }
    }
}
