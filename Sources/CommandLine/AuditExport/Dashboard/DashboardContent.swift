import Authorization
import Consent
import Foundation
import SocketAPI

/// What the dashboard shows, as the service answered.
public struct DashboardContent: Sendable {
    public var health: HealthReply
    public var indicator: IndicatorReply
    public var settings: SettingsReply
    /// Oldest first.
    public var history: [HistoryEntry] = []
    /// Of the last week, oldest first.
    public var records: [ConsentRecord] = []
    /// Absent for users other than root of a service of all users.
    public var anchors: DiagnosisReply.Anchors?
    public var publications: PublicationsReply?
    /// The last verification for this dashboard, and when it was.
    public var verification: (report: VerificationReport, at: Date)?

    public init(health: HealthReply, indicator: IndicatorReply, settings: SettingsReply) {
        (self.health, self.indicator, self.settings) = (health, indicator, settings)
    }
}

/// What a person does on the page. Each revokes or removes something; grants are made at a terminal.
public enum DashboardAction: Sendable, Hashable {
    case mute
    case deny(client: String, Resource)
    case end(session: String)
    /// An item that is kept.
    case eraseItem(String)
    case eraseHistory
    /// The records about a client, and what is kept of its sessions.
    case eraseRecords(client: String)
    case verify

    /// - Parameters:
    ///   - name: the last part of the form's path.
    ///   - fields: of the form.
    public init?(_ name: String, _ fields: [String: String]) {
        switch name {
        case "mute": self = .mute
        case "verify": self = .verify
        case "erase-history": self = .eraseHistory
        case "end":
            guard let session = fields["session"] else { return nil }
            self = .end(session: session)
        case "erase-item":
            guard let item = fields["item"] else { return nil }
            self = .eraseItem(item)
        case "erase-records":
            guard let client = fields["client"] else { return nil }
            self = .eraseRecords(client: client)
        case "deny":
            guard let client = fields["client"], let resource = fields["resource"].flatMap(Resource.init(rawValue:))
            else { return nil }
            self = .deny(client: client, resource)
        default: return nil
        }
    }
}

/// What the page says after an action; in the query of its address.
public enum DashboardMessage: String, Sendable {
    case denied, muted, ended, erased, verified

    public init(_ action: DashboardAction) {
        switch action {
        case .mute: self = .muted
        case .deny: self = .denied
        case .end: self = .ended
        case .eraseItem, .eraseHistory, .eraseRecords: self = .erased
        case .verify: self = .verified
        }
    }

    var text: DashboardText {
        switch self {
        case .denied: .doneDenied
        case .muted: .doneMuted
        case .ended: .doneEnded
        case .erased: .doneErased
        case .verified: .doneVerified
        }
    }
}

/// A page in place of the dashboard.
public enum DashboardNotice: Sendable {
    case usedAddress, notThisPage, wrongRequest
    /// A sentence of the service.
    case failed(String)
}

/// The formats that the page offers, which are one file each, in the order of their names in the texts.
extension ExportFormat {
    public static let offered: [ExportFormat] = [.html, .csv, .jsonld, .jsonl, .art30]

    /// Of a file's name.
    public var suffix: String { self == .art30 ? "html" : rawValue }

    /// Of a downloaded file, without the suffix: what it is.
    public var downloadName: String {
        switch self {
        case .html: "voicegate-report"
        case .art30: "voicegate-record-of-processing"
        case .bundle, .jsonl, .csv, .jsonld: "voicegate-records"
        }
    }
}
