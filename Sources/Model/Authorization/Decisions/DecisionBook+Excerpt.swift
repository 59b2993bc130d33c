extension DecisionBook {
    /// What it says about one key; the rest is left out.
    func excerpt(about key: DecisionKey) -> DecisionBook {
        var excerpt = DecisionBook(
            policy: policy, isMuted: isMuted, decisions: decisions[key].map { [$0] } ?? [], expiry: expiry,
            engine: engine)
        excerpt.onceAnswers = onceAnswers.excerpt(about: key)
        return excerpt
    }
}
