import Authorization
import Foundation

extension Moment {
    /// A moment of whoever has only the wall's clock: a jump ahead cannot be told from time that passed.
    public init(wallAlone date: Date) {
        let wall = Timestamp(date).milliseconds
        self.init(boot: "", sinceBoot: wall, wall: wall)
    }
}
