extension Gate {
    /// Whether the monitor may listen now.
    public func permission(of monitor: MonitorRegistration, for requester: Requester) -> MonitorPermission {
        var permission = MonitorPermission.allowed
        for resource in monitor.kind.resources {
            switch standing(of: resource, for: requester) {
            case .denied: return .ended(.revoked)
            case .notDetermined: return .ended(.reset)
            case .restricted: permission = .paused(.restricted)
            case .muted: permission = .paused(.muted)
            case .identityChanged: permission = .paused(.identityChanged)
            case .termsWidened: permission = .paused(.termsWidened)
            case .untrusted: permission = .paused(.untrusted)
            case .authorized(let terms):
                if resource == .speechRecognition, terms.fidelity == .reduced, let phrase = monitor.kind.phrase,
                    requester.client.manifest?.phrases.contains(phrase) != true
                {
                    permission = .paused(.reducedFidelity)
                } else if permission == .allowed, !reaches(terms, monitor.action, requester) {
                    permission = .paused(.notInUse)
                }
            }
        }
        if permission == .allowed, let absence = absence(of: .microphone, requester),
            standing(of: .microphone, for: requester).terms?.agreed.allowsMonitors(during: absence) != true
        {
            permission = .paused(RefusalCode(absence))
        }
        return permission
    }

    /// Why the monitor may not be registered, which is recorded; `nil` if it may. One that may listen only while its client
    /// is in use may be registered at any time.
    public func refusal(of monitor: MonitorRegistration, for requester: Requester) async -> AuthorizationError? {
        let permission = permission(of: monitor, for: requester)
        guard permission != .allowed else { return nil }
        for resource in monitor.kind.resources {
            let standing = standing(of: resource, for: requester)
            guard let terms = standing.terms else {
                return await recorded(AuthorizationError(for: standing, resource, requester), requester)
            }
            if terms.scope == .once {
                return await recorded(
                    AuthorizationError(.notInBackground(of: requester.client), resource, requester), requester)
            }
        }
        guard permission == .paused(.reducedFidelity) else { return nil }
        return await recorded(AuthorizationError(.reducedFidelity, .speechRecognition, requester), requester)
    }

    private func reaches(_ terms: Terms, _ action: MonitorAction, _ requester: Requester) -> Bool {
        switch action {
        case .start: terms.scope == .always || terms.scope == .whileInUse && requester.presence == .foreground
        case .notify: terms.scope != .once
        }
    }
}
