/// Text on its way out of this program.
enum DeliveredText {
    /// Leaves out what would be a command to a terminal or a key press in a window. Engines of others and filters may
    /// write anything.
    static func cleaned(_ text: String) -> String {
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control: if scalar == "\n" || scalar == "\t" { cleaned.append(scalar) }
            // What turns the direction of the text beside it can make another text of it.
            case .format where scalar.properties.isBidiControl: break
            case .lineSeparator, .paragraphSeparator: cleaned.append("\n")
            default: cleaned.append(scalar)
            }
        }
        return String(cleaned)
    }
}
