import Foundation
import Speech

/// An acoustic model's `mdef`, rewritten from PocketSphinx's binary form into the text form that sphinxtrain reads.
///
/// The binary form (pocketsphinx, `bin_mdef.h`), in the byte order of who wrote it: "BMDF", version, length of a
/// description and the description; ten numbers of 32 bits (base phones, phones, states of each, states of base phones,
/// states, transition matrices, state sequences, context, nodes of a tree, silence); names of the base phones, each ended
/// by 0, filled up to four bytes; the tree, 8 bytes a node; the phones, 12 bytes each (sequence, matrix, then for a base
/// phone whether it is a filler, for others the position in the word and base, left and right phone); the number of
/// states in all sequences, and the states with 16 bits each.
struct ModelDefinition {
    private static let mostPhones = 2_000_000
    private static let positions = Array("ibesu".utf8)

    private let bytes: [UInt8]

    /// `nil` when it is no binary one: then it is text already.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Array("BMDF".utf8)) else { return nil }
        self.bytes = bytes
    }

    /// Where what is in it, once the numbers at its beginning were found to fit its length.
    struct Layout: Hashable {
        let names: [[UInt8]]
        let phoneCount: Int
        let stateCount: Int
        let baseStates: Int
        let states: Int
        let matrices: Int
        let sequences: Int
        /// Where the phones begin, and the table of states.
        let phones: Int
        let table: Int
    }

    /// `nil` when it is damaged.
    func layout() -> Layout? {
        var reader = ByteReader(bytes)
        reader.skip(4)
        guard let version = reader.integer(), version == 1, let description = reader.integer(),
            reader.skip(description), let baseCount = reader.count(255), let phoneCount = reader.count(Self.mostPhones),
            let stateCount = reader.count(16), stateCount > 0, let baseStates = reader.count(Self.mostPhones),
            let states = reader.count(65_536), let matrices = reader.count(Self.mostPhones),
            let sequences = reader.count(Self.mostPhones), reader.count(16) != nil,
            let nodes = reader.count(10 * Self.mostPhones), reader.integer() != nil, phoneCount >= baseCount
        else { return nil }
        let start = reader.position
        var names: [[UInt8]] = []
        for _ in 0..<baseCount {
            guard let name = reader.name() else { return nil }
            names.append(name)
        }
        guard reader.skip((4 - (reader.position - start) % 4) % 4), reader.skip(8 * nodes) else { return nil }
        let phones = reader.position
        guard reader.skip(12 * phoneCount), reader.integer() == sequences * stateCount else { return nil }
        let table = reader.position
        guard reader.skip(2 * sequences * stateCount), reader.position == bytes.count else { return nil }
        return Layout(
            names: names, phoneCount: phoneCount, stateCount: stateCount, baseStates: baseStates, states: states,
            matrices: matrices, sequences: sequences, phones: phones, table: table)
    }

    /// `nil` when it is damaged.
    func text() -> [UInt8]? {
        guard let layout = layout() else { return nil }
        let (names, baseCount, phoneCount) = (layout.names, layout.names.count, layout.phoneCount)
        let stateCount = layout.stateCount
        var reader = ByteReader(bytes)
        var text: [UInt8] = []
        text.reserveCapacity(48 * phoneCount)
        func add(_ words: String) { text += Array(words.utf8) }
        add("0.3\n\(baseCount) n_base\n\(phoneCount - baseCount) n_tri\n\(phoneCount * (stateCount + 1)) n_state_map\n")
        add("\(layout.states) n_tied_state\n\(layout.baseStates) n_tied_ci_state\n")
        add("\(layout.matrices) n_tied_tmat\n#\n# Columns\n#\n")
        for phone in 0..<phoneCount {
            reader.position = layout.phones + 12 * phone
            guard let sequence = reader.count(layout.sequences - 1), let matrix = reader.count(layout.matrices - 1)
            else { return nil }
            let information = bytes[reader.position..<reader.position + 4].map(Int.init)
            if phone < baseCount {
                text += names[phone]
                add(information[0] != 0 ? " - - - filler " : " - - - n/a ")
            } else {
                guard information[0] < Self.positions.count, information[1...].allSatisfy({ $0 < baseCount }) else {
                    return nil
                }
                for context in information[1...] {
                    text += names[context]
                    text.append(UInt8(ascii: " "))
                }
                text.append(Self.positions[information[0]])
                add(" n/a ")
            }
            add("\(matrix)")
            for state in 0..<stateCount {
                let place = layout.table + 2 * (sequence * stateCount + state)
                add(" \(Int(bytes[place]) | Int(bytes[place + 1]) << 8)")
            }
            add(" N\n")
        }
        return text
    }
}
