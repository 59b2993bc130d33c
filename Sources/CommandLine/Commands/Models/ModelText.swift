import Authorization
import Foundation
import SocketAPI

/// A model as a person reads it.
enum ModelText {
    /// Its name, state and use, and below what it is and what is wrong with it.
    static func lines(_ model: ModelReply) -> [String] {
        var parts = [model.id ?? "–", state(model)]
        if model.isUsed { parts.append("in use") }
        if let language = model.language { parts.append(language) }
        if let licence = model.licence { parts.append(licence) }
        if let folder = model.folder { parts.append(folder) }
        let details = [model.name.map { name in name + (model.description.map { ". " + $0 } ?? "") }, model.source]
        return [parts.map(cleaned).joined(separator: "  ")]
            + (details.compactMap { $0 } + model.faults).map { "    " + cleaned($0) }
    }

    /// The whole path of a folder that the person named; names of models stay as they are.
    static func path(_ folder: String) -> String {
        guard folder.contains("/") || folder == "." || folder == ".." else { return folder }
        return URL(fileURLWithPath: folder).standardizedFileURL.path
    }

    private static func state(_ model: ModelReply) -> String {
        switch model.state {
        case .verified: "verified"
        case .damaged: "damaged, not used"
        case .unknown: "unknown, not used (voicegate models add)"
        case .absent: model.package.map { "not installed (apt-get install \($0))" } ?? "not installed"
        }
    }

    private static func cleaned(_ text: String) -> String { DisplayText.cleaned(text, limit: 1_000) }
}
