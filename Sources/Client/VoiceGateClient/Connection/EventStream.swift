import Foundation
import NIOCore
import VoiceGateWire

/// Values that the service sends one a line, in order. Can be iterated once. Events of a type that this version does not know are
/// skipped.
///
/// Dropping the stream or its iterator, or cancelling the task that reads it, closes the connection. Iterating throws
/// `ClientError` if the service closes the connection or sends a line that is not an `Element`.
public struct EventStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    /// Bytes of the longest line that is taken.
    public static var lineLimit: Int { 4 << 20 }

    private enum Source: Sendable {
        case answer(ResponseHandler.Body)
        case values(AsyncThrowingStream<Element, any Error>)
    }

    private let source: Source
    /// Requests what follows this answer.
    package var next: (@Sendable () async throws -> EventStream<Element>)?

    package init(body: ResponseHandler.Body) { source = .answer(body) }

    /// A stream of values that no service sends, for a `SpeechService` in tests.
    ///
    /// - Parameter values: the stream's.
    public init(_ values: AsyncThrowingStream<Element, any Error>) { source = .values(values) }

    public func makeAsyncIterator() -> Iterator {
        switch source {
        case .answer(let body): Iterator(body: body.makeAsyncIterator(), following: next)
        case .values(let values): Iterator(values: values.makeAsyncIterator())
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        /// Either these, or those that the lines of a body are.
        private var values: AsyncThrowingStream<Element, any Error>.Iterator?
        private var body: ResponseHandler.Body.AsyncIterator?
        private var lines = LineSplitter(limit: EventStream.lineLimit)
        private var following: (@Sendable () async throws -> EventStream<Element>)?
        private var isOver = false
        private let decoder = JSONCoding.decoder()

        init(
            body: ResponseHandler.Body.AsyncIterator,
            following: (@Sendable () async throws -> EventStream<Element>)?
        ) {
            self.body = body
            self.following = following
        }

        init(values: AsyncThrowingStream<Element, any Error>.Iterator) { self.values = values }

        public mutating func next() async throws -> Element? {
            if values != nil { return try await values?.next() }
            while true {
                while !isOver {
                    if let line = try lines.next() {
                        // An empty line only keeps the connection alive.
                        if let value = try decode(line) { return value }
                    } else if let bytes = try await body?.next() {
                        lines.append(bytes.readableBytesView)
                    } else {
                        isOver = true
                        try Task.checkCancellation()
                        if let value = try decode(lines.rest) { return value }
                    }
                }
                guard let following else { return nil }
                self = try await following().makeAsyncIterator()
            }
        }

        private func decode(_ line: ArraySlice<UInt8>) throws -> Element? {
            guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { return nil }
            do {
                return try decoder.decode(Element.self, from: Data(line))
            } catch is UnknownEvent {
                return nil
            } catch {
                throw ClientError.violation("a line is not \(Element.self)")
            }
        }
    }
}

/// Cuts a stream of bytes into lines, each no longer than a bound.
struct LineSplitter {
    /// Bytes of the longest line that is taken, without its end.
    let limit: Int
    private var bytes: [UInt8] = []
    /// Where the unread part begins, and where the search for a line's end goes on.
    private var start = 0
    private var searched = 0

    init(limit: Int) { self.limit = limit }

    mutating func append(_ chunk: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// - Returns: the next line that is complete, without its end; `nil` when more bytes are needed.
    /// - Throws: `ClientError` when the line is longer than the bound.
    mutating func next() throws -> ArraySlice<UInt8>? {
        let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
        guard (end ?? bytes.count) - start <= limit else {
            throw ClientError.violation("a line is longer than \(limit) bytes")
        }
        guard let end else {
            searched = bytes.count
            return nil
        }
        defer {
            start = end + 1
            searched = start
        }
        return bytes[start..<end]
    }

    /// The bytes after the last line's end.
    var rest: ArraySlice<UInt8> { bytes[start...] }
}
