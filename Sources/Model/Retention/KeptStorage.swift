import Authorization
import Foundation

/// Stores items and their keys. Each call is durable when it returns, and one transaction.
public protocol KeptTable: Sendable {
    /// In the order in which they were begun.
    func entries() async throws -> [KeptEntry]

    /// Enters an item in the state `writing`, without a key.
    func begin(_ item: KeptItem) async throws

    /// Gives the item its key, its bytes and its beginning. It stays in the state `writing`.
    ///
    /// - Returns: `false` when it is not being written any more, because it was erased meanwhile.
    func seal(_ item: KeptItem, key: Data) async throws -> Bool

    /// Moves a sealed item to the state `kept`.
    ///
    /// - Returns: `false` when it was erased meanwhile.
    func keep(_ identifier: String) async throws -> Bool

    /// The key of a kept item; `nil` when there is none.
    func key(of identifier: String) async throws -> Data?

    /// Erases the keys of the chosen items, from the file's free pages and its log too, and moves them to the state
    /// `erasing`.
    ///
    /// - Returns: how many they are.
    func beginErasing(
        for reason: ErasureReason, where isChosen: @escaping @Sendable (KeptEntry) -> Bool
    ) async throws -> Int

    /// Empties the places where erased keys may still be, also after `beginErasing` failed to. Then they are gone.
    func forgetErased() async throws

    func remove(_ identifiers: [String]) async throws

    /// The moment that was noted last.
    func lastSeen() async throws -> Moment?

    /// Notes the moment, and the new beginnings of items by the clock of this boot.
    func note(_ moment: Moment, anchoring items: [KeptItem]) async throws
}

/// Stores the encrypted files, each under its item's identifier.
public protocol KeptFolder: Sendable {
    /// Makes a file that is not there yet.
    func create(_ name: String) async throws -> any KeptOutput
    func open(_ name: String) async throws -> any KeptInput
    /// Removes files, durably; ignores absent ones.
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
