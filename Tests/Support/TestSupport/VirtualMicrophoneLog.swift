import Foundation

/// What a virtual microphone wrote to its `openedFile`.
public struct VirtualMicrophoneLog: Sendable {
    public enum Event: String, Sendable {
        case open, close, refused
    }

    public struct Entry: Sendable {
        public let event: Event
        public let process: Int32
        /// CLOCK_MONOTONIC.
        public let nanoseconds: UInt64
        /// `close`: frames handed out since it was opened; `refused`: the errno.
        public let number: Int
    }

    public let entries: [Entry]

    /// A file that is not there is an empty log: the device was never opened.
    public init(_ path: String) {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        entries = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 4, let event = Event(rawValue: String(words[0])), let process = Int32(words[1]),
                let nanoseconds = UInt64(words[2]), let number = Int(words[3])
            else { return nil }
            return Entry(event: event, process: process, nanoseconds: nanoseconds, number: number)
        }
    }

    public func count(_ event: Event) -> Int { entries.count { $0.event == event } }
}
