/// The words of Carryover's own sentences. A value that equals one of them, such as `session`, reveals nothing there.
/// In the place of a value, it is masked like any other.
enum Vocabulary {
  static func words(of codes: [FindingCode]) -> Set<[UInt8]> {
    let sentences = codes.map(\.explanation).flatMap { explanation in
      [
        explanation.title, explanation.happens, explanation.legacyReads, explanation.guideSays,
        explanation.helperWrites, explanation.weWrite, explanation.whatToDo,
      ]
    }
    return Set(
      sentences.flatMap { $0.utf8.split { !Characters.isLetter($0) } }.filter { $0.count > 2 }.map { Array($0) })
  }
}
