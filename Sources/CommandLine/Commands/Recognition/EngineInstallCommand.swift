import ArgumentParser
import CommandClient
import EngineInstallation
import Engines
import Foundation
import LinuxSystem
import SocketAPI
import Speech
import Yams

struct EngineInstallCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Download, verify and install an engine.",
        discussion: """
            Python's pip downloads the engine's packages from the index that it is configured with, and runs nothing of them. \
            Each file is verified; the service verifies all of them again, starts the engine once in its sandbox, and keeps \
            it. What goes wrong or is interrupted leaves nothing behind. At a terminal it then asks whether to use the engine.

            A folder or a zip archive is a model of Vosk, as https://alphacephei.com/vosk/models has them for some twenty \
            languages; the language is that of its name or its README. A folder may also be a model of PocketSphinx: an \
            acoustic model (a folder with mdef, means, variances …), a language model *.lm.bin and a dictionary *.dict. Its \
            files must stay as they are now.

            Example:  voicegate engine install moonshine-tiny-en
                      voicegate engine install vosk-ko
                      voicegate engine install ./vosk-model-small-ja-0.22.zip
                      voicegate engine install ./engine.yaml --from ./wheels
                      voicegate engine install ./model --id french --language fr
            """)

    @Argument(
        help: "A name that voicegate engine list shows, an engine.yaml, or a folder or zip archive with a model.",
        completion: .engines)
    var engine: String

    @Option(help: .init("The name of a model in a folder or archive. (default: the folder's name)", valueName: "name"))
    var id: String?

    @Option(
        help: .init(
            "The language of a model in a folder or archive, such as en-GB. (default: that of its name or README)",
            valueName: "tag"))
    var language: String?

    @Option(
        help: .init("Take the packages from this folder, without a network.", valueName: "folder"),
        completion: .directory)
    var from: String?

    @Option(help: .init("Install a model under this licence, which does not allow every use.", valueName: "name"))
    var acceptLicence: String?

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let client = try await context.client()
        let (engine, list) = try await install(context, client)
        if context.output.isJSON { return try context.output.json(engine) }
        guard !list.isUsed(engine.id) else { return }
        EngineListCommand.warn(list, context.output)
        guard context.isInteractive, list.configured == nil,
            try await context.output.confirms("Use it now?", isUsual: true)
        else {
            return context.output.note("To use it:  voicegate engine use \(engine.id)")
        }
        try await EngineUseCommand.use(engine.id, for: nil, context, client)
    }

    /// - Returns: the engine, which may be installed already, and all as they were before.
    func install(
        _ context: CommandContext, _ client: ServiceClient
    ) async throws -> (engine: EngineReply, list: EngineListReply) {
        let base = Self.stagingFolder(socket: context.socketPath)
        let archive = try isArchive ? StagingFolder(in: base, isReadableByAll: geteuid() == 0) : nil
        let preparation = try preparation(in: archive)
        let entry = preparation.entry
        try checkLicence(entry)
        let listed = try await client.engines()
        if let engine = listed.engines.first(where: {
            $0.id == entry.id && $0.version == entry.version && $0.state == .installed
        }) {
            context.output.note("\(entry.id) \(entry.version) is installed already.")
            return (engine, listed)
        }
        try preparation.checkSpace(staging: base, state: try await client.diagnosis().stateDirectory)
        for line in Self.plan(entry, from: entry.isModel ? entry.source : from, listed.engines) {
            context.output.note(line)
        }
        let installed = try await SignalWatch(removingEchoFrom: context.output).cancelling {
            let staging = try archive ?? StagingFolder(in: base, isReadableByAll: geteuid() == 0)
            return try await Self.install(preparation, client, in: staging, context.output)
        }
        context.output.note("\(entry.id) is installed.")
        return (installed, listed)
    }

    private static func install(
        _ preparation: EnginePreparation, _ client: ServiceClient, in staging: StagingFolder, _ output: Output
    ) async throws -> EngineReply {
        let total = DiskSpace.megabytes(preparation.entry.downloadBytes(for: Machine.architecture))
        defer { output.clearLive() }
        let folder = try await preparation.prepare(in: staging) { step in
            switch step {
            case .downloading(let bytes): output.live("Downloading: \(DiskSpace.megabytes(bytes)) of \(total)")
            case .unpacking: output.live("Verifying and unpacking")
            }
        }
        output.live("Trying it in the sandbox")
        let reply = try await client.addEngine(folder)
        withExtendedLifetime(staging) {}
        return reply
    }

    /// What happens if the command goes on.
    static func plan(_ entry: EngineEntry, from folder: String?, _ engines: [EngineReply]) -> [String] {
        let architecture = Machine.architecture
        let packages = entry.artefacts(for: architecture).map { "\($0.package) \($0.version)" }.joined(separator: ", ")
        let source =
            folder.map { "from \($0)" } ?? "\(DiskSpace.megabytes(entry.downloadBytes(for: architecture))) by pip"
        let memory = entry.memory.map { ", \(DiskSpace.megabytes($0)) of memory" } ?? ""
        let measured = (entry.measured ?? []).map {
            EngineReply.Measurement(set: $0.set, errors: $0.errors, cpu: $0.cpu)
        }
        let errors = EngineCommand.comparison(measured, engines).map {
            "  Errors    \($0.errors) in 100 words where PocketSphinx makes \($0.builtIn) (\($0.set))"
        }
        let licences = entry.licences.code.joined(separator: ", ") + "; model: " + entry.licences.weights
        return [
            EngineCommand.line("\(entry.name) \(entry.version): \(entry.description)"),
            "  Packages  " + EngineCommand.line(source + (entry.isModel ? "" : ": \(packages)")),
            "  Needs     \(DiskSpace.megabytes(entry.installedBytes(for: architecture))) on disk\(memory)",
            "  Licences  " + EngineCommand.line(licences + (entry.free ? "" : ", which does not allow every use")),
        ] + [errors].compactMap(\.self)
    }

    private func checkLicence(_ entry: EngineEntry) throws(CommandError) {
        guard !entry.free, acceptLicence != entry.licences.weights else { return }
        throw CommandError(
            .licence,
            "The model of \(entry.id) is not free for every use: its licence is \(entry.licences.weights). Read it, and if you "
                + "agree:  voicegate engine install \(engine) --accept-licence '\(entry.licences.weights)'")
    }

    private var isFolder: Bool {
        engine.contains("/") && (try? FileMetadata(path: Self.path(engine)))?.isDirectory == true
    }

    private var isArchive: Bool {
        engine.lowercased().hasSuffix(".zip") && (try? FileMetadata(path: Self.path(engine)))?.isRegularFile == true
    }

    func validate() throws {
        guard let language, SpokenLanguage(tag: language)?.name == nil else { return }
        throw ValidationError("--language takes a tag such as en-GB or ko.\(SpokenLanguage.advice(for: language))")
    }

    /// - Parameter staging: where an archive is unpacked.
    private func preparation(in staging: StagingFolder?) throws -> EnginePreparation {
        let path = Self.path(engine)
        if let staging {
            let model = try VoskArchive.unpack(path, into: staging.path + "/model")
            return try EnginePreparation(
                model: model, id: id, language: language, source: path, wheels: from.map(Self.path))
        }
        if isFolder {
            return try EnginePreparation(model: path, id: id, language: language, wheels: from.map(Self.path))
        }
        try require(
            id == nil && language == nil, .noInput, status: .usage,
            "--id and --language are for a model in a folder or zip archive, and there is no \(engine).")
        return try EnginePreparation(try entry(), wheels: from.map(Self.path))
    }

    private func entry() throws -> EngineEntry {
        guard engine.contains("/") || engine.hasSuffix(".yaml") else {
            let catalogue = try EngineCatalogue.builtIn()
            guard let entry = catalogue.entry(engine), engine != EngineEntry.builtIn else {
                let names = catalogue.engines.map(\.id).filter { $0 != EngineEntry.builtIn }.joined(separator: ", ")
                throw CommandError(
                    .noInput,
                    engine == EngineEntry.builtIn
                        ? "\(engine) is built in. To use it:  voicegate engine use \(engine)"
                        : "There is no engine \(engine.prefix(80)). Known: \(names). An engine.yaml is named by its path."
                )
            }
            return entry
        }
        let text = try RegularFile(path: Self.path(engine), limit: 1 << 20).text()
        do {
            return try YAMLDecoder().decode(EngineEntry.self, from: text)
        } catch {
            throw CommandError(
                .badEngine,
                "\(engine) does not describe an engine: \(Self.reason(error)). The format is in Documentation/Engines.md."
            )
        }
    }

    private static func reason(_ error: any Error) -> String {
        func field(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        return switch error {
        case DecodingError.keyNotFound(let key, let context): "\(field(context.codingPath + [key])) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(field(context.codingPath)) has the wrong type"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(field(context.codingPath)) has a value that is not known"
        default: "it is not valid YAML"
        }
    }

    /// Where the machine's service, which runs as another user, can read it; otherwise in the user's own cache.
    private static func stagingFolder(socket: String) -> String {
        if socket == ServicePaths.systemSocket { return "/var/cache/voicegate/engines" }
        let environment = ProcessInfo.processInfo.environment
        func directory(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (directory("XDG_CACHE_HOME") ?? (directory("HOME") ?? NSHomeDirectory()) + "/.cache")
            + "/voicegate/engines"
    }

    private static func path(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
