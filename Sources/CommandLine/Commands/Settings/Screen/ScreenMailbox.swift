import CLinux
import Consent
import Glibc
import SocketAPI
import Synchronization

/// News for the thread that holds the screen, which waits for keys and for these at once.
final class ScreenMailbox: Sendable {
    enum News: Sendable {
        case settings(SettingsReply)
        case indicator(IndicatorReply)
        case records([AuditRecord], client: String)
        case message(String)
        case signal(Int32)
        case failed(any Error)
    }

    private let news = Mutex<[News]>([])
    /// Becomes readable when there are news.
    let reader: Int32
    private let writer: Int32

    /// - Throws: `CommandError`
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard vg_pipe(&ends) == 0 else {
            throw CommandError(.cannotWrite, .unavailable, "There are too many open files. Close some.")
        }
        (reader, writer) = (ends[0], ends[1])
        // A pipe that is full wakes as well as one that is fuller.
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(reader)
        close(writer)
    }

    func post(_ item: News) {
        news.withLock { $0.append(item) }
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    /// What has come, in order. Call when `reader` is readable.
    func take() -> [News] {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(reader, &bytes, bytes.count)
        return news.withLock { news in
            defer { news = [] }
            return news
        }
    }
}
