/// Nobody reads standard output any more. No failure: the reader has what it wanted.
struct OutputClosed: Error {}
