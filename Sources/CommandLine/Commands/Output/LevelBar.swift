/// A level as a bar of fixed width.
enum LevelBar {
    static let cells = 10
    /// dBFS that an empty bar stands for; a quiet room.
    static let floor = -60.0

    /// - Parameter decibels: dBFS, 0 is full scale.
    static func text(_ decibels: Double) -> String {
        let share = min(max((decibels - floor) / -floor, 0), 1)
        let filled = Int((share * Double(cells)).rounded())
        return "[" + String(repeating: "#", count: filled) + String(repeating: " ", count: cells - filled) + "]"
    }
}
