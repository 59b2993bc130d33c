/// Why the gate said no. The raw values are the `code` of the socket API.
public enum RefusalCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// Nobody was asked, or the person wants to be asked later.
    case notDetermined
    /// The person said no.
    case denied
    /// An administrator's policy forbids it.
    case restricted
    /// The program is not the one the person said yes to.
    case identityChanged
    /// The manifest lacks the usage description for the resource, or there is no manifest.
    case missingUsageDescription
    /// Nobody was there to ask, or nobody answered in time.
    case noAnswer
    /// Too many requests wait for the person already.
    case tooManyRequests
    /// The log could not be written, and nothing is granted that is not written down.
    case recordingFailed
}
