import LinuxSystem
import NIOSSL

/// The certificate that this host shows to a collector that requires one. The files are read again for each request, so that a
/// renewed one is used from the next connection on.
struct ClientCertificate: Codable, Sendable, Hashable {
    private static let largestFile = 1 << 20

    /// Absolute paths of PEM files; that of the certificate has its chain too.
    let certificate: String
    let key: String

    /// Blocks while it reads the files.
    ///
    /// - Throws: `SenderError` with `usage` if a file cannot be read, the key is open to all users, or they do not belong together.
    func shown(in configuration: TLSConfiguration) throws(SenderError) -> TLSConfiguration {
        var own = TLSConfiguration.makeClientConfiguration()
        let chain = try Self.read(certificate)
        own.certificateChain = ((try? NIOSSLCertificate.fromPEMBytes(Array(chain.data))) ?? []).map { .certificate($0) }
        guard !own.certificateChain.isEmpty else {
            throw SenderError(.usage, "\(certificate) has no certificate in PEM.")
        }
        let file = try Self.read(key)
        guard file.metadata.mode & 0o007 == 0 else {
            throw SenderError(.usage, "\(key) is open to all users of this machine. Restrict it: chmod o= \(key)")
        }
        guard let secret = try? NIOSSLPrivateKey(bytes: Array(file.data), format: .pem) else {
            throw SenderError(.usage, "\(key) has no private key in PEM, or a passphrase protects it.")
        }
        own.privateKey = .privateKey(secret)
        // Only a context compares the two; the system's authorities take long to load.
        own.trustRoots = .certificates([])
        guard (try? NIOSSLContext(configuration: own)) != nil else {
            throw SenderError(.usage, "\(key) is not the key of the certificate in \(certificate).")
        }
        var configuration = configuration
        (configuration.certificateChain, configuration.privateKey) = (own.certificateChain, own.privateKey)
        return configuration
    }

    private static func read(_ path: String) throws(SenderError) -> RegularFile {
        do {
            return try RegularFile(path: path, limit: largestFile)
        } catch {
            throw SenderError(.usage, "The client certificate cannot be used: \(error)")
        }
    }
}
