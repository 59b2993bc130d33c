import Foundation

/// What the collector gave this host at its enrolment: all that the sender keeps.
struct Credential: Codable, Sendable, Hashable {
    /// The collector that the token is for, and no other gets it.
    let url: String
    let token: String
    let host: Int64
    /// Seconds between reports.
    let interval: Int
    /// That the collector's certificate must be signed by, PEM; `nil`: the system's.
    let certificates: String?
    /// `nil`: no certificate is shown.
    let clientCertificate: ClientCertificate?

    /// - Parameter declared: the collector that the service names.
    static func require(_ url: String, _ declared: String) throws(SenderError) {
        guard declared == url else {
            throw SenderError(
                .notEnrolled,
                "This host is enrolled at \(url), but the service declares \(declared). Enrol it there: voicegate-sender enroll"
            )
        }
    }
}

/// `credential.json` in the state directory; readable by the sender's user alone.
struct CredentialFile: Sendable {
    let folder: String
    var path: String { folder + "/credential.json" }

    func read() throws(SenderError) -> Credential {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SenderError(
                .notEnrolled, "\(path) cannot be read. Enrol this host: voicegate-sender enroll --token-file FILE")
        }
        do {
            return try JSONDecoder().decode(Credential.self, from: data)
        } catch {
            throw SenderError(
                .notEnrolled, "\(path) is damaged. Enrol this host again: voicegate-sender enroll --token-file FILE")
        }
    }

    /// In place of the one before, whole or not at all.
    func write(_ credential: Credential) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let new = path + ".new"
        try? files.removeItem(atPath: new)
        // With its mode from the beginning: the token is never in a file that others can open.
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: JSONEncoder().encode(credential))
        try file.synchronize()
        guard rename(new, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
