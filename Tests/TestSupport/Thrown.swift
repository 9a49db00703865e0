/// What some work throws; nil where it throws nothing.
package func thrown<Failure: Error, Success>(_ work: () throws(Failure) -> Success) -> Failure? {
  do throws(Failure) {
    _ = try work()
    return nil
  } catch {
    return error
  }
}
