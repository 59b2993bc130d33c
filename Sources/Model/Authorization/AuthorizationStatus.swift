/// What a client may do with a resource, in the words of `SFSpeechRecognizerAuthorizationStatus`.
///
/// | here | `AVAudioApplication.recordPermission` | what it means |
/// |---|---|---|
/// | `notDetermined` | `undetermined` | the person has not been asked, or chose to be asked next time |
/// | `restricted` | `denied` | an administrator's policy forbids it; the person cannot lift it |
/// | `denied` | `denied` | the person said no; only settings change that |
/// | `authorized` | `granted` | the person said yes |
public enum AuthorizationStatus: String, Sendable, Codable, CaseIterable, Hashable {
    case notDetermined
    case restricted
    case denied
    case authorized

    /// Reads a status from outside; a word we do not know means `denied`, as the source's `@unknown default` does.
    public init(untrusted word: String) {
        self = AuthorizationStatus(rawValue: word) ?? .denied
    }

    /// As `init(untrusted:)`, so that no reader takes a word it does not know for anything but a no.
    public init(from decoder: any Decoder) throws {
        self.init(untrusted: try decoder.singleValueContainer().decode(String.self))
    }
}
