import Foundation
import Glibc
import LinuxSystem

/// Who had each user's number when it was last used. After deluser(8) a number is given to another user; everything that the service
/// has of the earlier one is then erased before the new one is answered.
///
/// A home folder's birth is not compared: it changes when homes are moved or restored, and an erasure is final. A user that
/// is removed and made again with the same number and name is forgotten by `voicegate forget`, which userdel(8) runs.
package actor UserRegister {
    /// Bounds the file.
    private static let most = 100_000
    /// The service of names may be on another machine.
    private static let queues = BlockingQueues(label: "voicegate.user-register", width: 4)

    private let path: String
    private let nameOf: @Sendable (UInt32) -> String?
    private let usersFile: String
    private let forget: @Sendable (UInt32) async throws -> Void
    private var names: [UInt32: String]
    /// The users that were compared since the list of users has changed.
    private var compared: (list: FileMetadata?, users: Set<UInt32>) = (nil, [])
    private var comparing: [UInt32: Task<Bool, any Error>] = [:]

    /// - Parameters:
    ///   - path: of the register's own file.
    ///   - nameOf: the name of a user's number; may block.
    ///   - usersFile: changes when users do.
    ///   - forget: erases what there is of a user's number.
    /// - Throws: if the file is there and cannot be read: whose the numbers were is then unknown.
    package init(
        path: String, nameOf: @escaping @Sendable (UInt32) -> String? = UserNames.name,
        usersFile: String = "/etc/passwd", forget: @escaping @Sendable (UInt32) async throws -> Void
    ) throws {
        (self.path, self.nameOf, self.usersFile, self.forget) = (path, nameOf, usersFile, forget)
        guard FileManager.default.fileExists(atPath: path) else {
            names = [:]
            return
        }
        let stored = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        names = Dictionary(
            uniqueKeysWithValues: stored.compactMap { number, name in UInt32(number).map { ($0, name) } })
    }

    /// Returns when nothing of an earlier user with the number is left.
    ///
    /// - Throws: if that could not be erased; the user must not be answered then.
    package func check(_ user: UInt32) async throws {
        let list = try? FileMetadata(path: usersFile)
        if compared.list != list { compared = (list, []) }
        if compared.users.contains(user) { return }
        let task = comparing[user] ?? Task { try await compare(user) }
        comparing[user] = task
        defer { comparing[user] = nil }
        let isKnown = try await task.value
        if isKnown, compared.list == list { compared.users.insert(user) }
    }

    /// The number that had the name last; the user may be removed already.
    package func number(of name: String) -> UInt32? { names.first { $0.value == name }?.key }

    /// Erases what there is of a number, also if its user is there.
    package func forgetNow(_ user: UInt32) async throws {
        try await forget(user)
        names[user] = nil
        compared.users.remove(user)
        try save()
    }

    /// - Returns: `false` if a number that had a name has none now, which may be a failure of the service of names.
    private func compare(_ user: UInt32) async throws -> Bool {
        let name = await Self.queues.run { [nameOf] in nameOf(user) }
        guard let name else { return names[user] == nil }
        guard names[user] != name else { return true }
        if names[user] != nil { try await forget(user) }
        guard names[user] != nil || names.count < Self.most else { return true }
        names[user] = name
        try save()
        return true
    }

    private func save() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let stored = Dictionary(uniqueKeysWithValues: names.map { ("\($0)", $1) })
        try encoder.encode(stored).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
