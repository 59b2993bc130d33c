/// A key as a screen understands it.
enum ScreenKey: Sendable, Hashable {
    case up, down, pageUp, pageDown, first, last
    case enter
    /// Esc, the left arrow and backspace.
    case back
    case character(Character)
}
