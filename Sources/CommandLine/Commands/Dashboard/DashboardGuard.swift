import Authorization
import Cryptography
import Foundation
import NIOHTTP1
import Synchronization

/// Who may use the dashboard. Another site in the same browser, another program's page on another port, and another user of
/// this machine must not: 127.0.0.1 is open to them all.
final class DashboardGuard: Sendable {
    enum Verdict: Equatable {
        case allowed
        /// The address was right: the browser gets this cookie, and is sent to the address without it.
        case exchanged(cookie: String)
        case refused(Refusal)
    }

    enum Refusal: Equatable {
        /// The process at the other end of the connection is of another user.
        case otherUser
        /// `Host` is not this server's: a name that another site has pointed here (DNS rebinding).
        case otherHost
        /// Sent by another site, or by a page of another port.
        case otherOrigin
        /// Neither an unused token nor the cookie.
        case noSession
    }

    /// The field of every form.
    let formToken = DashboardGuard.secret()
    private let cookie = DashboardGuard.secret()
    private let token = Mutex<String?>(DashboardGuard.secret())

    /// The address that works once; `nil` if it was used.
    func address(_ port: Int) -> String? { token.withLock { $0.map { "http://\(Self.host(port))/?token=\($0)" } } }

    private static func host(_ port: Int) -> String { "127.0.0.1:\(port)" }
    /// Browsers send cookies to all ports of a host; two dashboards must not overwrite each other's.
    private static func cookieName(_ port: Int) -> String { "voicegate-\(port)" }

    func check(_ request: LoopbackServer.Request) -> Verdict {
        guard let user = request.user, user == getuid() else { return .refused(.otherUser) }
        let host = Self.host(request.port)
        guard request.headers["Host"] == [host] else { return .refused(.otherHost) }
        let site = request.headers.first(name: "Sec-Fetch-Site")
        let origin = request.headers.first(name: "Origin")
        if request.method == .POST {
            guard origin == "http://\(host)", site ?? "same-origin" == "same-origin" else {
                return .refused(.otherOrigin)
            }
        } else {
            // "none": an address that the person typed or a program opened.
            guard ["same-origin", "none"].contains(site ?? "none"), origin ?? "http://\(host)" == "http://\(host)"
            else { return .refused(.otherOrigin) }
        }
        if hasCookie(request) { return .allowed }
        guard request.method == .GET, let sent = request.query["token"] else { return .refused(.noSession) }
        let isRight = token.withLock { token in
            guard let right = token, Self.isEqual(sent, right) else { return false }
            token = nil
            return true
        }
        guard isRight else { return .refused(.noSession) }
        return .exchanged(cookie: "\(Self.cookieName(request.port))=\(cookie); HttpOnly; SameSite=Strict; Path=/")
    }

    /// Of a form that `check` has allowed.
    func isOwnForm(_ fields: [String: String]) -> Bool { Self.isEqual(fields["token"] ?? "", formToken) }

    private func hasCookie(_ request: LoopbackServer.Request) -> Bool {
        request.headers["Cookie"].flatMap { $0.split(separator: ";") }.contains { part in
            let pair = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
            return pair.count == 2 && pair[0] == Self.cookieName(request.port) && Self.isEqual(String(pair[1]), cookie)
        }
    }

    /// 256 random bits.
    private static func secret() -> String {
        SymmetricKey().withUnsafeBytes { bytes in bytes.map { String(format: "%02x", $0) }.joined() }
    }

    /// Compares digests, so that the time says nothing about how much of it was right.
    private static func isEqual(_ left: String, _ right: String) -> Bool {
        SHA256.hash(data: left.utf8) == SHA256.hash(data: right.utf8)
    }
}
