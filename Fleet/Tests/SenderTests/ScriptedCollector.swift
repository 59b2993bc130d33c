import Consent
import Cryptography
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A collector in memory that verifies as the real one does, and can be told to misbehave.
actor CollectorLog {
    struct Answer: Sendable {
        enum Course: Sendable {
            case whole
            /// Nothing of it is sent, its head neither.
            case withheld
            /// After its body nothing follows, its end neither.
            case unfinished
            /// After its body bytes follow as fast as they are taken.
            case flood
            /// After its body a byte follows after each pause.
            case drip(TimeAmount)
        }

        let status: HTTPResponseStatus
        var headers: HTTPHeaders = [:]
        var body = ""
        var course = Course.whole
    }

    static let token = "secret-token"

    /// Answers instead of its own, for the next requests to a path.
    private var scripted: [String: [Answer]] = [:]
    /// Answers instead of its own, by turns, until it is honest again.
    private var lies: [String: [Answer]] = [:]
    private(set) var requests: [String] = []
    private(set) var largestUpload = 0
    private var keys: [NoteVerifier] = []
    private var heads: [UInt64: TreeHead] = [0: TreeHead(size: 0, root: .empty)]
    private(set) var pending: UInt64 = 0
    private(set) var tree = Frontier()
    private(set) var entries: [Data] = []
    private(set) var disclosures: [Data?] = []
    private(set) var reports: [[String: String]] = []
    private var counter: Int64 = 41
    /// Packages of an upload that are stored; the rest of it is lost on the way.
    var mostPackages = Int.max

    func script(_ path: String, _ answers: Answer...) { scripted[path, default: []] += answers }
    func lie(_ path: String, _ answers: [Answer]) { lies[path] = answers }
    func beHonest() { lies = [:] }
    func limit(to packages: Int) { mostPackages = packages }
    func trust(_ key: NoteVerifier) { keys = [key] }
    var isScriptDone: Bool { scripted.values.allSatisfy(\.isEmpty) }

    func answer(_ path: String, token: String?, _ body: Data) -> Answer {
        requests.append(path)
        if let answer = scripted[path]?.first {
            scripted[path]?.removeFirst()
            return answer
        }
        if let answer = lies[path]?.removeFirst() {
            lies[path]?.append(answer)
            return answer
        }
        if path == "/enroll" { return enroll(body) }
        guard token == "Bearer \(Self.token)" else { return Answer(status: .unauthorized) }
        switch path {
        case "/add-checkpoint": return addCheckpoint(body)
        case "/add-records": return addRecords(body)
        case "/report": return report(body)
        default: return Answer(status: .notFound)
        }
    }

    private func enroll(_ body: Data) -> Answer {
        guard let fields = try? JSONDecoder().decode([String: String].self, from: body), fields["token"] == "one-time",
            let key = fields["key"].flatMap(NoteVerifier.init(text:)),
            let note = fields["report"].flatMap({ SignedNote(Data($0.utf8)) }),
            LogReport(text: note.text) != nil, !note.signers(among: [key]).isEmpty
        else { return Answer(status: .forbidden, body: "token unknown\n") }
        keys = [key]
        return Answer(
            status: .created, body: #"{"host":7,"token":"\#(Self.token)","interval":1}"#)
    }

    private func addCheckpoint(_ body: Data) -> Answer {
        guard let request = WitnessRequest(body) else { return Answer(status: .badRequest) }
        guard let checkpoint = Checkpoint(request.note, signedBy: keys) else { return Answer(status: .forbidden) }
        guard request.proof.from == pending, let last = heads[pending] else {
            return Answer(status: .conflict, headers: ["content-type": "text/x.tlog.size"], body: "\(pending)\n")
        }
        guard request.proof.proves(last, isBeginningOf: checkpoint.head) else {
            return Answer(status: .unprocessableEntity)
        }
        pending = checkpoint.size
        heads[pending] = checkpoint.head
        return Answer(status: .ok)
    }

    private func addRecords(_ body: Data) -> Answer {
        largestUpload = max(largestUpload, body.count)
        var decoder = UploadDecoder(.records)
        guard let elements = try? decoder.read(body), case .head(let head)? = elements.first else {
            return Answer(status: .badRequest)
        }
        guard let end = heads[head.range.upperBound], head.range.lowerBound <= tree.size else {
            return Answer(
                status: .conflict, headers: ["content-type": "text/x.tlog.mirror-info"],
                body: "\(pending)\n\(tree.size)\n\(Data("t".utf8).base64EncodedString())\n")
        }
        for case .package(let package) in elements.dropFirst().prefix(mostPackages) {
            guard package.range.lowerBound == tree.size, package.isProven(after: tree.sinceAlignment, in: end),
                zip(package.entries, package.disclosures).allSatisfy({
                    (try? ConsentRecord(leaf: $0, disclosure: $1)) != nil
                })
            else { return Answer(status: .unprocessableEntity) }
            for hash in package.leafHashes { tree.append(hash) }
            entries += package.entries
            disclosures += package.disclosures
            learnKeys(package)
        }
        guard tree.size >= end.size else {
            return Answer(status: .accepted, body: "\(end.size)\n\(tree.size)\n\n")
        }
        return Answer(status: .ok)
    }

    /// A key that the log names is known from then on.
    private func learnKeys(_ package: EntryPackage) {
        for (entry, disclosure) in zip(package.entries, package.disclosures) {
            guard let record = try? ConsentRecord(leaf: entry, disclosure: disclosure), record.kind == .keyRotated,
                let key = record.fields["key"]?.string.flatMap(NoteVerifier.init(text:))
            else { continue }
            keys.append(key)
        }
    }

    private func report(_ body: Data) -> Answer {
        struct Body: Decodable {
            let report: String
        }
        guard let body = try? JSONDecoder().decode(Body.self, from: body),
            let note = SignedNote(Data(body.report.utf8)), let report = LogReport(text: note.text)
        else { return Answer(status: .badRequest) }
        guard !note.signers(among: keys).isEmpty else { return Answer(status: .forbidden) }
        guard report.counter > counter else {
            return Answer(status: .conflict, body: #"{"counter":\#(counter)}"#)
        }
        counter = report.counter
        let size = report.checkpoint.size
        reports.append(["size": "\(size)", "time": report.time.text, "rolledBack": "\(size < pending)"])
        return Answer(status: .ok, body: #"{"interval":1}"#)
    }
}

/// The collector as an HTTP server on the loopback.
final class ScriptedCollector: Sendable {
    let log = CollectorLog()
    let floods = Floods()
    private let channel: any Channel
    private let scheme: String

    var url: String { "\(scheme)://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// - Parameter tls: its certificate and key; `nil`: plain text.
    init(tls: TLSConfiguration? = nil) async throws {
        scheme = tls == nil ? "http" : "https"
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { [log, floods] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(CollectorHandler(log, floods))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
    }

    func stop() async throws { try await channel.close() }

    /// Returns when it has this many records.
    func caughtUp(_ size: UInt64) async throws { try await until { await log.tree.size >= size } }
}

/// Answers without an end.
final class Floods: Sendable {
    /// Bytes that were taken, by the client or on the way to it.
    let taken = Atomic(0)
}

private final class CollectorHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: CollectorLog
    private let floods: Floods
    private var head: HTTPRequestHead?
    private var body = Data()

    init(_ log: CollectorLog, _ floods: Floods) { (self.log, self.floods) = (log, floods) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, Data())
        case .body(let bytes): body.append(contentsOf: bytes.readableBytesView)
        case .end:
            guard let head else { return }
            let (loop, channel) = (context.eventLoop, context.channel)
            let answer = loop.makeFutureWithTask { [log, body] in
                await log.answer(head.uri, token: head.headers.first(name: "authorization"), body)
            }
            answer.whenSuccess { [floods] in Self.send($0, to: channel, floods) }
        }
    }

    private static func send(_ answer: CollectorLog.Answer, to channel: any Channel, _ floods: Floods) {
        if case .withheld = answer.course { return }
        var headers = answer.headers
        if case .whole = answer.course { headers.add(name: "content-length", value: "\(answer.body.utf8.count)") }
        channel.write(
            HTTPServerResponsePart.head(
                HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)), promise: nil)
        channel.writeAndFlush(
            HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: answer.body))), promise: nil)
        switch answer.course {
        case .whole: channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        case .withheld, .unfinished: break
        case .flood: pour(ByteBuffer(repeating: UInt8(ascii: "0"), count: 1 << 16), after: .zero, into: channel, floods)
        case .drip(let pause): pour(ByteBuffer(string: "0"), after: pause, into: channel, floods)
        }
    }

    /// Until the client closes the connection.
    private static func pour(_ bytes: ByteBuffer, after pause: TimeAmount, into channel: any Channel, _ floods: Floods)
    {
        channel.eventLoop.scheduleTask(in: pause) {
            channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(bytes))).whenSuccess {
                floods.taken.add(bytes.readableBytes, ordering: .relaxed)
                pour(bytes, after: pause, into: channel, floods)
            }
        }
    }
}
