import ArgumentParser
import AuditExport
import Authorization
import Consent
import FleetModel
import Foundation
import SocketAPI

extension ExportFormat: @retroactive ExpressibleByArgument {}
extension Language: @retroactive ExpressibleByArgument {
    /// Reads a language tag or the name of a locale.
    public init?(argument: String) { self.init(tag: argument) }
}

struct ExportCommand: FleetQuestion {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export machines' records in the formats of voicegate audit export, a file or a folder for each.",
        discussion: """
            --output is a new folder with one entry for each machine; of one machine it can be left out, except for a \
            bundle. A bundle verifies without the database: voicegate audit verify FOLDER, or Documentation/verify. It has no \
            signed list of files, because the collector does not have the machine's key; each record is checked against \
            the machine's checkpoint while it is written. Of a machine of which retention dropped records, the export \
            begins at the time of the newest tombstone.
            """)

    @Option(help: .init(ExportFormat.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "format"))
    var format = ExportFormat.bundle

    @Flag(
        help: """
            End at the newest checkpoint that a witness of another organisation has cosigned (witnessPolicy). Without it, the \
            export ends at the newest one, which witnesses may not have seen yet.
            """)
    var cosigned = false

    @OptionGroup var selection: HostSelection
    @OptionGroup var records: RecordOptions

    @Option(help: .init("The language of texts: en, ja or ko. (default: your locale)", valueName: "code"))
    var language: Language?

    @Option(name: .shortAndLong, help: .init("The new folder.", valueName: "path"))
    var output: String?

    @OptionGroup var options: FleetOptions

    func validate() throws {
        guard output?.isEmpty != true else { throw ValidationError("--output takes a path.") }
        guard output != nil || format != .bundle && selection.hosts.count == 1 && !options.json else {
            throw ValidationError("A bundle, --json, and an export of several machines require --output FOLDER.")
        }
    }

    /// What `--json` prints, a line for each machine.
    private struct Summary: Encodable {
        let host: String
        let hostID: Int64
        let output: String
        let records: Int
        /// Records that the machine's checkpoint proves.
        let size: UInt64
        let sha256: String
    }

    func run(_ context: FleetContext) async throws {
        let reader = try await context.reader()
        let hosts = try await reader.hosts(selection.filter)
        let collector = try await reader.collectorKeys().last?.name ?? "unnamed"
        if let output, mkdir(output, 0o700) != 0 {
            throw FleetFailure.cannotWrite("\(output) cannot be made: \(String(cString: strerror(errno))).")
        }
        let names = Self.names(hosts, format)
        for host in hosts {
            let text = cosigned ? try await reader.cosigned(of: host) : host.checkpoint
            guard let note = text.flatMap({ SignedNote(Data($0.utf8)) }) else {
                context.note(
                    cosigned
                        ? "\(host.host): nothing to export, no other witness has cosigned a checkpoint."
                        : "\(host.host): nothing to export, the machine has sent no checkpoint with all its records.")
                continue
            }
            let path = output.map { $0 + "/" + (names[host.id] ?? "\(host.id)") }
            let keys = try await reader.keys(of: host)
            guard let trust = ExportTrust(note: note, keys: keys) else {
                throw FleetFailure.badData("\(host.host): no key of the machine signed the stored checkpoint.")
            }
            let (count, digest) = try await reader.snapshot {
                try await export(host, trust, to: path, collector: collector, reader)
            }
            if let first = host.suspectFrom {
                context.note("\(host.host): a stolen key may have signed the records from \(first) on.")
            }
            guard let path else { continue }
            let summary = Summary(
                host: host.host, hostID: host.id, output: path, records: count, size: trust.checkpoint.size,
                sha256: digest)
            if options.json {
                try context.result(summary, [])
            } else {
                context.note("\(path): \(count) records of \(summary.size), SHA-256 \(digest)")
            }
        }
    }

    private func export(
        _ host: ListedHost, _ trust: ExportTrust, to path: String?, collector: String, _ reader: FleetReader
    ) async throws -> (count: Int, sha256: String) {
        var filter = records.filter
        let dropped = try await reader.tombstones(of: host).compactMap { Tombstone(text: $0.text)?.before.date }.max()
        if let dropped, filter.since.map({ $0 < dropped }) ?? true { filter.since = dropped }
        let scope = ExportScope(
            log: trust.checkpoint.origin, size: trust.checkpoint.size, filter: filter,
            language: language ?? Language(environment: ProcessInfo.processInfo.environment), madeAt: Date(),
            version: ServiceVersion.current, collector: collector)
        let export = try RecordExport(format, scope: scope, trust: trust, path: path)
        do {
            var tree = reader.tree(of: host, size: scope.size)
            var start: UInt64 = 0
            while start < scope.size {
                let range = start..<min(start + FleetReader.pageSize, scope.size)
                var entries: [AuditEntry] = []
                for row in try await reader.rows(of: host, range) where try Self.admits(row, filter) {
                    let needsProof = format == .bundle && !scope.isWhole
                    entries.append(row.entry(proof: needsProof ? try await tree.inclusionProof(of: row.index) : nil))
                }
                try await export.add(entries)
                start = range.upperBound
                try Task.checkCancellation()
            }
            let digest = try await export.finish(nil)
            try await export.commit(nil)
            return (await export.count, digest)
        } catch {
            await export.discard()
            throw error
        }
    }

    private static func admits(_ row: RecordRow, _ filter: AuditFilter) throws -> Bool {
        guard filter != AuditFilter() else { return true }
        do throws(RecordProblem) { return filter.admits(try ConsentRecord(row.entry())) } catch {
            throw CopyProblem(row.index, error.reason)
        }
    }

    /// A file name for each machine. Machines chose their names, which must not lead out of the folder.
    static func names(_ hosts: [ListedHost], _ format: ExportFormat) -> [Int64: String] {
        let suffix =
            switch format {
            case .bundle: ""
            case .jsonl, .csv, .jsonld, .html: "." + format.rawValue
            case .art30: ".html"
            }
        var taken: Set<String> = []
        return hosts.reduce(into: [:]) { names, host in
            let safe = host.host.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" }
            var name = String(safe.prefix(100))
            if name.isEmpty || name.hasPrefix(".") { name = "host" + name }
            if !taken.insert(name).inserted { name += "-\(host.id)" }
            taken.insert(name)
            names[host.id] = name + suffix
        }
    }
}
