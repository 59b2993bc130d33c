import Authorization
import Base
import Cryptography
import Foundation
import Glibc
import LinuxSystem
import Yams

/// Reads a folder of policy files and keeps the last valid rules of each, so that a broken file keeps its denials.
///
/// A file that was never readable may have any denial, so everything is denied until it can be read or is removed.
struct PolicyReader {
    static let fileLimit = 100

    private struct GoodFile {
        let digest: String
        let rules: [PolicyRule]
    }

    private let folder: String
    private let trustedUser: UInt32
    private let timeZone: @Sendable () -> TimeZone
    private var lastGood: [String: GoodFile] = [:]

    init(folder: String, trustedUser: UInt32, timeZone: @escaping @Sendable () -> TimeZone) {
        self.folder = folder
        self.trustedUser = trustedUser
        self.timeZone = timeZone
    }

    mutating func read() -> PolicySnapshot {
        var rules: [PolicyRule] = []
        var files: [String: String] = [:]
        var broken: [String: String] = [:]
        let paths: [String]
        do {
            paths = try list()
        } catch {
            let reason = error.description
            broken[folder] = reason + " Everything is denied until this is repaired."
            return PolicySnapshot(
                policy: Policy(
                    rules: [Self.denyingAll(folder)] + lastGood.sorted { $0.key < $1.key }.flatMap(\.value.rules),
                    timeZone: timeZone()),
                provenance: PolicyProvenance(files: lastGood.mapValues(\.digest), broken: broken))
        }
        lastGood = lastGood.filter { paths.contains($0.key) }
        for path in paths {
            if let reason = readFile(path) {
                let known = lastGood[path] != nil
                broken[path] =
                    reason
                    + (known ? " Its last valid denials apply." : " Everything is denied until this is repaired.")
                if !known { rules.append(Self.denyingAll(path)) }
            } else if let reason = distrust(path) {
                broken[path] = reason + " Its denials still apply."
            }
            if let good = lastGood[path] {
                files[path] = good.digest
                rules += good.rules
            }
        }
        return PolicySnapshot(
            policy: Policy(rules: rules, timeZone: timeZone()),
            provenance: PolicyProvenance(files: files, broken: broken))
    }

    /// - Returns: why the file cannot be used; `nil`: it is valid.
    private mutating func readFile(_ path: String) -> String? {
        do {
            let file = try RegularFile(path: path, limit: PolicyDocument.sizeLimit)
            let digest = Hexadecimal.encode(SHA256.hash(data: file.data))
            if lastGood[path]?.digest != digest {
                lastGood[path] = GoodFile(digest: digest, rules: try PolicyDocument(parsing: file.data).rules)
            }
            return nil
        } catch let error as PolicyFileError {
            return error.description
        } catch let error as FileError {
            return error.sentence
        } catch {
            return "It cannot be read: \(error)."
        }
    }

    /// - Returns: no paths when the folder does not exist.
    private func list() throws(PolicyFileError) -> [String] {
        do {
            let names = try Folder.names(in: folder, limit: 10_000).filter {
                ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) && !$0.hasPrefix(".")
            }
            guard names.count <= Self.fileLimit else {
                throw PolicyFileError(
                    code: .tooComplex, message: "The folder has more than \(Self.fileLimit) files. Merge some.")
            }
            return names.map { folder + "/" + $0 }
        } catch let error as PolicyFileError {
            throw error
        } catch let error as FileError where error.code == .missing && !exists(folder) {
            return []
        } catch {
            throw PolicyFileError(code: .unreadable, message: "The folder cannot be read: \(error)")
        }
    }

    /// Whether the name exists, also as a broken link or a file.
    private func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private func distrust(_ path: String) -> String? {
        guard let metadata = try? FileMetadata(path: path) else { return nil }
        if metadata.owner != 0 && metadata.owner != trustedUser {
            return "It belongs to user \(metadata.owner). Give it to root."
        }
        return metadata.isWritableByAll || metadata.isWritableByGroup
            ? "Users other than its owner can write it. Use chmod go-w." : nil
    }

    private static func denyingAll(_ path: String) -> PolicyRule {
        let shown = DisplayText.cleaned(path, limit: 200)
        return PolicyRule(
            resource: nil, client: nil, user: nil,
            reason: "The policy in \(shown) cannot be read; everything is denied until it can be.")
    }
}

/// A YAML mapping with known keys.
struct PolicyFields {
    /// Keys of other policy languages that allow something.
    private static let granting: Set<String> = [
        "allow", "allows", "allowed", "grant", "grants", "permit", "except", "unless", "authorize", "authorized",
    ]

    private var values: [String: Node] = [:]

    /// - Parameter name: how an error names the mapping.
    init(_ node: Node, of name: String, allowed: Set<String>) throws(PolicyFileError) {
        let known = allowed.sorted().joined(separator: ", ")
        guard let mapping = node.mapping else {
            throw PolicyFileError(
                code: .wrongType, line: node.mark?.line, message: "This is not \(name). Write a mapping with \(known).")
        }
        for (key, value) in mapping {
            guard let word = key.scalar?.string, allowed.contains(word) else {
                if let word = key.scalar?.string, Self.granting.contains(word.lowercased()) {
                    throw PolicyFileError(
                        code: .grants, line: key.mark?.line,
                        message: "“\(word)” would allow something, but a policy can only deny. The user decides what a "
                            + "program may do. Remove it.")
                }
                let shown = key.scalar.map { "“\($0.string.prefix(40))”" } ?? "A key that is not a word"
                throw PolicyFileError(
                    code: .unknownKey, line: key.mark?.line,
                    message: "\(shown) is not a key of \(name). Known: \(known).")
            }
            values[word] = value
        }
    }

    subscript(key: String) -> Node? { values[key] }

    /// - Returns: `nil` when the key is missing.
    func text(_ key: String) throws(PolicyFileError) -> String? {
        guard let node = values[key] else { return nil }
        guard let text = node.scalar?.string, !text.isEmpty else {
            throw PolicyFileError(
                code: .wrongType, line: node.mark?.line,
                message: "“\(key)” is not a word or text. Write one, or remove it.")
        }
        return text
    }

    /// A word, or a list of at least one.
    ///
    /// - Returns: `nil` when the key is missing.
    func words(_ key: String, limit: Int) throws(PolicyFileError) -> [String]? {
        guard let node = values[key] else { return nil }
        let words = node.sequence.map { $0.map { $0.scalar?.string ?? "" } } ?? [node.scalar?.string ?? ""]
        guard !words.isEmpty, words.allSatisfy({ !$0.isEmpty }) else {
            throw PolicyFileError(
                code: .wrongType, line: node.mark?.line,
                message: "“\(key)” is neither a word nor a list of words. Write one, or remove it.")
        }
        guard words.count <= limit else {
            throw PolicyFileError(
                code: .tooComplex, line: node.mark?.line, message: "“\(key)” has more than \(limit) entries.")
        }
        return words
    }

    /// - Parameters:
    ///   - all: the word for all values.
    ///   - advice: of the error for a word that is not a value.
    /// - Returns: `nil` for all values, and when the key is missing.
    func value<Value>(
        _ key: String, orAll all: String, _ advice: String, _ parse: (String) -> Value?
    ) throws(PolicyFileError) -> Value? {
        guard let word = try text(key), word != all else { return nil }
        guard let value = parse(word) else { throw invalid(key, advice) }
        return value
    }

    /// - Returns: no values when the key is missing.
    func values<Value>(
        _ key: String, limit: Int, _ advice: String, _ parse: (String) -> Value?
    ) throws(PolicyFileError) -> [Value] {
        let words = try words(key, limit: limit) ?? []
        let values = words.compactMap(parse)
        guard values.count == words.count else { throw invalid(key, advice) }
        return values
    }

    private func invalid(_ key: String, _ advice: String) -> PolicyFileError {
        let node = values[key]
        let words = node?.sequence.map { $0.compactMap(\.scalar?.string).joined(separator: ", ") }
        let shown = (words ?? node?.scalar?.string ?? "").prefix(60)
        return PolicyFileError(
            code: .invalidValue, line: node?.mark?.line, message: "“\(shown)” is not a value of “\(key)”. \(advice)")
    }
}
