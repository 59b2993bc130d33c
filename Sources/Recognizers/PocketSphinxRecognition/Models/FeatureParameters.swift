/// An acoustic model's `feat.params`: options of the library, one after the other. It believes them over everything else,
/// and ends the process on some values.
struct FeatureParameters {
    private static let words: [String: Set<String>] = [
        "-cmn": ["none", "batch", "current", "prior", "live"], "-agc": ["none", "max", "emax", "noise"],
        "-transform": ["legacy", "dct", "htk"], "-model": ["ptm", "semi", "cont"],
        "-warp_type": ["inverse_linear", "affine", "piecewise_linear"], "-input_endian": ["little", "big"],
    ]
    private static let switches: Set<String> = [
        "-varnorm", "-dither", "-doublebw", "-remove_dc", "-remove_noise", "-remove_silence", "-round_filters",
        "-unit_area", "-smoothspec", "-logspec", "-verbose",
    ]
    private static let numbers: [String: ClosedRange<Double>] = [
        "-lowerf": 0...48_000, "-upperf": 1...48_000, "-nfilt": 1...256, "-lifter": 0...512, "-ncep": 1...64,
        "-samprate": 4_000...96_000, "-wlen": 0.005...0.1, "-frate": 50...200, "-nfft": 0...8_192, "-alpha": 0...1,
        "-vad_threshold": 0...10, "-ldadim": 0...512, "-seed": -2_147_483_648...2_147_483_647,
        "-vad_postspeech": 0...500, "-vad_prespeech": 0...500, "-vad_startspeech": 0...500,
    ]
    private static let texts: Set<String> = ["-feat", "-svspec", "-cmninit", "-warp_params"]
    private static let longestText = 400

    private let fields: [Substring]

    init(_ text: String) { fields = text.split(whereSeparator: \.isWhitespace) }

    /// - Throws: what `failure` makes of the reason.
    func check(_ failure: (String) -> ModelError) throws(ModelError) {
        guard fields.count.isMultiple(of: 2), fields.count <= 200 else { throw failure("it is cut off") }
        for index in stride(from: 0, to: fields.count, by: 2) {
            let (key, value) = (String(fields[index]), String(fields[index + 1]))
            if let words = Self.words[key] {
                guard words.contains(value) else { throw failure("\(key) cannot be “\(value.prefix(40))”") }
            } else if Self.switches.contains(key) {
                guard ["yes", "no"].contains(value) else { throw failure("\(key) is yes or no") }
            } else if let range = Self.numbers[key] {
                guard let number = Double(value), range.contains(number) else {
                    throw failure("\(key) cannot be “\(value.prefix(40))”")
                }
            } else if Self.texts.contains(key) {
                guard value.utf8.count <= Self.longestText, isText(key, value) else {
                    throw failure("\(key) cannot be “\(value.prefix(40))”")
                }
            } else {
                // Also what would make the library read or write files.
                throw failure("“\(key.prefix(40))” is no parameter of a model's features")
            }
        }
    }

    private func isText(_ key: String, _ value: String) -> Bool {
        switch key {
        case "-feat": value.wholeMatch(of: /[0-9a-z_,:]+/) != nil
        case "-svspec": value.wholeMatch(of: /[0-9,\/-]+/) != nil
        default: value.split(separator: ",").allSatisfy { Double($0).map { $0.isFinite && abs($0) < 1_000 } ?? false }
        }
    }
}
