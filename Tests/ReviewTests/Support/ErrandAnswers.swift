import CarryoverReview
import CarryoverTerminal

extension Errand {
  /// How a world would answer in which every file is there already, and every editor leaves this text.
  fileprivate func answer(_ text: String) -> ErrandAnswer {
    switch self {
    case .page: .done(nil)
    case .save(_, let path, let isReplacing): isReplacing ? .done("Saved.") : .exists(path)
    case .edit: .edited(text)
    }
  }
}

extension Session {
  mutating func answer(_ errand: Errand, _ text: String) { send(.answer(errand.answer(text))) }

  var lastErrand: Errand? { effects.last?.errand }
}

extension LineTalk {
  mutating func answer(_ errand: Errand, _ text: String) { send(.answer(errand.answer(text))) }

  var lastErrand: Errand? { effects.last?.errand }
}
