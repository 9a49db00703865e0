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
  func keys(of node: RecipeNode, writing key: String?, from candidates: [Candidate]) -> String? {
    guard let pattern = self.key(node) else { return nil }
    guard pattern.utf8.count(where: { $0 == UInt8(ascii: "*") }) == 1, pattern.hasSuffix("*"), pattern.utf8.count > 1
    else {
      log.report(.wrongValue, node.place, "Write the beginning of the keys, then *: acme_flag_*.")
      return nil
    }
    if let key, !key.contains(FieldRule.each) {
      log.report(.wrongValue, node.place, "Use \(FieldRule.each) in key, so that each field writes a key of its own.")
    }
    if !candidates.isEmpty, !candidates.contains(where: { $0.source.key.contains(FieldRule.each) }) {
      log.report(.wrongValue, node.place, "Use \(FieldRule.each) in a key of from, so that each field reads its own.")
    }
    return pattern
  }
}
