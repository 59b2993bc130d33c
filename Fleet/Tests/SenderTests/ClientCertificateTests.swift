import Foundation
import NIOSSL
import Testing

@testable import Sender

@Suite("The client certificate of the sender")
final class ClientCertificateTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "certificate-\(UUID().uuidString)").path
    private let own: ClientCertificate

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let files = try SenderBench.certificate(in: folder)
        own = ClientCertificate(certificate: files.certificate, key: files.key)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func shown() throws -> TLSConfiguration { try own.shown(in: .makeClientConfiguration()) }

    private func expectRefusal(_ words: String) {
        let error = #expect(throws: SenderError.self) { try shown() }
        #expect(error?.code == .usage)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("it is read again each time, and is the same one until the files change")
    func renewed() throws {
        let first = try shown()
        #expect(try shown().bestEffortEquals(first))
        #expect(first.trustRoots == TLSConfiguration.makeClientConfiguration().trustRoots)
        _ = try SenderBench.certificate(in: folder)
        #expect(try shown().certificateChain != first.certificateChain)
        #expect(try shown().privateKey != first.privateKey)
    }

    @Test("files that are missing, no PEM, or no files are refused by name", arguments: ["certificate.pem", "key.pem"])
    func unusable(_ name: String) throws {
        let path = "\(folder)/\(name)"
        try FileManager.default.removeItem(atPath: path)
        expectRefusal("\(path): there is no such file")
        try "text".write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o600)
        expectRefusal("\(path) has no")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        expectRefusal("\(path): it is not a regular file")
    }

    @Test("a key that all users may read is refused, with the command that restricts it")
    func openKey() throws {
        chmod(own.key, 0o644)
        expectRefusal("Restrict it: chmod o= \(own.key)")
        chmod(own.key, 0o640)
        #expect(throws: Never.self) { try shown() }
    }

    @Test("the key of another certificate is refused")
    func otherKey() throws {
        let certificate = try Data(contentsOf: URL(fileURLWithPath: own.certificate))
        _ = try SenderBench.certificate(in: folder)
        try certificate.write(to: URL(fileURLWithPath: own.certificate))
        expectRefusal("\(own.key) is not the key of the certificate in \(own.certificate)")
    }
}
