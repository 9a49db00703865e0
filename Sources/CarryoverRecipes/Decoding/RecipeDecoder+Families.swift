import Carryover
import CarryoverSystem

/// Fields that stand for one field for each key that begins with a text: `for-each: acme_flag_*`.
extension RecipeDecoder {
  /// What stands for the rest of the key, in the keys of such a field alone.
  static let each = RecipeParameter("each", "rest of the key")

  /// The decoder for the keys of such a field.
  var ofFamily: RecipeDecoder {
    var decoder = self
    decoder.parameters.append(Self.each)
    return decoder
  }

  /// The keys for each of which there is a field. Each field has to write a key of its own, and to read one.
  func keys(
    of node: RecipeNode, writing key: String?, in group: FieldGroup?, from candidates: [Candidate]
  ) -> String? {
    guard let pattern = self.key(node) else { return nil }
    if group == .consent {
      log.report(.wrongValue, node.place, "A field of the group consent names its keys: for-each can leave some out.")
    }
    guard pattern.utf8.count(where: { $0 == UInt8(ascii: "*") }) == 1, pattern.hasSuffix("*"), pattern.utf8.count > 1
    else {
      log.report(.wrongValue, node.place, "Write the beginning of the keys, then *: acme_flag_*.")
      return nil
    }
    if let key, !key.contains(FieldRule.each) {
      log.report(.wrongValue, node.place, "Use \(FieldRule.each) in key, so that each field writes a key of its own.")
    }
    if let key, key.hasPrefix(FieldRule.each) {
      log.report(
        .wrongValue, node.place,
        "Begin key with a text of your own: otherwise the container chooses which keys are written.")
    }
    if !candidates.contains(where: { $0.source.key.contains(FieldRule.each) }) {
      log.report(.wrongValue, node.place, "Use \(FieldRule.each) in a key of from, so that each field reads its own.")
    }
    return pattern
  }
}

extension RecipeDecoder {
  /// Reports a list of what is done for every value if it is far longer than anyone writes: a stranger's recipe must not
  /// take a plan minutes.
  func checkCount(_ nodes: [RecipeNode], atMost most: Int, _ what: String) {
    guard nodes.count > most else { return }
    log.report(.tooLarge, nodes[most].place, "A list has at most \(most) \(what).")
  }
}
