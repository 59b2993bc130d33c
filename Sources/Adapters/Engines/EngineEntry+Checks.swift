import Base
import LinuxSystem
import Speech

extension EngineEntry {
    /// Checks what comes from outside. The names end up in paths, in pip's requirements and on terminals.
    ///
    /// - Throws: `unusable`, naming the value.
    public func check() throws(VerifiedFolderError) {
        try require(Self.isIdentifier(id), "id is lower-case letters, digits, dots and hyphens, at most 64")
        try require(id != Self.builtIn, "\(Self.builtIn) is the built-in engine")
        for text in [name, version, licences.weights] + licences.code + (measured ?? []).map(\.set)
            + [source, package, folder].compactMap({ $0 })
        {
            try require(
                Self.isLine(text, limit: 200),
                "a name, version, licence, set, source, package or folder is one line of at most 200 bytes")
        }
        try require(Self.isLine(description, limit: 2_000), "description is one line of at most 2,000 bytes")
        try require(
            !languages.isEmpty
                && languages.allSatisfy { $0.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*/) != nil },
            "languages are tags such as en or pt-BR")
        try require(
            !tasks.isEmpty && Set(tasks).isSubset(of: ["dictation", "phrases", "key-phrases", "grammar"]),
            "tasks are dictation, phrases, key-phrases and grammar")
        try require(!inputs.isEmpty && Set(inputs).isSubset(of: ["live", "file"]), "inputs are live and file")
        try require(
            (measured ?? []).allSatisfy { $0.errors.isFinite && $0.errors >= 0 && $0.cpu.isFinite && $0.cpu >= 0 },
            "measured has errors in 100 words and CPU seconds")
        guard !isModel else { return try checkModel() }
        try require(
            files == nil || family == .vosk, "files are those of a model of PocketSphinx or Vosk")
        try checkFiles()
        try require(!artefacts.isEmpty, "artefacts are missing")
        for artefact in artefacts { try check(artefact) }
        for architecture in Set(artefacts.compactMap(\.architecture) + [Machine.architecture]) {
            try checkNames(for: architecture)
        }
    }

    static func isIdentifier(_ text: String) -> Bool {
        // choices.json is a file beside the engines' folders.
        text.wholeMatch(of: /[a-z0-9][a-z0-9.-]{0,63}/) != nil && !text.hasSuffix(".json")
    }

    private func checkModel() throws(VerifiedFolderError) {
        try require(
            artefacts.isEmpty && derived == nil && files?.isEmpty == false,
            "a model of PocketSphinx has files, and no artefacts and derived files")
        try checkFiles()
    }

    private func checkFiles() throws(VerifiedFolderError) {
        let files = files ?? []
        try require(Set(files.map(\.name)).count == files.count, "two files have the same name")
        try require(files.count <= VerifiedFolder.mostFiles, "there are more than \(VerifiedFolder.mostFiles) files")
        for file in files {
            try require(Self.isFilePath(file.name), "\(file.name.prefix(80)) cannot be the name of a file")
            try check(file.name, file.sha256, file.bytes)
        }
    }

    private func check(_ artefact: Artefact) throws(VerifiedFolderError) {
        try require(
            artefact.package.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,99}/) != nil
                && artefact.version.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.+!_-]{0,99}/) != nil,
            "an artefact has a package's name and version")
        try require(
            artefact.file.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._+-]{0,199}\.whl/) != nil,
            "the file of \(artefact.package) is the name of a wheel")
        try require(
            artefact.architecture.map { $0.wholeMatch(of: /[a-z0-9_]{1,20}/) != nil } ?? true,
            "an architecture is as uname -m prints it")
        try check(artefact.file, artefact.sha256, artefact.bytes)
        try require(!artefact.contents.isEmpty, "\(artefact.package) has no contents")
        for content in artefact.contents {
            let parts = content.path.split(separator: "/", omittingEmptySubsequences: false)
            try require(
                Self.isLine(content.path, limit: 500) && !parts.contains { ["", ".", ".."].contains($0) },
                "\(content.name)'s path is relative, without . and ..")
            try check(content.name, content.sha256, content.bytes)
        }
    }

    private func checkNames(for architecture: String) throws(VerifiedFolderError) {
        let contents = contents(for: architecture).map(\.name)
        let names = contents + (derived ?? []).map(\.name) + (files ?? []).map(\.name)
        try require(Set(names).count == names.count, "two files have the same name")
        try require(names.count <= VerifiedFolder.mostFiles, "there are more than \(VerifiedFolder.mostFiles) files")
        for name in names {
            try require(Self.isFilePath(name), "\(name.prefix(80)) cannot be the name of a file")
        }
        if !contents.isEmpty { try checkRecognizer(Set(files(for: architecture).keys)) }
        for file in derived ?? [] {
            try check(file.name, file.sha256, file.bytes)
            try require(
                contents.isEmpty || contents.contains(file.from), "\(file.name) is made of a file that is missing")
        }
    }

    /// Before anything is downloaded: the program that runs it would find that only at the end.
    private func checkRecognizer(_ files: Set<String>) throws(VerifiedFolderError) {
        let named = recognizer ?? [:]
        guard let family else {
            let given =
                named["family"].map { "the family of recognizer is “\($0.prefix(40))”" } ?? "recognizer has no family"
            return try require(false, "\(given); the families are \(EngineFamily.known)")
        }
        for name in family.fixedFiles {
            try require(files.contains(name), "an engine of the family \(family.rawValue) has a file \(name)")
        }
        for use in family.files {
            try require(
                named[use].map { files.contains($0) } ?? false,
                "recognizer names no \(use) of the family \(family.rawValue) that is among its files")
        }
    }

    private func check(_ name: String, _ sha256: String, _ bytes: Int64) throws(VerifiedFolderError) {
        try require(
            sha256.wholeMatch(of: /[0-9a-f]{64}/) != nil, "the sha256 of \(name.prefix(80)) is 64 hexadecimal digits")
        try require((1...VerifiedFolder.largestTotal).contains(bytes), "the bytes of \(name.prefix(80)) are wrong")
    }

    /// A path in an engine's folder.
    public static func isFilePath(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count <= VerifiedFolder.deepest && parts.allSatisfy { isFileName(String($0)) }
    }

    private static func isFileName(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9._+-]{0,199}/) != nil && name != EngineLibrary.entryFile
    }

    private static func isLine(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && DisplayText.cleaned(text, limit: limit) == text
    }

    private func require(_ isTrue: Bool, _ problem: String) throws(VerifiedFolderError) {
        guard !isTrue else { return }
        throw VerifiedFolderError(
            code: .unusable,
            message: "The engine \(id.prefix(64)) is not described correctly: \(problem). The format is in "
                + "Documentation/Engines.md.")
    }
}
