import Authorization

/// What a person will read, for programs.
struct ManifestPreview: Encodable {
    struct Item: Encodable {
        let name: String
        let text: String
    }

    struct Prompt: Encodable {
        let resource: Resource
        let title: String
        let usageDescription: String
        let items: [Item]
    }

    let client: String
    let name: String
    let language: Language
    let notices: [Prompt]

    init(_ manifest: Manifest, _ notices: [(Resource, Notice)], _ language: Language) {
        client = manifest.identifier.rawValue
        name = manifest.localized(in: language).name
        self.language = language
        self.notices = notices.map { resource, notice in
            Prompt(
                resource: resource, title: notice.title, usageDescription: notice.usageDescription,
                items: notice.items.map { Item(name: $0.name, text: $0.text) })
        }
    }
}
