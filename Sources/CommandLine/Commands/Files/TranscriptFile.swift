import Foundation
import LinuxSystem
import SocketAPI

/// An output file that is written utterance by utterance, so that another run can continue after any interruption: a file
/// beside it has the position, written after the text that it covers. Text behind it is cut off and written again.
final class TranscriptFile {
    private static let longestPlace = 4 << 20

    private let path: String
    private let descriptor: CInt
    private(set) var place: ResumePlace

    static func placePath(of path: String) -> String {
        CompanionFile.path(beside: path, suffix: ".resume", reserving: draft.utf8.count)
    }

    /// Added to the place's name while it is written.
    private static let draft = ".new"

    /// - Parameter resumes: whether to continue an interrupted output.
    /// - Returns: `nil` if the output is complete.
    static func open(
        _ path: String, files: [String], format: TranscriptFormat, resumes: Bool
    ) throws(CommandError) -> TranscriptFile? {
        let fresh = ResumePlace(files: files, format: format)
        let isThere = access(path, F_OK) == 0
        guard access(placePath(of: path), F_OK) == 0 else {
            if isThere, resumes { return nil }
            try require(!isThere, .cannotWrite, "\(path) exists already. Choose another name.")
            return try TranscriptFile(path, fresh)
        }
        try require(
            resumes, .cannotWrite,
            "\(path) is incomplete. To continue, add --resume; to start again, remove it and \(placePath(of: path)).")
        let kept = try readPlace(of: path)
        try require(
            kept.isOfSame(fresh), .noInput, status: .usage,
            "\(path) was started with other or changed sound files, or in another format. To start again, remove it "
                + "and \(placePath(of: path)).")
        return try TranscriptFile(path, kept)
    }

    private init(_ path: String, _ place: ResumePlace) throws(CommandError) {
        self.path = path
        self.place = place
        // The position first: an output without one is complete.
        try Self.write(place, beside: path)
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let reason = systemMessage()
            // Without an output there is no position in it.
            if access(path, F_OK) != 0 { unlink(Self.placePath(of: path)) }
            throw CommandError.cannotWrite(path, reason)
        }
        try require(
            status.st_size >= place.bytes, .cannotWrite,
            "\(path) is shorter than before. To start again, remove it and \(Self.placePath(of: path)).")
        guard ftruncate(descriptor, off_t(place.bytes)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw CommandError.cannotWrite(path, systemMessage())
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The written lines of the present input.
    func writtenLines() throws(CommandError) -> [String] {
        let count = Int(place.bytes - place.inputStart)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        // Afterwards the descriptor is at the end of the text again.
        guard (try? file.seek(toOffset: UInt64(place.inputStart))) != nil,
            let bytes = try? file.read(upToCount: count) ?? Data(), bytes.count == count
        else { throw CommandError.cannotWrite(path, systemMessage()) }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes lines, and then the position.
    func write(_ lines: [String], _ advance: (inout ResumePlace) -> Void) throws {
        let text = lines.map { $0 + "\n" }.joined()
        if !text.isEmpty {
            try Descriptor(rawValue: descriptor).write(text)
            // After a power cut the position must not be ahead of the text.
            fdatasync(descriptor)
        }
        place.bytes += Int64(text.utf8.count)
        advance(&place)
        try Self.write(place, beside: path)
    }

    func complete() { unlink(Self.placePath(of: path)) }

    /// Leaves no output.
    func discard() {
        unlink(path)
        unlink(Self.placePath(of: path))
    }

    private static func readPlace(of path: String) throws(CommandError) -> ResumePlace {
        guard let file = FileHandle(forReadingAtPath: placePath(of: path)),
            let data = try? file.read(upToCount: longestPlace),
            let place = try? JSONCoding.decoder().decode(ResumePlace.self, from: data),
            place.bytes >= place.inputStart, place.inputStart >= 0, place.from.isFinite, place.input >= 0
        else {
            throw CommandError(
                .noInput, "\(placePath(of: path)) cannot be read. To start again, remove it and \(path).")
        }
        return place
    }

    private static func write(_ place: ResumePlace, beside path: String) throws(CommandError) {
        let name = placePath(of: path)
        do {
            // Replaced atomically: there is always a complete one. It names what was transcribed: for its owner alone.
            let draft = name + Self.draft
            unlink(draft)
            let contents = try JSONCoding.encoder().encode(place)
            let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            guard FileManager.default.createFile(atPath: draft, contents: contents, attributes: mode),
                rename(draft, name) == 0
            else { throw CommandError.cannotWrite(name, systemMessage()) }
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError.cannotWrite(name, error.localizedDescription)
        }
    }
}

/// The position of an incomplete output, kept beside it.
struct ResumePlace: Codable, Hashable {
    /// A sound file when the output was started; of standard input only the name.
    struct Input: Codable, Hashable {
        let path: String
        var size: Int64?
        var modified: Double?

        init(path: String) {
            self.path = path
            var status = stat()
            guard path != "-", stat(path, &status) == 0 else { return }
            size = Int64(status.st_size)
            modified = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
        }
    }

    let inputs: [Input]
    let format: String
    /// Index of the present input.
    var input = 0
    /// Whether the head is written.
    var hasBegun = false
    /// Seconds of the input whose utterances are written.
    var from = 0.0
    var captions = 0
    /// Valid bytes of the output; the rest may be incomplete.
    var bytes: Int64 = 0
    /// The output's byte where the present input begins.
    var inputStart: Int64 = 0

    init(files: [String], format: TranscriptFormat) {
        inputs = files.map { Input(path: $0) }
        self.format = format.rawValue
    }

    func isOfSame(_ other: ResumePlace) -> Bool { inputs == other.inputs && format == other.format }

    mutating func nextInput() {
        input += 1
        (hasBegun, from) = (false, 0)
        inputStart = bytes
    }
}
