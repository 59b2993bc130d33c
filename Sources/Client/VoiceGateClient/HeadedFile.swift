/// A file's bytes after others.
struct HeadedFile<File: AsyncSequence & Sendable>: AsyncSequence, Sendable where File.Element == [UInt8] {
    let head: [UInt8]
    let file: File

    struct AsyncIterator: AsyncIteratorProtocol {
        var head: [UInt8]?
        var file: File.AsyncIterator

        mutating func next() async throws -> [UInt8]? {
            defer { head = nil }
            if let head, !head.isEmpty { return head }
            return try await file.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(head: head, file: file.makeAsyncIterator()) }
}
