import AuditExport
import Authorization
import Foundation
import Glibc
import ProgramSupport
import SocketAPI
import Synchronization
import TestSupport
import Testing

@testable import Commands

/// A source without a service, which notes what it was asked to do.
final class DashboardDouble: DashboardSource {
    private let language: Language
    private let noted = Mutex<[DashboardAction]>([])
    /// Whether everything is muted as soon as a page follows the changes.
    private let mutesWhenFollowed: Bool
    private let isMuted = Mutex(false)
    private let followers = Mutex<[AsyncThrowingStream<Void, any Error>.Continuation]>([])

    init(_ language: Language = .english, mutesWhenFollowed: Bool = false) {
        (self.language, self.mutesWhenFollowed) = (language, mutesWhenFollowed)
    }

    var actions: [DashboardAction] { noted.withLock { $0 } }

    func content() async throws -> DashboardContent {
        var content = try DashboardSamples.content(at: Date(), in: language)
        if isMuted.withLock({ $0 }) {
            content.settings.muted = true
            content.indicator = IndicatorReply(sessions: [], muted: true)
        }
        return content
    }

    func changes() async throws -> AsyncThrowingStream<Void, any Error> {
        let (changes, continuation) = AsyncThrowingStream.makeStream(of: Void.self, throwing: (any Error).self)
        followers.withLock { $0.append(continuation) }
        if mutesWhenFollowed { isMuted.withLock { $0 = true } }
        // As the service, which begins with the present state.
        continuation.yield()
        return changes
    }

    func perform(_ action: DashboardAction) async throws { noted.withLock { $0.append(action) } }
    func rehearseErasure(of client: String) async throws -> RecordErasureReply {
        RecordErasureReply(records: 12, items: 1, kept: [])
    }
    func export(_ format: ExportFormat) async throws -> Data { Data("export".utf8) }
    func notifyChange() { for follower in followers.withLock({ $0 }) { follower.yield() } }
}

@Suite("The dashboard's server", .timeLimit(.minutes(2)))
struct DashboardServerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a test while the server serves.
    private func serving(
        _ source: DashboardDouble = DashboardDouble(), _ language: Language = .english,
        _ test: @escaping @Sendable (_ address: String) async throws -> Void
    ) async throws {
        let server = DashboardServer(source: source, language: language)
        let (addresses, isServing) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(port: 0, idle: .seconds(600)) { isServing.yield($0) } }
            group.addTask { for await address in addresses { return try await test(address) } }
            try await group.next()
            group.cancelAll()
        }
    }

    private func curl(_ arguments: [String], as prefix: [String] = []) async throws -> (status: String, text: String) {
        let program = try RunningProgram(
            prefix + [Programs.curl, "-s", "-m", "20", "-w", "\n%{http_code}"] + arguments,
            environment: ["PATH": "/usr/bin:/bin"], isForeground: false)
        try program.closeInput()
        await program.end()
        return (program.lines.last ?? "", program.lines.dropLast().joined(separator: "\n"))
    }

    /// Exchanges the address for a cookie.
    ///
    /// - Returns: the server's origin, curl's options for the cookie, and the token of forms.
    private func enter(_ address: String) async throws -> (origin: String, cookie: [String], form: String) {
        let jar = folder.path + "/cookies"
        let page = try await curl([address, "-L", "-c", jar, "-b", jar])
        #expect(page.status == "200")
        let form = try #require(page.text.firstMatch(of: #/name="token" value="([0-9a-f]{64})"/#)?.1)
        let origin = try #require(address.split(separator: "/?").first.map(String.init))
        return (origin, ["-b", jar], String(form))
    }

    @Test("the address works once, gives a cookie that no script reads, and is left at once")
    func token() async throws {
        try await serving { address in
            let first = try await curl(["-i", address])
            #expect(first.status == "303")
            #expect(
                first.text.contains(
                    /[Ss]et-[Cc]ookie: voicegate-\d+=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/\s/))
            #expect(first.text.contains(/[Ll]ocation: \/\s/))
            #expect(try await curl([address]).status == "403")
            let origin = try #require(address.split(separator: "?").first.map(String.init))
            for path in ["", "?token=", "?token=00", "report.css", "events", "erase?client=org.example.Notes"] {
                #expect(try await curl([origin + path]).status == "403", "\(path)")
            }
        }
    }

    @Test("another name for this machine, another site, another port's page and a form without the token are refused")
    func guards() async throws {
        let source = DashboardDouble()
        try await serving(source) { address in
            let (origin, cookie, form) = try await enter(address)
            let port = try #require(origin.split(separator: ":").last)
            let mute = origin + "/mute"
            let (own, token) = (["-H", "Origin: \(origin)"], ["-d", "token=\(form)"])
            let post = cookie + own + token
            let attacks: [(name: String, arguments: [String])] = [
                ("rebinding", cookie + ["-H", "Host: attacker.example:\(port)", origin]),
                ("localhost", cookie + ["-H", "Host: localhost:\(port)", origin]),
                ("no port", cookie + ["-H", "Host: 127.0.0.1", origin]),
                ("other site", cookie + ["-H", "Sec-Fetch-Site: cross-site", origin]),
                ("other port", cookie + ["-H", "Sec-Fetch-Site: same-site", origin]),
                ("reading from elsewhere", cookie + ["-H", "Origin: http://127.0.0.1:1", origin]),
                ("other cookie", ["-b", "voicegate-\(port)=\(form)", origin]),
                ("form from elsewhere", cookie + token + ["-H", "Origin: http://attacker.example", mute]),
                ("form of another port", cookie + token + ["-H", "Origin: http://127.0.0.1:1", mute]),
                ("form of a sandboxed frame", cookie + token + ["-H", "Origin: null", mute]),
                ("form without an origin", cookie + token + [mute]),
                ("form by fetch", post + ["-H", "Sec-Fetch-Site: cross-site", mute]),
                ("form without the token", cookie + own + ["-d", "", mute]),
                (
                    "form with the address's token",
                    cookie + own + ["-d", address.split(separator: "?").last.map(String.init) ?? "", mute]
                ),
                ("field twice", post + token + [mute]),
                ("not a form", post + ["-H", "Content-Type: text/plain", mute]),
                ("long form", post + ["-d", "x=" + String(repeating: "y", count: 9_000), mute]),
            ]
            for attack in attacks { #expect(try await curl(attack.arguments).status == "403", "\(attack.name)") }
            for method in ["PUT", "DELETE", "OPTIONS", "PATCH"] {
                #expect(try await curl(cookie + ["-X", method, origin]).status == "405", "\(method)")
            }
            #expect(try await curl(post + [origin + "/allow"]).status == "404")
            #expect(source.actions.isEmpty)
        }
    }

    @Test("a page is what it may load: nothing from elsewhere, nothing inline, in no frame, kept nowhere")
    func headers() async throws {
        try await serving { address in
            let (origin, cookie, _) = try await enter(address)
            for path in ["/", "/dashboard.js", "/dashboard.css", "/report.css", "/icon.svg", "/none"] {
                let text = try await curl(cookie + ["-i", origin + path]).text.lowercased()
                let policy = try #require(text.firstMatch(of: #/content-security-policy: (.+)/#)?.1)
                #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"))
                #expect(
                    !policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*")
                        && !policy.contains("data:"))
                #expect(text.contains("cache-control: no-store") && text.contains("x-content-type-options: nosniff"))
                #expect(!text.contains("access-control-"))
            }
        }
    }

    @Test("each action reaches the service once")
    func actions() async throws {
        let source = DashboardDouble()
        try await serving(source) { address in
            let (origin, cookie, form) = try await enter(address)
            func post(_ path: String, _ fields: String) async throws -> String {
                try await curl(
                    cookie + ["-H", "Origin: \(origin)", "-d", "token=\(form)&" + fields, origin + path]
                ).status
            }
            #expect(try await post("/mute", "") == "303")
            #expect(try await post("/deny", "client=org.example.Notes&resource=microphone") == "303")
            #expect(try await post("/deny", "client=org.example.Notes&resource=camera") == "404")
            #expect(try await post("/end", "session=s1") == "303")
            #expect(try await post("/erase-records", "client=a%2Bb+c") == "303")
            #expect(try await post("/export", "format=csv") == "200")
            #expect(try await post("/export", "format=bundle") == "400")
            let names = ExportFormat.offered.map { "\($0.downloadName).\($0.suffix)" }
            #expect(Set(names).count == names.count && names.contains("voicegate-report.html"))
            #expect(try await curl(cookie + [origin + "/erase?client=org.example.Notes"]).text.contains("12 records"))
            #expect(try await curl(cookie + [origin + "/erase?kept=none"]).status == "404")
        }
        #expect(
            source.actions == [
                .mute, .deny(client: "org.example.Notes", .microphone), .end(session: "s1"),
                .eraseRecords(client: "a+b c"),
            ])
    }

    @Test("a change is told to the page")
    func events() async throws {
        let source = DashboardDouble()
        try await serving(source) { address in
            let (origin, cookie, _) = try await enter(address)
            let stream = try RunningProgram(
                [Programs.curl, "-sN"] + cookie + [origin + "/events"], environment: [:], isForeground: false)
            try await stream.lines(1) { $0 == "data: change" }
            source.notifyChange()
            try await stream.lines(2) { $0 == "data: change" }
        }
    }

    @Test(
        "another user of this machine gets nothing, also with the cookie",
        .enabled(if: geteuid() == 0, "needs root to become another user"))
    func otherUser() async throws {
        try await serving { address in
            let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"]
            #expect(try await curl([address], as: nobody).status == "403")
            let (origin, cookie, _) = try await enter(address)
            let jar = try String(contentsOfFile: cookie[1], encoding: .utf8)
            let pair = try #require(jar.firstMatch(of: #/(voicegate-\d+)\t([0-9a-f]{64})/#))
            #expect(try await curl(["-b", "\(pair.1)=\(pair.2)", origin], as: nobody).status == "403")
            #expect(try await curl(["-b", "\(pair.1)=\(pair.2)", origin]).status == "200")
        }
    }

    @Test(
        "connections of another user that say nothing do not keep the user out",
        .enabled(if: geteuid() == 0, "needs root to become another user"))
    func silentConnections() async throws {
        try await serving { address in
            let (origin, cookie, _) = try await enter(address)
            let port = try #require(origin.split(separator: ":").last)
            let silent = """
                import socket, sys
                open = [socket.create_connection(("127.0.0.1", \(port))) for _ in range(80)]
                print("connected", flush=True)
                sys.stdin.read()
                """
            let other = try RunningProgram(
                ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c", silent],
                environment: ["PATH": "/usr/bin:/bin"], isForeground: false)
            _ = try await other.line { $0 == "connected" }
            #expect(try await curl(cookie + [origin]).status == "200")
            try other.closeInput()
            await other.end()
        }
    }

    @Test("it ends when it is not used, and not before an open page is closed")
    func idle() async throws {
        let server = DashboardServer(source: DashboardDouble(), language: .english)
        try await server.run(port: 0, idle: .milliseconds(50)) { _ in }

        let use = LastUse()
        use.begin()
        let (events, happened) = AsyncStream.makeStream(of: String.self)
        let waiting = Task {
            try await use.waitUntilUnused(for: .milliseconds(20))
            happened.yield("ended")
            happened.finish()
        }
        // Longer than it waits without an open page.
        try await Task.sleep(for: .milliseconds(100))
        happened.yield("closed")
        use.end()
        try await waiting.value
        #expect(await events.reduce(into: []) { $0.append($1) } == ["closed", "ended"])
    }

    @Test("a page that receives events is open until its connection ends")
    func openPage() async throws {
        let server = DashboardServer(source: DashboardDouble(), language: .english)
        let (addresses, isServing) = AsyncStream.makeStream(of: String.self)
        let running = Task { try await server.run(port: 0, idle: .seconds(4)) { isServing.yield($0) } }
        var iterator = addresses.makeAsyncIterator()
        let (origin, cookie, _) = try await enter(try #require(await iterator.next()))
        let page = try RunningProgram(
            [Programs.curl, "-sN"] + cookie + [origin + "/events"], environment: ["PATH": "/usr/bin:/bin"],
            isForeground: false)
        _ = try await page.line { $0.hasPrefix("data:") }
        try await Task.sleep(for: .seconds(5))
        #expect(try await curl(cookie + [origin]).status == "200", "still served")
        page.signal(SIGTERM)
        await page.end()
        // Four seconds after the page was left.
        try await running.value
    }

    /// So that a person can look at them, too: VOICEGATE_KEEP_REPORTS names a folder.
    @Test(
        "in a browser: light, dark and on a phone without violations by axe-core, and by keyboard alone",
        arguments: Language.allCases)
    func browser(language: Language) async throws {
        let source = DashboardDouble(language)
        let pictures = ProcessInfo.processInfo.environment["VOICEGATE_KEEP_REPORTS"] ?? folder.path
        try await serving(source, language) { address in
            let acts = language == .english ? ["--act"] : []
            let lines = try await PythonTools.run(
                "check-dashboard", [address, pictures, "dashboard-\(language.rawValue)"] + acts)
            #expect(lines == ["looked: \(acts.isEmpty ? 3 : 7)"])
        }
        let done: [DashboardAction] = [
            .deny(client: "org.example.Minutes", .speechRecognition), .mute,
            .eraseRecords(client: "org.example.Minutes"),
        ]
        #expect(source.actions == (language == .english ? done : []))
    }

    @Test("in a browser: changes are shown without a reload")
    func live() async throws {
        try await serving(DashboardDouble(mutesWhenFollowed: true)) { address in
            let arguments = [address, folder.path, "live", "--live", "Everything is muted"]
            let lines = try await PythonTools.run("check-dashboard", arguments)
            #expect(lines == ["looked: 0"])
        }
    }
}
