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
        case .muted:
            return AuthorizationError(
                code: .muted, resource: resource, client: client,
                message: "You have muted everything, so \(name) may not use \(resource.phrase). To end that: "
                    + "voicegate unmute",
                settings: "voicegate unmute")
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

    /// - Parameter terms: of the yes that does not reach so far; `nil`: there is none yet.
    static func notInUse(_ resource: Resource, _ requester: Requester, _ terms: Terms?) -> AuthorizationError {
        let (client, name) = (requester.client.identifier, requester.client.displayName)
        guard let terms else {
            return AuthorizationError(
                code: .notInUse, resource: resource, client: client,
                message: "\(name) is in the background, so nobody is asked whether it may use \(resource.phrase). "
                    + "Run it in the foreground of a terminal or of the desktop.")
        }
        if terms.isProvisionalAlways {
            return AuthorizationError(
                code: .notInUse, resource: resource, client: client,
                message:
                    "\(name) asked to use \(resource.phrase) in the background, and you have not confirmed that yet. "
                    + "To decide now: voicegate settings \(client) --allow \(resource.rawValue) --scope always",
                settings: "voicegate settings \(client) --allow \(resource.rawValue) --scope always")
        }
        return AuthorizationError(
            code: .notInUse, resource: resource, client: client,
            message:
                "\(name) may use \(resource.phrase) only while you use it, and it is in the background. Bring it to "
                + "the foreground, or let it: voicegate settings \(client) --allow \(resource.rawValue) --scope always",
            settings: "voicegate settings \(client) --allow \(resource.rawValue) --scope always")
    }

    static func notAnUpgrade(_ key: DecisionKey) -> AuthorizationError {
        let settings = "voicegate settings \(key.client) --allow \(key.resource.rawValue)"
        return AuthorizationError(
            code: .notDetermined, resource: key.resource, client: key.client,
            message: "Always is an upgrade of a yes while using, and \(key.client) has none. First: \(settings)",
            settings: settings)
    }

    static func alreadyFull(_ requester: Requester) -> AuthorizationError {
        AuthorizationError(
            code: .alreadyFull, resource: .speechRecognition, client: requester.client.identifier,
            message: "\(requester.client.displayName) has full fidelity already. Begin the session.")
    }

    static func missingPurpose(_ purposeKey: String, _ requester: Requester) -> AuthorizationError {
        AuthorizationError(
            code: .missingPurpose, resource: .speechRecognition, client: requester.client.identifier,
            message: "The manifest of \(requester.client.displayName) gives no text for the purpose "
                + "“\(DisplayText.cleaned(purposeKey, limit: 60))”, so the person cannot be told. Add it to "
                + "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary.")
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

    static func tooManyPrompts(_ resource: Resource, _ requester: Requester, seconds: Int64) -> AuthorizationError {
        let settings = "voicegate settings \(requester.client.identifier) --allow \(resource.rawValue)"
        return AuthorizationError(
            code: .tooManyRequests, resource: resource, client: requester.client.identifier,
            message:
                "\(requester.client.displayName) has asked again and again without a decision, so you are not asked "
                + "before \(seconds) s are over. Try again then, or decide now: \(settings)",
            settings: settings)
    }

    static func recordingFailed(_ resource: Resource, _ requester: Requester) -> AuthorizationError {
        AuthorizationError(
            code: .recordingFailed, resource: resource, client: requester.client.identifier,
            message: "The consent log could not be written, and nothing is allowed that is not written down. "
                + "See the service's log; the disk may be full.")
    }
}
