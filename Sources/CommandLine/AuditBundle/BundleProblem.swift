import Authorization

/// Why a bundle is not what it says it is. `code` tells how to react; the message is for people.
public struct BundleProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The folder or a file in it cannot be read at all; says nothing about the records.
        case unreadable
        /// A file that every bundle has is not there, or one that the list of files names.
        case fileMissing
        /// A file that no list of files vouches for.
        case fileUnexpected
        /// A link, a device, a folder within a folder, or a name that leads elsewhere.
        case unsafeFile
        case tooLarge
        /// A file does not have the form it must have.
        case malformed
        /// None of the keys signed it, or a key's signature does not verify.
        case signatureWrong
        /// A file does not have the hash that the list of files names.
        case fileAltered
        case recordMissing
        /// A record's leaf or its fields are not those that were logged.
        case recordAltered
        case recordsOutOfOrder
        /// Fields are gone and no record says that they were erased.
        case fieldsMissing
        /// The records are not those of the signed checkpoint.
        case rootWrong
        /// A record's proof does not lead to the signed checkpoint.
        case proofWrong
        /// What the bundle says it covers is not what it holds.
        case scopeWrong
        /// A witness that was asked for has not cosigned the checkpoint.
        case cosignatureMissing
    }

    public let code: Code
    /// Path in the bundle; `nil` when it is about the folder.
    public let file: String?
    /// Index of the record that it is about.
    public let record: UInt64?
    /// What is wrong, as the end of a sentence.
    public let reason: String

    public init(_ code: Code, file: String? = nil, record: UInt64? = nil, _ reason: String) {
        self.code = code
        self.file = file
        self.record = record
        self.reason = reason
    }

    /// One line that is safe to show: names and origins are whatever the bundle's maker wrote.
    public var description: String {
        let file = file.map { DisplayText.cleaned($0, limit: 200) }
        let reason = DisplayText.cleaned(reason, limit: 1_000)
        return switch (file, record) {
        case (let file?, let record?): "\(file), record \(record): \(reason)."
        case (let file?, nil): "\(file): \(reason)."
        case (nil, let record?): "Record \(record): \(reason)."
        case (nil, nil): "The bundle: \(reason)."
        }
    }
}
