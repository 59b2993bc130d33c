import Foundation

/// The words of refusals: what was refused, by whom and when, and what to do next. Commands and keys stay as they are in
/// every language.
public protocol RefusalWording: Sendable {
    /// - Parameter reason: the administrator's own words.
    func restricted(_ client: String, _ resource: Resource, reason: String?) -> String
    func muted(_ client: String, _ resource: Resource, command: String) -> String
    func denied(_ client: String, _ resource: Resource, on day: DateComponents, command: String) -> String
    func identityChanged(_ client: String, _ resource: Resource, program: String, command: String) -> String
    func inUseOnce(_ client: String, _ resource: Resource) -> String
    func notDetermined(_ client: String, _ resource: Resource, command: String) -> String
    /// In the background and not decided: nobody is asked.
    func notAskedInBackground(_ client: String, _ resource: Resource) -> String
    /// In the background, with a yes for always that is not confirmed yet.
    func alwaysNotConfirmed(_ client: String, _ resource: Resource, command: String) -> String
    /// In the background, with a yes while using.
    func onlyWhileInUse(_ client: String, _ resource: Resource, command: String) -> String
    func notAnUpgrade(_ client: String, command: String) -> String
    func alreadyFull(_ client: String) -> String
    func missingPurpose(_ client: String, purposeKey: String) -> String
    func noManifest(key: String, place: String) -> String
    func missingUsageDescription(_ client: String, key: String) -> String
    func noAnswer(_ client: String, _ resource: Resource, command: String) -> String
    var tooManyRequests: String { get }
    /// It asked so often without a decision that the person is left alone for a while.
    func tooManyPrompts(_ client: String, seconds: Int64, command: String) -> String
    var recordingFailed: String { get }
}
