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
    /// The client is in the background, and what it wants needs the foreground or an `always`.
    case notInUse
    /// The person has muted everything (`voicegate mute`).
    case muted
    /// Only the client's phrases are allowed; what was asked for needs full fidelity.
    case reducedFidelity
    /// The manifest gives no text for the purpose key.
    case missingPurpose
    /// Full fidelity is allowed already, so there is nothing to ask.
    case alreadyFull
    /// What the kernel shows of the program cannot be trusted, such as a sandbox whose metadata cannot be read.
    case untrusted
    /// Nobody was there to ask, or nobody answered in time.
    case noAnswer
    /// Too many requests wait for the person already.
    case tooManyRequests
    /// The log could not be written, and nothing is granted that is not written down.
    case recordingFailed
}
