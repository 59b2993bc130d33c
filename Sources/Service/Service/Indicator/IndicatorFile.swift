import Dispatch
import Foundation
import Glibc
import SocketAPI

/// `indicator.json`: the indicator for programs that read files. Only this user can read it.
///
/// It is replaced as a whole, so that nobody reads half of it, and is gone when the service is.
final class IndicatorFile: Sendable {
    let path: String
    /// Writing blocks, if only for a moment.
    private let queue = DispatchQueue(label: "voicegate.indicator-file")

    init(path: String) { self.path = path }

    /// - Throws: `ServiceError`
    func write(_ bar: IndicatorBar) async throws {
        let data = try JSONCoding.encoder().encode(bar) + [UInt8(ascii: "\n")]
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.replace(with: data) }) }
        }
    }

    func remove() async {
        await withCheckedContinuation { continuation in
            queue.async {
                unlink(self.path)
                continuation.resume()
            }
        }
    }

    private func replace(with data: Data) throws(ServiceError) {
        let draft = path + ".new"
        // Left behind by a service that was killed; a link that somebody put there is not followed.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        let count = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == data.count, rename(draft, path) == 0 else {
            let error = failure()
            unlink(draft)
            throw error
        }
    }

    private func failure() -> ServiceError {
        ServiceError(
            code: .indicatorFile,
            message: "The indicator's file \(path) cannot be written: \(String(cString: strerror(errno))). "
                + "Choose another one with --indicator-file.")
    }
}
