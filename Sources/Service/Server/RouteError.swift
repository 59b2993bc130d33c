import SocketAPI

/// An error that a route finds by itself, as opposed to one of the rooms behind it.
struct RouteError: Error {
    let code: ErrorCode
    let message: String

    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
