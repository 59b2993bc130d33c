import FleetDatabase
import Foundation
import HummingbirdCore
import Yams

/// `config.yaml`; every value can be left out, and the command line's options win.
struct CollectorSettings: Sendable, Decodable {
    static let standardPath = "/etc/voicegate-collector/config.yaml"

    /// `address:port`, `[address]:port`, or `unix:path`.
    var listen = "127.0.0.1:8443"
    /// libpq's connection string or URI; PGHOST, PGUSER and so on supply what it does not name.
    var database = ""
    var keyFile = "/etc/voicegate-collector/collector.key"
    /// PEM files. Without them, only a loopback address or a Unix socket is listened on.
    var certificate: String?
    var certificateKey: String?
    /// Clients must have a certificate of these authorities.
    var clientCA: String?
    /// `open`: everybody may read the logs' tiles; a path: those who have the token in this file; absent: no one.
    var monitoring: String?
    var webhook: Webhook?
    /// A file of https://c2sp.org/tlog-policy: its witnesses that have a URL cosign the mirror's checkpoints.
    var witnessPolicy: String?
    /// Connections to the database for requests: a quarter of them, at least `leastReserved`, is kept from uploads.
    var connections = 12
    static let leastReserved = 4
    /// Uploads that are received at once; more wait.
    var uploads = 32
    /// Of records and checkpoints that a host may store on a day, by UTC.
    var dailyBytes = 1 << 30
    /// A file with the token of those who may read /metrics; absent: everybody.
    var metricsTokenFile: String?
    /// Whether each host has its own metrics, which name it: only with a token.
    var metricsByHost = false

    struct Webhook: Sendable, Decodable {
        let url: String
        /// A file with the secret that signs each message.
        let secretFile: String?
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private enum Key: String, CodingKey, CaseIterable {
        case listen, database, keyFile, certificate, certificateKey, clientCA, monitoring, webhook, witnessPolicy
        case connections, uploads, dailyBytes, metricsTokenFile, metricsByHost
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        if let name = names.first(where: { Key(rawValue: $0) == nil }) {
            throw Problem(description: "there is no setting “\(name)”")
        }
        let values = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ key: Key, _ standard: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? standard
        }
        listen = try value(.listen, listen)
        database = try value(.database, database)
        keyFile = try value(.keyFile, keyFile)
        certificate = try values.decodeIfPresent(String.self, forKey: .certificate)
        certificateKey = try values.decodeIfPresent(String.self, forKey: .certificateKey)
        clientCA = try values.decodeIfPresent(String.self, forKey: .clientCA)
        monitoring = try values.decodeIfPresent(String.self, forKey: .monitoring)
        webhook = try values.decodeIfPresent(Webhook.self, forKey: .webhook)
        witnessPolicy = try values.decodeIfPresent(String.self, forKey: .witnessPolicy)
        connections = try value(.connections, connections)
        uploads = try value(.uploads, uploads)
        dailyBytes = try value(.dailyBytes, dailyBytes)
        metricsTokenFile = try values.decodeIfPresent(String.self, forKey: .metricsTokenFile)
        metricsByHost = try value(.metricsByHost, metricsByHost)
        guard !metricsByHost || metricsTokenFile != nil else {
            throw Problem(description: "metricsByHost names the hosts: it needs metricsTokenFile")
        }
        guard (Self.leastReserved + 1...1000).contains(connections), (1...1000).contains(uploads),
            (1...FleetStore.mostDailyBytes).contains(dailyBytes)
        else {
            throw Problem(
                description: "connections is \(Self.leastReserved + 1) to 1000, uploads is 1 to 1000, and dailyBytes "
                    + "is 1 to 2^50")
        }
    }

    /// - Parameter file: `nil`: the standard one, if it exists.
    static func read(_ file: String?) throws -> CollectorSettings {
        let path = file ?? standardPath
        guard let data = FileManager.default.contents(atPath: path) else {
            guard file == nil else { throw Problem(description: "The configuration \(path) cannot be read.") }
            return CollectorSettings()
        }
        do {
            let text = String(decoding: data, as: UTF8.self)
            // Comments alone, as the package installs it, are not a mapping.
            guard try Yams.compose(yaml: text) != nil else { return CollectorSettings() }
            return try YAMLDecoder().decode(CollectorSettings.self, from: text)
        } catch {
            throw Problem(description: "The configuration \(path) is wrong: \(error)")
        }
    }

    /// A file with a token or another secret: its text without the space around it.
    ///
    /// - Parameter what: the setting's name for it.
    static func secret(in file: String, _ what: String) throws(Problem) -> String {
        guard let data = FileManager.default.contents(atPath: file), !data.isEmpty else {
            throw Problem(description: "The \(what) file \(file) cannot be read, or is empty.")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Where to listen.
    ///
    /// - Throws: `Problem`; also for plain text that would leave the machine.
    func address() throws(Problem) -> BindAddress {
        let address: BindAddress
        // Whether only programs of this machine reach it.
        let isLocal: Bool
        if listen.hasPrefix("unix:") {
            (address, isLocal) = (.unixDomainSocket(path: String(listen.dropFirst(5))), true)
        } else {
            guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...]) else {
                throw Problem(description: "“\(listen)” is not address:port, [address]:port, or unix:path.")
            }
            let text = listen[..<colon]
            let host = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text
            address = .hostname(String(host), port: Int(port))
            isLocal = host == "::1" || host == "localhost" || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
        }
        guard certificate != nil || isLocal else {
            throw Problem(
                description: "Without a certificate, tokens and records would cross the network in plain text. Set "
                    + "certificate and certificateKey, or listen on a loopback address behind a proxy.")
        }
        guard (certificate == nil) == (certificateKey == nil), clientCA == nil || certificate != nil else {
            throw Problem(description: "certificate and certificateKey belong together, and clientCA needs both.")
        }
        return address
    }
}
