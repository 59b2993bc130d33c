import SocketAPI
import Speech
import SpeechModels

extension ModelLibrary {
    /// Whether recognisers may load the model.
    func checkForRecognizer(_ folder: String) throws(RecognitionError) {
        do throws(SpeechModelError) {
            try check(folder)
        } catch {
            throw RecognitionError(code: .modelUnavailable, message: error.message)
        }
    }

    /// The catalogue, those that were added, and the one that is used where it is neither.
    func replies(using used: String) throws(SpeechModelError) -> [ModelReply] {
        var replies: [ModelReply] = []
        for entry in catalogue.models {
            guard let folder = entry.folder else {
                replies.append(ModelReply(entry, folder: nil, state: .absent, isUsed: false))
                continue
            }
            replies.append(try reply(on: folder, using: used, entry: entry))
        }
        for model in added() { replies.append(try reply(on: try folder(of: model.id), using: used)) }
        if !replies.contains(where: \.isUsed) { replies.append(try reply(on: used, using: used)) }
        return replies
    }

    /// - Parameter entry: what the folder is meant to be, where it is there at all.
    func reply(
        on folder: String, using used: String, entry: CatalogueEntry? = nil
    ) throws(SpeechModelError) -> ModelReply {
        let state = try state(of: folder)
        let isUsed = folder == used
        if let entry = entry ?? state.id.flatMap(catalogue.entry) {
            return ModelReply(entry, folder: folder, state: state, isUsed: isUsed)
        }
        let origin = added().first { $0.id == state.id }?.origin
        return ModelReply(
            id: state.id, source: origin.map { "added from \($0)" }, folder: folder, state: ModelReply.State(state),
            faults: state.faults.map(\.description), isUsed: isUsed)
    }
}

extension ModelState {
    var id: String? {
        switch self {
        case .verified(let id), .damaged(let id, _): id
        case .unknown, .absent: nil
        }
    }

    var faults: [ModelFault] { if case .damaged(_, let faults) = self { faults } else { [] } }
}

extension ModelReply {
    init(_ entry: CatalogueEntry, folder: String?, state: ModelState, isUsed: Bool) {
        self.init(
            id: entry.id, language: entry.language, name: entry.name, description: entry.description,
            source: entry.source, package: entry.package, licence: entry.licence, folder: folder,
            state: State(state), faults: state.faults.map(\.description), isUsed: isUsed)
    }
}

extension ModelReply.State {
    init(_ state: ModelState) {
        self =
            switch state {
            case .verified: .verified
            case .damaged: .damaged
            case .unknown: .unknown
            case .absent: .absent
            }
    }
}
