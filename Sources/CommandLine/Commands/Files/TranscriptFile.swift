import Foundation
import SocketAPI

/// An output file that is written utterance by utterance, and a small one beside it that says how far: so that another run
/// can go on where this one was interrupted, however it was.
///
/// The place is told only when what it tells of is written, so that what stands behind it can be cut off and written again.
final class TranscriptFile {
    private static let longestPlace = 4 << 20

    private let path: String
    private let descriptor: CInt
    private(set) var place: ResumePlace

    static func placePath(of path: String) -> String { path + ".resume" }

    /// - Parameter resumes: whether to go on with what was interrupted.
    /// - Returns: `nil` when it is complete already.
    /// - Throws: `CommandError`
    static func open(
        _ path: String, files: [String], format: TranscriptFormat, resumes: Bool
    ) throws(CommandError) -> TranscriptFile? {
        let fresh = ResumePlace(files: files, format: format)
        let isThere = access(path, F_OK) == 0
        guard access(placePath(of: path), F_OK) == 0 else {
            if isThere, resumes { return nil }
            guard !isThere else {
                throw CommandError(.cannotWrite, .cannotWrite, "\(path) is there already; choose another name.")
            }
            return try TranscriptFile(path, fresh)
        }
        guard resumes else {
            throw CommandError(
                .cannotWrite, .cannotWrite,
                "\(path) was begun and not completed. Add --resume to go on with it, or remove it and "
                    + "\(placePath(of: path)).")
        }
        let kept = try readPlace(of: path)
        guard kept.isOfSame(fresh) else {
            throw CommandError(
                .noInput, .usage,
                "\(path) was begun with other sound files, or in another format, or they have changed since. Remove it "
                    + "and \(placePath(of: path)) to begin again.")
        }
        return try TranscriptFile(path, kept)
    }

    private init(_ path: String, _ place: ResumePlace) throws(CommandError) {
        self.path = path
        self.place = place
        // The place first: an output without one is complete.
        try Self.write(place, beside: path)
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw Self.failure(path) }
        guard status.st_size >= place.bytes else {
            throw CommandError(
                .cannotWrite, .cannotWrite,
                "\(path) is shorter than it was. Remove it and \(Self.placePath(of: path)) to begin again.")
        }
        guard ftruncate(descriptor, off_t(place.bytes)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw Self.failure(path)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The lines of the input that is worked on, as far as they are written.
    func writtenLines() throws(CommandError) -> [String] {
        let count = Int(place.bytes - place.inputStart)
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let start = done
            let result = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor, $0.baseAddress.map { $0 + start }, count - start, off_t(place.inputStart) + off_t(start)
                )
            }
            guard result > 0 else { throw Self.failure(path) }
            done += result
        }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes lines, and then how far it is.
    func write(_ lines: [String], _ advance: (inout ResumePlace) -> Void) throws {
        let text = lines.map { $0 + "\n" }.joined()
        if !text.isEmpty {
            try Descriptor(rawValue: descriptor).write(text)
            // A place must not outlive a power cut that what it tells of does not.
            fdatasync(descriptor)
        }
        place.bytes += Int64(text.utf8.count)
        advance(&place)
        try Self.write(place, beside: path)
    }

    /// It is complete.
    func complete() { unlink(Self.placePath(of: path)) }

    private static func readPlace(of path: String) throws(CommandError) -> ResumePlace {
        guard let file = FileHandle(forReadingAtPath: placePath(of: path)),
            let data = try? file.read(upToCount: longestPlace),
            let place = try? JSONCoding.decoder().decode(ResumePlace.self, from: data),
            place.bytes >= place.inputStart, place.inputStart >= 0, place.from.isFinite, place.input >= 0
        else {
            throw CommandError(
                .noInput, .noInput,
                "\(placePath(of: path)) cannot be read. Remove it and \(path) to begin again.")
        }
        return place
    }

    private static func write(_ place: ResumePlace, beside path: String) throws(CommandError) {
        let name = placePath(of: path)
        do {
            // Into a new file that takes the old one's name: there is always a whole one.
            try JSONCoding.encoder().encode(place).write(to: URL(fileURLWithPath: name), options: .atomic)
        } catch {
            throw CommandError(.cannotWrite, .cannotWrite, "\(name) cannot be written: \(error.localizedDescription)")
        }
    }

    private static func failure(_ path: String) -> CommandError {
        CommandError(.cannotWrite, .cannotWrite, "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}

/// How far an output is written, kept beside it until it is complete.
struct ResumePlace: Codable, Hashable {
    /// A sound file as it was when the output was begun; of standard input only the name.
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
    /// The input that is worked on, the first is 0.
    var input = 0
    /// Whether what stands before its first utterance is written.
    var hasBegun = false
    /// Seconds of it whose utterances are written.
    var from = 0.0
    /// Captions that are written.
    var captions = 0
    /// Bytes of the output that are right; what stands behind them may be half of something.
    var bytes: Int64 = 0
    /// Where in the output the input that is worked on begins.
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
