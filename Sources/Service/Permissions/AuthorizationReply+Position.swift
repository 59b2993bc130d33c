import Authorization
import SocketAPI

extension AuthorizationReply {
    init(_ requester: Requester, _ position: AuthorizationPosition, problems: [String]) {
        let (speechRecognition, microphone) = (position.standings[.speechRecognition], position.standings[.microphone])
        self.init(
            client: requester.client.identifier.rawValue, name: requester.client.displayName(in: requester.language),
            speechRecognition: speechRecognition?.status ?? .denied, microphone: microphone?.status ?? .denied,
            speechRecognitionGrant: speechRecognition?.terms.map { Grant($0, fidelity: $0.fidelity) },
            microphoneGrant: microphone?.terms.map { Grant($0, fidelity: nil) }, muted: position.isMuted,
            problems: problems)
    }
}

extension AuthorizationReply.Grant {
    /// A provisional always is told as always, with its flag.
    fileprivate init(_ terms: Terms, fidelity: Fidelity?) {
        self.init(
            scope: terms.isProvisionalAlways ? .always : terms.scope, isProvisional: terms.isProvisionalAlways,
            fidelity: fidelity)
    }
}
