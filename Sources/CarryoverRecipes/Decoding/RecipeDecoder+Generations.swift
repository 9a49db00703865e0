import Carryover
import CarryoverSystem

extension RecipeDecoder {
  /// Which keys and files belong together, most trusted first:
  /// `{of: NAME, keys: [KEY, BEGINNING*], files: [PATH], may-be-older: true, unread-by-migrator: true}`.
  func generations(_ node: RecipeNode?, of sources: [SourceStore]) -> [Generation] {
    (node?.items(log) ?? []).compactMap { item in
      guard var map = RecipeMap(item, of: "A generation", log) else { return nil }
      let name = map.requireWords("of")
      let keys = keys(map.take("keys"))
      let files = map.take("files")?.items(log)?.compactMap { source($0, among: sources) }
      let mayBeOlder = map.flag("may-be-older")
      let isUnread = map.flag("unread-by-migrator")
      map.end()
      guard let name else { return nil }
      if keys.isEmpty, files?.isEmpty != false {
        log.report(.missingKey, item.place, "Name the keys or the files of the generation.")
      }
      return Generation(
        name, keys: keys, files: files ?? [], mayBeOlder: mayBeOlder, isUnreadByMigrator: isUnread)
    }
  }

  /// A file to read, by its suite's name or its path.
  private func source(_ node: RecipeNode, among sources: [SourceStore]) -> SourceStore? {
    guard let name = node.text(log), let template = template(name, node.place) else { return nil }
    if let source = sources.first(where: { $0.templates.contains(template) }) { return source }
    log.report(.unknownName, node.place, "The recipe does not read \(DisplayText.quoted(name)).")
    return nil
  }

  /// Reports sources of the user's identity and traits whose generation is not declared.
  func checkGenerations(_ recipe: Recipe, _ place: TextPlace, isDeclared declared: TextPlace) {
    guard !recipe.generations.isEmpty else {
      if let rule = recipe.ruleOfSeveralGenerations {
        log.report(
          .severalGenerations, place,
          "The field \(DisplayText.quoted(rule.target)) has sources under several keys. Add generations: which keys "
            + "were written together.")
      }
      return
    }
    for rule in recipe.rules where rule.group.isOfUser {
      for candidate in rule.candidates where recipe.declaredGeneration(of: candidate.source.key) == nil {
        log.report(
          .noGeneration, declared,
          "No generation has the key \(DisplayText.quoted(candidate.source.key)) of the field "
            + "\(DisplayText.quoted(rule.target)).")
      }
    }
  }
}
