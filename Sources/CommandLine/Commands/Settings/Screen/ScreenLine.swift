/// A line of a screen with its style. Its text is never wider than the screen.
struct ScreenLine: Sendable, Hashable {
    enum Style: Sendable, Hashable {
        case plain, title, selected, strong, faint
    }

    var text: String
    var style = Style.plain
}
