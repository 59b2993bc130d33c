import SocketAPI

/// An error that a route finds by itself, as opposed to one of the rooms behind it.
struct RouteError: Error, CustomStringConvertible {
    let code: ErrorCode
    let message: String
    /// The form's field that is meant, where there is a form.
    let field: String?

    var description: String { message }

    init(_ code: ErrorCode, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }
}

extension RouteError {
    /// What gives more is decided by somebody who is there: a program could run the command line detached.
    static let onlyInForeground = RouteError(
        .notAllowed, "What allows more is decided in the foreground of a terminal or of the desktop. Run it there.")

    /// What is gone is gone for good.
    static let erasedOnlyInForeground = RouteError(
        .notAllowed, "Records are erased in the foreground of a terminal or of the desktop. Run it there.")
}
