/// How far what was understood is from what was said.
public enum WordDistance {
    /// The fewest words inserted, left out or replaced (Levenshtein).
    public static func errors(reference: [String], hypothesis: [String]) -> Int {
        var distances = Array(0...hypothesis.count)
        for (row, said) in reference.enumerated() {
            var diagonal = distances[0]
            distances[0] = row + 1
            for (column, understood) in hypothesis.enumerated() {
                let replaced = diagonal + (said == understood ? 0 : 1)
                diagonal = distances[column + 1]
                distances[column + 1] = min(replaced, diagonal + 1, distances[column] + 1)
            }
        }
        return distances[hypothesis.count]
    }
}
