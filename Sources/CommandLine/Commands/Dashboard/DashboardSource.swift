import AuditExport
import Authorization
import CommandClient
import Consent
import Foundation
import SocketAPI

/// Where the dashboard's data come from, and its actions go to.
protocol DashboardSource: Sendable {
    func content() async throws -> DashboardContent
    /// An element for each change of what listens, and of the settings.
    func changes() async throws -> AsyncThrowingStream<Void, any Error>
    func perform(_ action: DashboardAction) async throws
    /// What an erasure would do.
    func rehearseErasure(of client: String) async throws -> RecordErasureReply
    func export(_ format: ExportFormat) async throws -> Data
}

/// The service, through the socket as the other commands use it.
actor ServiceDashboard: DashboardSource {
    private let client: ServiceClient
    private let language: Language
    private var verification: (report: VerificationReport, at: Date)?
    /// Of the last week; the newer ones are added when they are asked for.
    private var records: [ConsentRecord] = []

    init(_ client: ServiceClient, language: Language) {
        self.client = ServiceClient(socketPath: client.socketPath, language: language)
        self.language = language
    }

    func content() async throws -> DashboardContent {
        async let health = client.health()
        async let indicator = client.indicator()
        async let settings = client.settings()
        async let history = client.history().all()
        // Absent for users other than root of a service of all users.
        async let anchors = try? client.diagnosis().anchors
        async let publications = try? client.auditPublications()
        try await readRecords()
        var content = DashboardContent(
            health: try await health, indicator: try await indicator, settings: try await settings)
        content.history = try await history
        content.anchors = await anchors ?? nil
        content.publications = await publications
        content.records = records
        content.verification = verification
        return content
    }

    private func readRecords() async throws {
        let start = Date(timeIntervalSinceNow: -7 * 86_400)
        let known = records
        let week = AuditFilter(since: start)
        let news = try await client.auditRecords(matching: week, after: known.last?.index).all()
        guard !news.contains(where: { $0.kind == .dataErased }) || known.isEmpty else {
            // Erased items are among those that are held here.
            records = try await client.auditRecords(matching: week).all()
            return
        }
        records = (known + news).filter { $0.time >= Timestamp(start) }
    }

    func changes() async throws -> AsyncThrowingStream<Void, any Error> {
        let indicators = try await client.indicatorChanges()
        let settings = try await client.settingsChanges()
        let (changes, continuation) = AsyncThrowingStream.makeStream(
            of: Void.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
        let tasks = [continuation.forward(indicators) { _ in }, continuation.forward(settings) { _ in }]
        continuation.onTermination = { _ in for task in tasks { task.cancel() } }
        return changes
    }

    func perform(_ action: DashboardAction) async throws {
        switch action {
        case .mute: try await client.mute()
        case .deny(let program, let resource):
            try await client.changeSettings(of: program, SettingsChange(resource: resource, choice: .deny))
        case .end(let session): try await client.control(session, .end)
        case .eraseItem(let item): _ = try await client.erase(items: [item])
        case .eraseHistory: _ = try await client.eraseHistory(of: nil)
        case .eraseRecords(let program): _ = try await client.eraseRecords(RecordErasureRequest(client: program))
        case .verify: verification = (try await client.auditVerification(), Date())
        }
    }

    func rehearseErasure(of program: String) async throws -> RecordErasureReply {
        try await client.rehearseErasure(RecordErasureRequest(client: program))
    }

    /// By the command that makes exports, which records it.
    func export(_ format: ExportFormat) async throws -> Data {
        let folder = try PrivateTemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.path + "/export"
        let command = try AuditExportCommand.parse([
            "--format", format.rawValue, "--language", language.rawValue, "--output", path, "--quiet", "--socket",
            client.socketPath,
        ])
        _ = try await command.export(CommandContext(command.options))
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }
}

/// Removed with its contents when its owner lets it go.
private final class PrivateTemporaryFolder {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/voicegate-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else {
            throw CommandError.cannotWrite(NSTemporaryDirectory(), systemMessage())
        }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
