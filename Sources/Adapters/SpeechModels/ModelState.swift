/// Whether a model may be loaded.
public enum ModelState: Sendable, Hashable {
    /// Each file is as the catalogue says, or as it was when the person added it.
    case verified(id: String)
    /// Some file is not.
    case damaged(id: String, [ModelFault])
    /// No catalogue knows it, and nobody added it.
    case unknown
    /// There is no such folder, or nothing in it.
    case absent
}
