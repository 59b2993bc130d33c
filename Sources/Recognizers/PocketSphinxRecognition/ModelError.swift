/// Why a model cannot be used.
struct ModelError: Error, Hashable, CustomStringConvertible {
    enum Code: String, Hashable, CaseIterable {
        /// A part of it is not there or is empty.
        case missing
        /// A file of it is not what it must be.
        case damaged
        /// The library refused it.
        case refused
    }

    let code: Code
    /// A sentence: what happened and what to do next.
    let message: String

    var description: String { message }
}
