import ArgumentParser
import Foundation

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Who receives the records, and how many the collector has.")

    @OptionGroup var options: SenderOptions

    func run() async throws {
        try await reporting {
            let known = try? options.credentialFile.read()
            try await HTTPClients.with(
                trusting: known?.certificates, showing: known?.clientCertificate
            ) { clients in
                let service = ServiceConnection(socket: options.socket, clients)
                let declared = try await service.collector()
                let signed = try await service.checkpoint(from: 0).proof.to
                print("Collector  \(declared.name), \(declared.url)")
                print("Purpose    \(declared.purpose)")
                print("Sent       \(declared.send.rawValue)")
                print("This log   \(signed) records, \(declared.origin)")
                let credential = try options.credentialFile.read()
                try Credential.require(credential.url, declared.url)
                let info = try await CollectorConnection(credential, clients).position(origin: declared.origin)
                print("There      \(info.next) records, host \(credential.host)")
            }
        }
    }
}
