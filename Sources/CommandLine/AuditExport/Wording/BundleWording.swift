/// The text of a bundle's README.
protocol BundleWording: Sendable {
    /// - Parameter whole: whether the bundle holds the whole log, and not a part with proofs.
    func readme(log: String, madeAt: String, whole: Bool) -> String
}
