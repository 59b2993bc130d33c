import CNcurses
import Glibc

/// The terminal in full-screen mode, restored by `deinit`. For one thread, and one screen at a time.
struct CursesScreen: ~Copyable {
    private let window: UnsafeMutablePointer<WINDOW>
    /// `false` with `NO_COLOR`; the selected line has a mark too.
    private let isStyled: Bool

    /// - Returns: `nil` if terminfo does not know the terminal.
    init?(environment: [String: String]) {
        // Keys that were typed before it is shown.
        tcflush(STDIN_FILENO, TCIFLUSH)
        guard let window = vg_curses_begin() else { return nil }
        self.window = window
        isStyled = environment["NO_COLOR"]?.isEmpty ?? true
    }

    deinit { endwin() }

    var rows: Int { Int(getmaxy(window)) }
    var columns: Int { Int(getmaxx(window)) }

    func draw(_ lines: [ScreenLine]) {
        werase(window)
        for (row, line) in lines.enumerated() {
            vg_curses_write(window, Int32(row), 0, line.text, isStyled ? Self.style(line.style) : 0)
        }
        wrefresh(window)
    }

    /// The next typed key, or `nil`; does not wait.
    func key() -> ScreenKey? {
        while true {
            let number = vg_curses_key(window)
            if number < 0 { return nil }
            if let key = Self.key(number) { return key }
        }
    }

    /// Restores the terminal until `resume()`.
    func suspend() { endwin() }

    func resume() {
        resize()
        vg_curses_resume(window)
    }

    /// Adopts the terminal's present size.
    func resize() {
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 {
            vg_curses_resize(Int32(size.ws_row), Int32(size.ws_col))
        }
    }

    private static func style(_ style: ScreenLine.Style) -> UInt32 {
        switch style {
        case .plain: 0
        case .title: VG_CURSES_REVERSE | VG_CURSES_BOLD
        case .selected: VG_CURSES_REVERSE
        case .strong: VG_CURSES_BOLD
        case .faint: VG_CURSES_DIM
        }
    }

    private static func key(_ number: Int32) -> ScreenKey? {
        switch number - VG_CURSES_KEYS {
        case KEY_UP: return .up
        case KEY_DOWN: return .down
        case KEY_PPAGE: return .pageUp
        case KEY_NPAGE: return .pageDown
        case KEY_HOME: return .first
        case KEY_END: return .last
        case KEY_RIGHT, KEY_ENTER: return .enter
        case KEY_LEFT, KEY_BACKSPACE: return .back
        default: break
        }
        switch number {
        case 10, 13: return .enter
        case 27, 8, 127: return .back
        default: return Unicode.Scalar(UInt32(number)).map { .character(Character($0)) }
        }
    }
}

enum ScreenKey: Sendable, Hashable {
    case up, down, pageUp, pageDown, first, last
    case enter
    /// Esc, the left arrow and backspace.
    case back
    case character(Character)

    var isMovement: Bool {
        switch self {
        case .up, .down, .pageUp, .pageDown, .first, .last, .character("j"), .character("k"): true
        case .enter, .back, .character: false
        }
    }
}

/// A line of a screen with its style; never wider than the screen.
struct ScreenLine: Sendable, Hashable {
    enum Style: Sendable, Hashable {
        case plain, title, selected, strong, faint
    }

    var text: String
    var style = Style.plain
}
