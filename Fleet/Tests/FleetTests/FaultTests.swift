import FleetSupport
import Foundation
import Testing

/// Scenarios of Tests/Support/Harness/faults.py: a collector with its own PostgreSQL, simulated hosts with real logs, and what can
/// go wrong between them. Afterwards the rows are compared with the logs, byte for byte.
@Suite("Faults", .needsPostgreSQL)
struct FaultTests {
    @Test("A collector that is killed at any moment loses nothing acknowledged and stores nothing twice")
    func killedCollector() async throws { try await Harness.run("collector", rounds: Harness.kills) }

    @Test("A sender that is killed at any moment loses nothing that the service recorded and sends nothing twice")
    func killedSender() async throws { try await Harness.run("sender", rounds: Harness.kills) }

    @Test("A database that is killed at any moment loses nothing acknowledged and stores nothing twice")
    func killedDatabase() async throws { try await Harness.run("postgres", rounds: Harness.kills) }

    @Test("A replica that is promoted has everything that was acknowledged")
    func failover() async throws { try await Harness.run("failover", rounds: Harness.failovers) }

    @Test(
        "Collectors behind HAProxy are killed by turns and lose nothing; a read replica answers as the primary does",
        .enabled(if: Harness.hasBalancer, "HAProxy is not installed: Scripts/setup fleet"))
    func balanced() async throws { try await Harness.run("balanced", rounds: Harness.kills) }

    @Test(
        "PostgreSQL's disks have no space for a while: the collector lives, and loses and repeats nothing",
        .enabled(if: Harness.mayMakeNamespaces, "Small disks are mounted, which root alone may do"))
    func fullDisk() async throws { try await Harness.run("fulldisk", rounds: Harness.kills) }

    @Test(
        "A database that is gone without a word is noticed, and leaves nothing locked when it is there again",
        .enabled(if: Harness.mayMakeNamespaces, "A network of PostgreSQL's own is made, which root alone may do"))
    func partition() async throws { try await Harness.run("partition") }

    @Test("A network that drops, delays, duplicates and reorders changes nothing")
    func network() async throws { try await Harness.run("network", rounds: Harness.kills) }

    @Test("A collector that requires client certificates refuses a sender without one, and accepts a sender with one")
    func certificates() async throws { try await Harness.run("certificates") }

    @Test(
        "A link that goes down while a machine records loses nothing, and nothing is sent twice",
        .enabled(if: Harness.mayMakeNamespaces, "The test makes a network for the sender, which only root may do"))
    func link() async throws { try await Harness.run("link", rounds: Harness.kills) }

    @Test("A hostile host harms only itself and is found out")
    func hostileHosts() async throws { try await Harness.run("hostile") }

    @Test("A collector that lies is found by a third party from its tiles")
    func lyingCollector() async throws { try await Harness.run("lying") }

    @Test("Tiles, checkpoint and cosignatures verify by pymerkle, by aics-tlog and by Go's sumdb")
    func foreignVerification() async throws { try await Harness.run("foreign") }
}

/// Runs the scenarios with the Python of Tests/Support/Tools/setup-python.
enum Harness {
    /// Kills of a collector, of a sender and of a database, and rounds of a network that fails.
    static let kills = number("VOICEGATE_FLEET_KILLS", default: 3)
    /// Promotions of a replica.
    static let failovers = number("VOICEGATE_FLEET_FAILOVERS", default: 1)

    static let hasBalancer = FileManager.default.isExecutableFile(atPath: "/usr/sbin/haproxy")

    /// Mounts and networks of a test's own.
    static let mayMakeNamespaces: Bool = {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/unshare")
        probe.arguments = [
            "--mount", "--net", "sh", "-c",
            "mount -t tmpfs none /mnt && /sbin/ip link add here type veth peer name there",
        ]
        probe.standardInput = FileHandle.nullDevice
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    static func run(_ scenario: String, rounds: Int = 1, at location: SourceLocation = #_sourceLocation) async throws {
        let root = checkout
        let script = root.appending(path: "Fleet/Tests/Support/Harness/faults.py").path
        let output = FileManager.default.temporaryDirectory.appending(path: "voicegate-fleet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", #"exec "$("$0/Tests/Support/Tools/setup-python")" "$@""#, root.path, script, scenario, "--rounds",
            String(rounds),
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "VOICEGATE_FLEET_PROGRAMS": programs.path, "PYTHONDONTWRITEBYTECODE": "1",
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        let ended = AsyncStream<Int32> { continuation in
            process.terminationHandler = {
                continuation.yield($0.terminationStatus)
                continuation.finish()
            }
        }
        try process.run()
        var status: Int32 = -1
        for await end in ended { status = end }
        let lines = try String(decoding: Data(contentsOf: output), as: UTF8.self)
        #expect(status == 0, "\(scenario):\n\(lines)", sourceLocation: location)
    }

    private static var checkout: URL {
        // Fleet/Tests/FleetTests/FaultTests.swift
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder
    }

    private static var programs: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    private static func number(_ name: String, default number: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? number
    }
}
