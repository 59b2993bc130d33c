import ArgumentParser
import Consent
import FleetModel
import Foundation

/// `voicegate-sender enroll`: proves to the collector that this machine has the log's key, and keeps the token that it gives.
struct EnrollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll", abstract: "Enrol this machine's log with a token of the collector's administrator.")

    @OptionGroup var options: SenderOptions

    @Option(help: "The file with the one-time token; - reads it from the standard input.")
    var tokenFile: String

    @Option(
        help: ArgumentHelp(
            "The certificates that the collector's is signed by, PEM. (default: the system's)", valueName: "file"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "This machine's certificate with its chain, PEM, for a collector that requires one; it is read again when it is renewed.",
            valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM; not readable by all users.", valueName: "file"))
    var key: String?

    @Option(help: "The machine's name at the collector.")
    var name = ProcessInfo.processInfo.hostName

    @Option(help: "Seconds between reports, 1 to 3600. (default: the collector's)")
    var interval: Int?

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together.")
        }
    }

    func run() async throws {
        try await reporting {
            let token = try Self.token(tokenFile)
            let certificates = try ca.map { try String(contentsOfFile: $0, encoding: .utf8) }
            try await HTTPClients.with(trusting: certificates, showing: clientCertificate) { clients in
                let service = ServiceConnection(socket: options.socket, clients)
                let declared = try await service.collector()
                guard let key = declared.keys.last else {
                    throw SenderError(.unavailable, "The service's log has no key yet. Try again in a moment.")
                }
                let answer = try await CollectorConnection.enroll(
                    EnrolmentRequest(
                        token: token, key: key, name: name, report: try await service.report(counter: 0),
                        interval: interval),
                    at: declared.url, clients)
                try options.credentialFile.write(
                    Credential(
                        url: declared.url, token: answer.token, host: answer.host, interval: answer.interval,
                        certificates: certificates, clientCertificate: clientCertificate))
                print("Enrolled with \(declared.name) as host \(answer.host). Start the sender: voicegate-sender run")
            }
        }
    }

    private var clientCertificate: ClientCertificate? {
        guard let certificate, let key else { return nil }
        func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
        return ClientCertificate(certificate: absolute(certificate), key: absolute(key))
    }

    private static func token(_ path: String) throws -> String {
        let data =
            path == "-"
            ? FileHandle.standardInput.readDataToEndOfFile() : try Data(contentsOf: URL(fileURLWithPath: path))
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.count <= 1024, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SenderError(.usage, "\(path) has no token: one line of printable characters.")
        }
        return token
    }
}
