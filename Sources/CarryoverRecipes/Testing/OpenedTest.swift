package import Carryover

/// A test with its container in memory, which can be planned for with any recipe.
package struct OpenedTest: Sendable {
  package let test: RecipeTest
  package let container: Container
  /// The recipe with values in place of its parameters.
  package let recipe: Recipe

  package init(_ test: RecipeTest, _ container: Container, _ recipe: Recipe) {
    self.test = test
    self.container = container
    self.recipe = recipe
  }

  /// Whether the test fails with a mutant of the recipe.
  package func notices(_ mutant: RecipeMutant) -> Bool { !isPassed(by: mutant(recipe)) }

  func isPassed(by recipe: Recipe) -> Bool {
    test.problems(of: Planner(recipe).plan(container, now: test.now, options: test.options)).isEmpty
  }
}

/// Which mutants of a recipe its tests notice.
package struct RecipeMutation: Sendable {
  /// The number of mutants.
  package let count: Int
  /// The mutants that no test notices and that the file does not list as equivalent.
  package let survivors: [RecipeMutant]
  /// The entries of the file that name a mutant that no test notices.
  package let equivalent: [EquivalentMutant]
  /// The other entries, with the name of the test that notices the mutant; nil if there is no such mutant.
  package let refuted: [(entry: EquivalentMutant, test: String?)]

  /// Plans every mutant with each test until one fails.
  /// - Parameter tests: the tests. One that fails without a change notices nothing.
  package init(of recipe: Recipe, listing entries: [EquivalentMutant], tests: [OpenedTest]) {
    let tests = tests.filter { $0.isPassed(by: $0.recipe) }
    let mutants = RecipeMutant.all(of: recipe)
    let noticed = mutants.map { mutant in tests.first { $0.notices(mutant) }?.test.name }
    let witnesses = Dictionary(zip(mutants.map(\.name), noticed), uniquingKeysWith: { $0 ?? $1 })
    let listed = Set(entries.map(\.name))
    count = mutants.count
    survivors = zip(mutants, noticed).filter { $1 == nil && !listed.contains($0.name) }.map(\.0)
    equivalent = entries.filter { witnesses[$0.name] == .some(nil) }
    refuted = entries.filter { witnesses[$0.name] != .some(nil) }.map { ($0, witnesses[$0.name] ?? nil) }
  }
}
