import Foundation

/// Words a refusal: what was refused, by whom and when, and what to do next.
enum Refusal {
    static func error(for standing: Standing, resource: Resource, requester: Requester) -> AuthorizationError {
        let client = requester.client.identifier
        let settings = "voicegate settings \(client) --allow \(resource.rawValue)"
        let name = requester.client.displayName
        switch standing {
        case .restricted(let rule):
            let reason = rule.reason.map { ": \($0)" } ?? "."
            return AuthorizationError(
                code: .restricted, resource: resource, client: client,
                message: "A policy of this machine's administrator does not let \(name) use \(resource.phrase)\(reason)"
            )
        case .denied(let decision):
            let day = decision.decidedAt.formatted(.iso8601.year().month().day())
            return AuthorizationError(
                code: .denied, resource: resource, client: client,
                message: "You did not allow \(name) to use \(resource.phrase) (\(day)). To change that: \(settings)",
                settings: settings)
        case .identityChanged:
            return AuthorizationError(
                code: .identityChanged, resource: resource, client: client,
                message:
                    "The program \(requester.caller.executable.path) has changed since you allowed \(name) to use "
                    + "\(resource.phrase). To allow it as it is now: \(settings)",
                settings: settings)
        case .inUseOnce:
            return AuthorizationError(
                code: .notDetermined, resource: resource, client: client,
                message: "\(name) was allowed to use \(resource.phrase) for one session, and that one still runs. "
                    + "End it, then ask again.")
        case .notDetermined, .authorized:
            return AuthorizationError(
                code: .notDetermined, resource: resource, client: client,
                message: "\(name) has not been allowed to use \(resource.phrase) yet. "
                    + "It asks when it is used at a terminal; to decide now: \(settings)",
                settings: settings)
        }
    }

    static func missingUsageDescription(_ resource: Resource, _ client: Client) -> AuthorizationError {
        let key = resource.usageDescriptionKey
        let place = "the clients folder ($XDG_CONFIG_HOME/voicegate/clients/NAME/Info.plist)"
        return AuthorizationError(
            code: .missingUsageDescription, resource: resource, client: client.identifier,
            message: client.manifest == nil
                ? "No manifest describes this program. Put an Info.plist with CFBundleExecutable and \(key) into \(place)."
                : "The manifest of \(client.displayName) has no \(key), so the person cannot be told why it asks. Add it."
        )
    }

    static func noAnswer(_ resource: Resource, _ requester: Requester) -> AuthorizationError {
        let settings = "voicegate settings \(requester.client.identifier) --allow \(resource.rawValue)"
        return AuthorizationError(
            code: .noAnswer, resource: resource, client: requester.client.identifier,
            message:
                "Nobody answered whether \(requester.client.displayName) may use \(resource.phrase), so it may not. "
                + "Ask again at a terminal, or decide with: \(settings)",
            settings: settings)
    }

    static func tooManyRequests(_ resource: Resource, _ requester: Requester) -> AuthorizationError {
        AuthorizationError(
            code: .tooManyRequests, resource: resource, client: requester.client.identifier,
            message: "Too many requests wait for an answer already. Answer those first, then try again.")
    }

    static func recordingFailed(_ resource: Resource, _ requester: Requester) -> AuthorizationError {
        AuthorizationError(
            code: .recordingFailed, resource: resource, client: requester.client.identifier,
            message: "The consent log could not be written, and nothing is allowed that is not written down. "
                + "See the service's log; the disk may be full.")
    }
}
