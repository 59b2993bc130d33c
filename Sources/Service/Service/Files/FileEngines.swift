import Authorization
import Speech
import WyomingEngine

/// An engine that recognises sound files, as `GET /v1/models` and Wyoming's `info` describe it.
struct ServedEngine: Sendable {
    /// What the user has installed under its own name.
    struct Source: Sendable {
        /// Of a model, or of an installed engine.
        let id: String
        /// As the catalogue describes it.
        let description: String
        /// Its package; `nil`: a file of this machine.
        let package: String?
        /// `nil`: elsewhere.
        let folder: String?
        /// Where it is from.
        let url: String
    }

    let source: Source
    let identity: SpeechEngine
    /// BCP 47; `nil`: not declared.
    let languages: [String]?
}

/// The engines that recognise sound files here: the one outside of the service, if there is one, and the service's own.
struct FileEngines: Sendable {
    let router: EngineRouter
    let outside: OutsideEngine?

    /// Those that a request reaches: first that of a request which names no language, then each that has a language which
    /// none before it has.
    var all: [ServedEngine] {
        let first = outside.map {
            ServedEngine(
                source: ServedEngine.Source(
                    id: "wyoming", description: "An engine outside of VoiceGate", package: nil, folder: nil,
                    url: $0.address.location), identity: $0.identity, languages: $0.languages)
        }
        var known: Set<String> = []
        var knowsAll = false
        return ((first.map { [$0] } ?? []) + router.enginesOfFiles).filter { engine in
            guard !knowsAll else { return false }
            guard let codes = engine.codes else {
                knowsAll = true
                return true
            }
            defer { known.formUnion(codes) }
            return !known.isSuperset(of: codes)
        }
    }

    /// The codes of the languages that can be recognised, and of those of the engine that serves a request which names none;
    /// `nil`: any.
    var languages: (all: [String]?, usual: [String]?) {
        let lists = all.map(\.codes)
        let known = lists.compactMap { $0 }
        return (known.count < lists.count ? nil : Set(known.joined()).sorted(), lists.first ?? nil)
    }

    /// The languages of each engine, for messages.
    var installedLanguages: String {
        all.map { engine in
            let languages = engine.languages?.joined(separator: ", ") ?? "any language"
            return "\(languages) (\(engine.identity.title ?? engine.source.id))"
        }.joined(separator: "; ")
    }
}

extension ServedEngine {
    fileprivate var codes: [String]? { languages?.compactMap { SpokenLanguage(tag: $0)?.code } }
}
