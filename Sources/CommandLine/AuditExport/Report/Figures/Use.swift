/// How often and how long something was listened to.
struct Use: Sendable, Hashable {
    var times = 0
    var milliseconds: Int64 = 0

    static func += (left: inout Use, right: Use) {
        left.times += right.times
        left.milliseconds += right.milliseconds
    }
}
