import AsyncHTTPClient
import Foundation
import NIOCore

/// What the collector asks of addresses that its administrator named: no redirect is followed, and an answer that does not come
/// whole in time is ignored, because the periodic work waits for it.
enum OutgoingRequest {
    struct Late: Error {}
    /// The server answers, but not as it should.
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    /// Plain text is for the loopback alone.
    ///
    /// - Throws: `CollectorSettings.Problem`.
    static func check(_ url: String, of what: String) throws {
        let parts = URLComponents(string: url)
        switch parts?.scheme {
        case "https" where parts?.host?.isEmpty == false: return
        case "http" where ["127.0.0.1", "[::1]", "localhost"].contains(parts?.host): return
        default: throw CollectorSettings.Problem(description: "\(what) \(url) is not https, and not on this machine.")
        }
    }

    private static let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))

    /// - Parameter limit: bytes of the answer's body; without, it is not read.
    static func post(
        _ body: Data, to url: String, headers: [(name: String, value: String)] = [], readingUpTo limit: Int? = nil,
        within patience: Duration = .seconds(10)
    ) async throws -> (status: Int, body: Data) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        request.body = .bytes(body)
        return try await withThrowingTaskGroup(of: (status: Int, body: Data).self) { group in
            defer { group.cancelAll() }
            group.addTask { [request] in
                let response = try await client.execute(request, deadline: .distantFuture)
                var body = Data()
                if let limit { body = Data(buffer: try await response.body.collect(upTo: limit)) }
                return (Int(response.status.code), body)
            }
            group.addTask {
                try await Task.sleep(for: patience)
                throw Late()
            }
            guard let answer = try await group.next() else { throw Late() }
            return answer
        }
    }
}
