import Consent
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Logging
import Testing

/// Two machines: n1 with records of over three months ago and of five days ago, in more than two tiles; s1 with fields
/// that were not sent.
final class Fleet {
    let settings: String
    let collector: NoteSigner
    let connection: DatabaseConnection
    let log: TestLog
    let folder: URL
    let key: String

    static func day(_ days: Int) -> String {
        Timestamp(Date(timeIntervalSinceNow: TimeInterval(days) * 86_400)).text
    }

    init(on server: PrivatePostgreSQL? = nil) async throws {
        let server = try server ?? PrivatePostgreSQL.shared.get()
        settings = try await server.newDatabase()
        connection = try await DatabaseConnection(settings: settings)
        collector = try #require(NoteSigner(name: "collector.example"))
        let store = FleetStore(
            DatabasePool(settings: settings, limit: 2),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var log = try #require(TestLog("north1", start: Self.day(-100)))
        log.use("org.example.Notes", sessions: 290)
        log.wait(until: Self.day(-5))
        log.use("org.example.Mail", sessions: 10)
        self.log = log
        try await log.store(as: "n1", tenant: "north", department: "law", in: store, collector: collector)
        var other = try #require(TestLog("south1", start: Self.day(-5)))
        other.use("org.example.Notes", sessions: 2)
        try await other.store(as: "s1", tenant: "south", in: store, collector: collector, withheld: [3, 4])
        folder = FileManager.default.temporaryDirectory.appending(path: "voicegate-questions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        key = folder.path + "/key"
        try Data((collector.secretText + "\n").utf8).write(to: URL(filePath: key))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// - Returns: exit code, standard output and standard error.
    func ask(_ arguments: String..., settings: String? = nil) async throws -> (
        status: Int32, text: String, messages: String
    ) {
        try await Command.run(
            [Command.programs + "/voicegate-fleet"] + arguments + ["--database", settings ?? self.settings])
    }

    func change(_ sql: String) async throws { try await connection.script(sql) }

    /// Where logs of further machines are stored.
    var store: FleetStore {
        FleetStore(
            DatabasePool(settings: settings, limit: 2),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}
