import Foundation

/// Where the encrypted files are, each under its item's identifier.
public protocol KeptFolder: Sendable {
    /// Makes a file that is not there yet.
    func create(_ name: String) async throws -> any KeptOutput
    func open(_ name: String) async throws -> any KeptInput
    /// Removes files, durably. One that is not there is none to remove.
    func remove(_ names: [String]) async throws
    func names() async throws -> [String]
    /// Where a file is, as a person can find it.
    func location(of name: String) -> String
}

/// A file that is being written.
public protocol KeptOutput: Sendable {
    func write(_ bytes: Data) async throws
    /// Returns when the file and its name are durable.
    func sync() async throws
}

/// A file that is being read.
public protocol KeptInput: Sendable {
    /// The next bytes, as many as were asked for unless the file ends.
    func read(_ count: Int) async throws -> Data
}
