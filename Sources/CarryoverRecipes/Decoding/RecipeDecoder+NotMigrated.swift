import Carryover
import CarryoverSystem

extension RecipeDecoder {
  /// Keys or a file that are not migrated: `{key: KEY}`, `{key: PREFIX*}` or `{file: PATH}`, with the reason.
  func leftBehind(_ node: RecipeNode) -> LeftBehind? {
    guard var map = RecipeMap(node, of: "A value that is not migrated", log) else { return nil }
    defer { map.end() }
    if let file = map.take("file") {
      let reason = map.requireSentence("because")
      guard let path = sourcePath(file), let reason, let text = file.text(log) else { return nil }
      return LeftBehind(text, file: path, because: reason)
    }
    let named = map.require("key")
    let key = named.flatMap(key)
    let reason = map.requireSentence("because")
    let secret = map.flag("secret")
    let moment = map.words("moment")
    guard let named, let key, let reason else { return nil }
    let rule = LeftBehind(key, because: reason, secret: secret, moment: moment)
    guard rule.prefix?.isEmpty != true else {
      log.report(.wrongValue, named.place, "Write the beginning of the keys before the *.")
      return nil
    }
    if !secret { warn(secret: key, node.place) }
    return rule
  }
}
