extension ConsentRecord {
    /// Indexes of the records whose fields were erased, as this record says; empty for records of other kinds.
    public var erasedRecords: [ClosedRange<Int>] {
        kind == .dataErased ? ErasedRecords.ranges(fields["records"]) : []
    }
}
