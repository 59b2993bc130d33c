import Foundation

/// Arguments of the form `NAME=VALUE`, and bare words.
struct Options {
    private let values: [String: String]
    let words: [String]

    init(_ arguments: some Sequence<String>) {
        var values: [String: String] = [:]
        var words: [String] = []
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] } else { words.append(argument) }
        }
        self.values = values
        self.words = words
    }

    subscript(_ name: String) -> String? { values[name] }

    func number(_ name: String) -> Int? {
        values[name].map { text in
            guard let number = Int(text) else { exit(64) }
            return number
        }
    }
}
