import Authorization
import Foundation
import TestSupport
import Testing

@Suite("Random sequences")
struct GateRandomSequenceTests {
    /// Operations of a run; the longer run is asked for by the environment.
    static var operations: Int {
        ProcessInfo.processInfo.environment["VOICEGATE_RANDOM_OPERATIONS"].flatMap { Int($0) } ?? 4_000
    }

    @Test("after any sequence the gate stands as the reference model does; no live lease without a yes; a policy wins")
    func matchesReference() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        // A failure names the seed, so that its sequence can be run again.
        var run = try await Run(seed: seed)
        for step in 0..<Self.operations {
            let operation = try await run.step()
            try await run.check("seed \(seed), step \(step), \(operation)")
        }
    }

    struct Run {
        let ledger = RecordingLedger()
        var gate: Gate
        var model = ReferenceModel()
        var leases: [Lease] = []
        var random: SeededGenerator
        let answers = AnswerBox()

        static let requesters = ["a.b", "c.d"].flatMap { client in
            [Int32(1), 2].flatMap { process in
                ["aa", "bb"].map { Samples.requester(client, process: process, sha256: $0) }
            }
        }

        init(seed: UInt64) async throws {
            random = SeededGenerator(seed: seed)
            gate = try await Gate(ledger: ledger, agent: answers.agent, configuration: .unhindered)
        }

        mutating func step() async throws -> String {
            guard let requester = Self.requesters.randomElement(using: &random),
                let resource = Resource.allCases.randomElement(using: &random)
            else { return "" }
            let key = requester.key(for: resource)
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1: return await request(resource, requester)
            case 2:
                try await gate.decide(
                    .authorized, for: key, program: AllowedProgram(requester.caller.executable), by: requester.caller)
                model.history.append(.yes(key, sha256: requester.caller.executable.sha256))
                return "allow"
            case 3:
                try await gate.decide(.denied, for: key, program: nil, by: requester.caller)
                model.history.append(.no(key))
                return "deny"
            case 4:
                try await gate.reset(key, by: requester.caller)
                model.history.append(.forgotten(key))
                return "reset"
            case 5:
                let rule =
                    Bool.random(using: &random)
                    ? [PolicyRule(resource: resource, client: requester.client.identifier, user: nil, reason: nil)] : []
                try await gate.apply(Policy(rules: rule), source: PolicyProvenance(files: [:], broken: [:]))
                model.restricted = rule.isEmpty ? [] : [key]
                endRestrictedOnce()
                return "policy"
            case 6, 7: return await take(resource, requester)
            default:
                if Int.random(in: 0..<20, using: &random) == 0 {
                    leases = []
                    gate = try await Gate(
                        ledger: ledger, agent: answers.agent,
                        policy: Policy(
                            rules: model.restricted.map {
                                PolicyRule(resource: $0.resource, client: $0.client, user: nil, reason: nil)
                            }), configuration: .unhindered)
                    model.history.append(.restarted)
                    return "restart"
                }
                guard let index = leases.indices.randomElement(using: &random) else { return "nothing" }
                let lease = leases.remove(at: index)
                await gate.finish(lease)
                model.history.append(.leaseEnded(lease.identifier))
                return "finish"
            }
        }

        private mutating func request(_ resource: Resource, _ requester: Requester) async -> String {
            let key = requester.key(for: resource)
            let before = model.status(resource, requester)
            answers.next = Answer.allCases.randomElement(using: &random)
            let outcome = await gate.request(resource, for: requester)
            if before == .notDetermined {
                switch answers.next {
                case .whileInUse: model.history.append(.yes(key, sha256: requester.caller.executable.sha256))
                case .deny: model.history.append(.no(key))
                case .once:
                    model.history.append(
                        .once(key, requester.caller.process, sha256: requester.caller.executable.sha256))
                case .always, .later, nil: break
                }
            }
            let expected =
                model.isInUseOnce(resource, requester) && before == .authorized
                ? .notDetermined : model.status(resource, requester)
            #expect(outcome.status == expected, "request answered \(String(describing: answers.next))")
            return "request"
        }

        private mutating func take(_ resource: Resource, _ requester: Requester) async -> String {
            let key = requester.key(for: resource)
            let isOnce = await gate.standing(of: resource, for: requester).terms?.scope == .once
            let mayStart = model.status(resource, requester) == .authorized && !model.isInUseOnce(resource, requester)
            do {
                let lease: Lease
                switch resource {
                case .microphone:
                    let grant = try await gate.microphoneGrant(for: requester)
                    lease = grant.lease
                case .speechRecognition:
                    let grant = try await gate.speechRecognitionGrant(for: requester)
                    lease = grant.lease
                }
                #expect(mayStart, "a grant without a yes")
                if isOnce {
                    model.history.append(
                        .onceBegun(
                            key, requester.caller.process, sha256: requester.caller.executable.sha256,
                            lease: lease.identifier))
                }
                leases.append(lease)
            } catch {
                #expect(!mayStart, "a yes without a grant: \(error)")
            }
            return "take"
        }

        /// A policy that ends a session ends the single use it stood on.
        private mutating func endRestrictedOnce() {
            for lease in leases where model.restricted.contains(lease.key) {
                model.history.append(.leaseEnded(lease.identifier))
            }
        }

        func check(_ place: String) async throws {
            for requester in Self.requesters {
                for resource in Resource.allCases {
                    let status = await gate.status(of: resource, for: requester)
                    #expect(
                        status == model.status(resource, requester),
                        "\(place): \(requester.client.identifier) \(resource)")
                }
            }
            for lease in leases where lease.isLive {
                #expect(!model.restricted.contains(lease.key), "\(place): a live lease under a policy")
                let settled = await gate.settledStatus(of: lease.key)
                #expect(settled != .denied && settled != .restricted, "\(place): a live lease after a no")
            }
        }
    }
}
