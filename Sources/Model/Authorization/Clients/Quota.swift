/// How many of something bounded each user may have.
///
/// A user may take one more only while the user's own, times `part`, are fewer than those still free. So one user gets at most
/// one part in `part + 1` of all, and each further one the same part of what is left: something stays free, also when one
/// user has a dozen user identifiers (subuid(5)).
public struct Quota: Sendable, Hashable {
    public let total: Int
    /// Of one program of a user: a process or a client.
    public let ofProgram: Int
    public let part: Int
    /// The last ones of the total, which only root may take.
    public let keptForRoot: Int
    /// Whether one user may take all, because the service serves no other.
    public let servesOneUser: Bool

    public init(total: Int, ofProgram: Int, part: Int = 1, keptForRoot: Int = 0, servesOneUser: Bool = false) {
        self.total = total
        self.ofProgram = ofProgram
        self.part = part
        self.keptForRoot = keptForRoot
        self.servesOneUser = servesOneUser
    }

    /// - Parameters:
    ///   - own: how many the user has.
    ///   - ofProgram: how many of those the program has.
    ///   - taken: how many all users have.
    /// - Returns: why the user may not take one more; `nil`: the user may.
    public func refusal(of user: UInt32, having own: Int, ofProgram program: Int, taken: Int) -> QuotaRefusal? {
        if program >= ofProgram { return .ofProgram(program) }
        let free = total - taken - (user == 0 ? 0 : keptForRoot)
        if free <= 0 { return .ofAll(taken) }
        return servesOneUser || own * part < free ? nil : .ofUser(own)
    }
}

/// Who has as many as they may, and how many.
public enum QuotaRefusal: Error, Sendable, Hashable {
    case ofProgram(Int)
    case ofUser(Int)
    case ofAll(Int)
}

/// Counts what users and their programs have taken.
public struct QuotaCounts<Program: Hashable & Sendable>: Sendable {
    private struct Key: Hashable {
        let user: UInt32
        let program: Program
    }

    public let quota: Quota
    public private(set) var taken = 0
    private var ofUsers: [UInt32: Int] = [:]
    private var ofPrograms: [Key: Int] = [:]

    public init(_ quota: Quota) { self.quota = quota }

    /// Counts one more until `giveBack`.
    ///
    /// - Returns: why it is refused, and then not counted; `nil`: it is not.
    public mutating func take(_ program: Program, of user: UInt32) -> QuotaRefusal? {
        let key = Key(user: user, program: program)
        let (own, ofProgram) = (ofUsers[user, default: 0], ofPrograms[key, default: 0])
        if let refusal = quota.refusal(of: user, having: own, ofProgram: ofProgram, taken: taken) { return refusal }
        taken += 1
        ofUsers[user] = own + 1
        ofPrograms[key] = ofProgram + 1
        return nil
    }

    public mutating func giveBack(_ program: Program, of user: UInt32) {
        let key = Key(user: user, program: program)
        guard let own = ofUsers[user], let ofProgram = ofPrograms[key] else { return }
        taken -= 1
        ofUsers[user] = own > 1 ? own - 1 : nil
        ofPrograms[key] = ofProgram > 1 ? ofProgram - 1 : nil
    }
}
