import Authorization
import Foundation
import Hummingbird
import SocketAPI

/// What a route knows beside the request: who calls, and how JSON is written.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let connection: Connection?
    /// What the caller prefers of the languages that VoiceGate speaks (`Accept-Language`).
    var language: Language?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        connection = Connection.current
    }

    var requestDecoder: JSONDecoder { JSONCoding.decoder() }
    var responseEncoder: JSONEncoder { JSONCoding.encoder() }
}
