package import Carryover
package import CarryoverStorage
import PropertyLists

extension Recipe {
  /// The versioned JSON of the example in `Documentation/Systems.md`: a person in an app's own preferences, as data or
  /// text, brought to the newest version in its place. A pattern for recipes of one's own.
  package static let person = Recipe(
    reference: RecipeReference(id: "person", version: 1, title: "person, versions 0 to 2 → 3"),
    target: .suite(.app), sources: [.suite(.app)],
    rules: [
      FieldRule(
        target: "person", group: .other, form: .jsonObjectString,
        candidates: [Candidate(SourceKey("person"), [.model(ModelRule(.person))])])
    ],
    leftBehind: [], legacyPrefixes: [], marks: ["person"])
}

extension ModelMigrator {
  /// A person: {name, age}, then an e-mail, then an alias for the name, then no age.
  package static let person = ModelMigrator(
    sound: "person", version: 3,
    versioning: ModelVersioning(
      marker: "version",
      shapes: [
        0: ModelShape(required: ["name", "age"], forbidden: ["email", "alias"]),
        1: ModelShape(required: ["name", "age", "email"]),
        2: ModelShape(required: ["alias", "age", "email"], forbidden: ["name"]),
        3: ModelShape(required: ["alias", "email"], forbidden: ["name", "age"]),
      ]),
    steps: [
      ModelStep(from: 0, [.add("email", "---")]),
      ModelStep(from: 1, [.rename("name", to: "alias")]),
      ModelStep(from: 2, [.remove("age")]),
    ])
}
