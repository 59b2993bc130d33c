import Authorization
import Engines
import Speech
import WyomingEngine

/// The engines that recognise sound files here: the one outside of the service, if there is one, and the service's own.
package struct FileEngines: Sendable {
    private let own: @Sendable () -> [ServedEngine]
    private let outside: OutsideEngine?

    /// - Parameter own: the service's, in the order of preference.
    package init(own: @escaping @Sendable () -> [ServedEngine], outside: OutsideEngine?) {
        (self.own, self.outside) = (own, outside)
    }

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
        return ((first.map { [$0] } ?? []) + own()).filter { engine in
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
