import Foundation
import ProgramSupport
import TestSupport
import Testing

/// What CONTRIBUTING.md says of the layers, held against `swift package dump-package`.
@Suite("Layers", .timeLimit(.minutes(2)))
struct LayerTests {
    /// For each layer the layers that its modules may depend on.
    private static let allowed: [String: Set<String>] = [
        "C": [],
        "Base": ["Base", "C"],
        "Model": ["Model", "Base"],
        "Adapters": ["Adapters", "Model", "Base", "C"],
        "Recognizers": ["Recognizers", "Model", "Base", "C"],
        "Client": ["Client", "Model", "Base"],
        "Service": ["Service", "Client", "Adapters", "Model", "Base", "C"],
        "CommandLine": ["CommandLine", "Client", "Adapters", "Model", "Base", "C"],
        "Programs": ["CommandLine", "Service", "Recognizers", "C"],
    ]

    private struct Module {
        let name: String
        let layer: String
        let modules: [String]
        let libraries: [String]
    }

    private static func modules() async throws -> [Module] {
        let program = try RunningProgram(
            [
                "/usr/bin/env", "swift", "package", "--ignore-lock", "--package-path", Checkout.root.path,
                "dump-package",
            ],
            environment: ProcessInfo.processInfo.environment, isForeground: false)
        try program.closeInput()
        try #require(await program.end() == 0, "\(program.errorText)")
        let text = Data(program.lines.joined(separator: "\n").utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        let targets = try #require(object["targets"] as? [[String: Any]])
        return try targets.compactMap { target in
            let name = try #require(target["name"] as? String)
            let path = (target["path"] as? String) ?? "Sources/\(name)"
            let parts = path.split(separator: "/").map(String.init)
            guard parts.first == "Sources" else { return nil }
            let dependencies = (target["dependencies"] as? [[String: [Any]]]) ?? []
            func names(_ kinds: [String]) -> [String] {
                dependencies.flatMap { dependency in kinds.compactMap { dependency[$0]?.first as? String } }
            }
            return Module(
                name: name, layer: parts.count > 2 ? parts[1] : "", modules: names(["byName", "target"]),
                libraries: names(["product"]))
        }
    }

    @Test("Each module is in a layer, and depends only on modules of layers that its own may use")
    func directions() async throws {
        let modules = try await Self.modules()
        let layers = Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0.layer) })
        #expect(modules.count > 25)
        for module in modules {
            let allowed = try #require(Self.allowed[module.layer], "\(module.name) is in no layer")
            for dependency in module.modules {
                // A name without one of our targets is a library's.
                guard let layer = layers[dependency] else { continue }
                #expect(allowed.contains(layer), "\(module.layer)/\(module.name) depends on \(layer)/\(dependency)")
            }
        }
    }

    @Test("An area of the service imports the server and the sessions, and no other area; only the daemon imports all")
    func areas() async throws {
        let service = try await Self.modules().filter { $0.layer == "Service" }
        let names = Set(service.map(\.name))
        #expect(names.count == 8)
        for module in service where module.name != "Daemon" {
            let isBelow = ["Server", "Sessions"].contains(module.name)
            let allowed: Set = isBelow ? ["Server"] : ["Server", "Sessions"]
            let others = names.intersection(module.modules)
            #expect(others.isSubset(of: allowed), "\(module.name): \(others)")
        }
    }

    @Test("The model uses no library")
    func pureModel() async throws {
        for module in try await Self.modules() where module.layer == "Model" {
            #expect(module.libraries.isEmpty, "\(module.name): \(module.libraries)")
        }
    }

    @Test("The library for other programs brings no module of the service, only its paths and JSON, and NIO")
    func library() async throws {
        let modules = Dictionary(uniqueKeysWithValues: try await Self.modules().map { ($0.name, $0) })
        var (reached, open): (Set<String>, [String]) = ([], ["VoiceGateClient"])
        while let next = open.popLast() {
            if reached.insert(next).inserted { open += modules[next]?.modules ?? [] }
        }
        #expect(reached == ["VoiceGateClient", "VoiceGateWire"])
        let libraries = reached.compactMap { modules[$0]?.libraries }.joined()
        #expect(Set(libraries) == ["NIOCore", "NIOPosix", "NIOHTTP1"])
    }

    /// The packages that a manifest names, by URL, each as it is written there.
    private func packages(_ manifest: String) throws -> [String: String] {
        let text = try String(contentsOf: Checkout.root.appending(path: manifest), encoding: .utf8)
        return Dictionary(
            uniqueKeysWithValues: text.matches(of: /\.package\(url: "([^"]*)"[^)]*\)/).map {
                (String($0.output.1), String($0.output.0))
            })
    }

    @Test(
        "A package beside the service's needs the same versions of the packages that both use",
        arguments: ["Sources/Client", "Fleet"])
    func sharedPackages(of folder: String) throws {
        let service = try packages("Package.swift")
        let shared = try packages(folder + "/Package.swift").filter { service[$0.key] != nil }
        #expect(!shared.isEmpty)
        for (url, package) in shared { #expect(package == service[url]) }
    }

    @Test("The library's own package needs swift-nio, and no other package")
    func libraryPackage() throws {
        #expect(try Array(packages("Sources/Client/Package.swift").keys) == ["https://github.com/apple/swift-nio"])
    }

    @Test("Sources/ has at most ten folders, each a layer")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Checkout.root.path + "/Sources")
        #expect(Set(folders) == Set(Self.allowed.keys))
        #expect(folders.count <= 10)
    }
}
