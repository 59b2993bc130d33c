import Authorization

extension PromptOffer {
    public init(_ prompt: Prompt) {
        self.init(
            cookie: prompt.cookie, client: prompt.requester.client.identifier.rawValue, resource: prompt.resource,
            language: prompt.notice.language.rawValue, title: prompt.notice.title,
            usageDescription: prompt.notice.usageDescription,
            items: prompt.items.map { Item(name: $0.name, text: $0.text) }, answers: prompt.answers,
            offersFidelity: prompt.offersFidelity)
    }
}
