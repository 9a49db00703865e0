import Carryover
import CarryoverReview
import CarryoverSystem

extension Session {
  mutating func applySample(_ result: Result<RunReport, ReviewFailure> = .success(acmeReport)) {
    send(.clock(Moment(secondsSince1970: 1_763_640_299)))
    type("n ay")
    send(.clock(Moment(millisecondsSince1970: 1_763_640_300_120)))
    send(.applied(result))
  }
}
