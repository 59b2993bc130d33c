import Authorization

extension Gate {
    /// Both statuses at one moment.
    func statuses(
        for requester: Requester
    ) -> (speechRecognition: AuthorizationStatus, microphone: AuthorizationStatus) {
        (status(of: .speechRecognition, for: requester), status(of: .microphone, for: requester))
    }
}
