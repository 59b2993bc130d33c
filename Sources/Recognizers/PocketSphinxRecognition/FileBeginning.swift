import SoundFiles

/// Looks at the first bytes of a file: leaves a tag away that stands before the sound, and tells how the rest can be read.
struct FileBeginning {
    /// `nil` until enough came.
    private(set) var form: SoundFileForm?

    private var held: [UInt8] = []
    /// Bytes of a tag that are still to come.
    private var unwanted = 0

    /// - Returns: what of the file is known to be wanted.
    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        guard form == nil else { return piece }
        let dropped = min(unwanted, piece.count)
        unwanted -= dropped
        held += piece.dropFirst(dropped)
        while unwanted == 0, let length = SoundFileForm.tagLength(held) {
            unwanted = max(0, length - held.count)
            held.removeFirst(min(length, held.count))
        }
        guard unwanted == 0, held.count >= SoundFileForm.tellingLength else { return [] }
        return rest()
    }

    /// No more comes.
    mutating func rest() -> [UInt8] {
        if form == nil { form = SoundFileForm(beginning: held) }
        defer { held = [] }
        return held
    }
}
