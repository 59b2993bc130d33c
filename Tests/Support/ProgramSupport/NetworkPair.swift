import Foundation

/// Two network devices that are connected, made on this machine (veth(4)); needs root.
public final class NetworkPair: Sendable {
    public struct Failed: Error {}

    public let inner: String
    private let outer: String

    public init() throws {
        let name = String(UUID().uuidString.prefix(8)).lowercased()
        (outer, inner) = ("vgo\(name)", "vgi\(name)")
        guard Self.run(["link", "add", outer, "type", "veth", "peer", "name", inner]) else { throw Failed() }
    }

    deinit { _ = Self.run(["link", "del", outer]) }

    /// Gives one of the two to the network of a process.
    public func move(to process: Int32) throws {
        guard Self.run(["link", "set", inner, "netns", "\(process)"]) else { throw Failed() }
    }

    /// Whether this machine lets them be made.
    public static let isAvailable = (try? NetworkPair()) != nil

    private static func run(_ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/ip")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
