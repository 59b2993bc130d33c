import Hummingbird
import LinuxSystem
import Server
import SocketAPI

/// `DELETE /v1/users/{user}`: erases what the machine's own service has of a user, by root. Also a program of root's may run the
/// command, as userdel(8) does.
struct UserRoutes {
    let register: UserRegister?

    func add(to routes: Routes) {
        routes.on(.delete, "users/:user", for: .commandLine("Only root can do this: voicegate forget --user USER")) {
            try await forget($0)
        }
    }

    private func forget(_ call: Call) async throws -> Response {
        guard let register else {
            throw RouteError(
                .notAllowed,
                "This service has one user. To erase what it has: voicegate reset --all, then voicegate audit erase")
        }
        guard call.user == 0 else {
            throw RouteError(
                .notAllowed,
                "Only root can forget a user. For what is recorded about you: voicegate audit erase --until now")
        }
        let user = try call.parameter("user")
        var number = UInt32(user)
        if number == nil { number = await register.number(of: user) }
        guard let number else {
            throw RouteError(
                .notFound, "The service has nothing of a user with this name. Give the number that the user had.")
        }
        try await register.forgetNow(number)
        return Response(status: .noContent)
    }
}
