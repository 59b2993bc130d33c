import Hummingbird
import SocketAPI

/// `GET /v1/models`: what OpenAI's clients can ask for. `/v1/speech-models` says more, to VoiceGate's own command.
struct OpenAIModelRoutes {
    let clients: ClientResolver
    let model: ServedModel

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("models") { _, context in
            try await answer(context) { OpenAIModelList([model.description]) }
        }
        group.get("models/:model") { _, context in
            try await answer(context) {
                let name = try context.parameters.require("model")
                guard model.isCalled(name) else {
                    throw RouteError(
                        .notFound, "There is no model “\(name.prefix(80))” here, only \(model.description.id).",
                        field: "model")
                }
                return model.description
            }
        }
    }

    private func answer(
        _ context: ServiceContext, _ make: () throws -> some Encodable
    ) async throws -> Response {
        do {
            _ = try await clients.requester(of: context)
            return try Response(json: make())
        } catch {
            return try OpenAIErrors.response(to: error, context.logger)
        }
    }
}
