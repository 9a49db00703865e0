// Made from Recipes/person.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover
import CarryoverStorage

extension Recipe {
  /// The versioned JSON in the example of Documentation/Systems.md: a person in an app's own preferences, as data or
  /// text, migrated in place to the newest version. A template for your own recipes.
  package static let person = Recipe(
    reference: RecipeReference(id: "person", version: 1, title: "person, versions 0 to 2 → 3"),
    about: """
      The versioned JSON in the example of Documentation/Systems.md: a person in an app's own preferences, as data or text,
      migrated in place to the newest version. A template for your own recipes.
      """,
    inTheApp: """
      Before anything reads the model, run the same steps in the app with ModelMigration of Carryover's library (import
      CarryoverStorage).
      """,
    target: .suite(.app),
    sources: [.suite(.app)],
    rules: [
      FieldRule(
        target: "person", group: .other, form: .jsonObjectString,
        candidates: [
          Candidate(
            SourceKey("person"),
            [
              .model(
                ModelRule(
                  ModelMigrator(
                    sound: "person", version: 3,
                    versioning: ModelVersioning(
                      marker: "version",
                      shapes: [
                        0: ModelShape(required: ["age", "name"], forbidden: ["alias", "email"]),
                        1: ModelShape(required: ["age", "email", "name"]),
                        2: ModelShape(required: ["age", "alias", "email"], forbidden: ["name"]),
                        3: ModelShape(required: ["alias", "email"], forbidden: ["age", "name"]),
                      ]),
                    steps: [
                      ModelStep(from: 0, [.add("email", "---")]),
                      ModelStep(from: 1, [.rename("name", to: "alias")]),
                      ModelStep(from: 2, [.remove("age")]),
                    ])))
            ])
        ])
    ],
    marks: ["person"])
}
