/// The parts of the page, in order; raw values are the anchors.
enum ReportSection: String, Sendable, Hashable, CaseIterable {
    case summary
    case timeline
    case answers
    case programs
    case keeping
    case sharing
    case questions
    case proof
    case appendix
}
