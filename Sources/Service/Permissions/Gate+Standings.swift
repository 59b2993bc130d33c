import Authorization

extension Gate {
    /// How the requester stands with both resources, told in one visit: a change comes before both or after both.
    func standings(for requester: Requester) -> (speechRecognition: Standing, microphone: Standing) {
        (standing(of: .speechRecognition, for: requester), standing(of: .microphone, for: requester))
    }
}
