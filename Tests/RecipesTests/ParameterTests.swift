import Carryover
import CarryoverRecipes
import Testing

@Suite("Parameters of recipes")
struct ParameterTests {
  private func issues(_ parameters: String, key: String = "k-${token}") -> [String] {
    let text = """
      carryover: recipe/1
      id: acme-sdk
      version: 1
      title: Acme 1 → 2
      parameters: \(parameters)
      read: [{suite: "acme.${token}"}]
      write: {suite: acme}
      detect: ["a-${token}"]
      fields:
        - {key: "\(key)", form: string, from: [{key: "a-${token}"}]}
      opt-out-keys: []
      """
    return RecipeFile.read(Array(text.utf8), vendors: []).issues.filter { $0.code.severity > .note }.map {
      "\($0.code.rawValue) \($0.place.line)"
    }
  }

  @Test("a declared parameter is known in keys and file names; others are refused with their place")
  func declared() {
    #expect(issues("{token: {title: token}}") == [])
    #expect(issues("{token: {title: token, form: hex}}") == [])
    #expect(
      issues("{other: {title: token}}")
        == ["R104 5", "R103 6", "R110 8", "R103 8", "R018 10", "R103 10", "R103 10"])
    #expect(issues("{token: {title: token}}", key: "k-${tokn}") == ["R018 10", "R103 10"])
    #expect(issues("{token: {title: token}}", key: "k-${token") == ["R018 10", "R103 10"])
    #expect(issues("{token: {title: token, form: any}}") == ["R212 5"])
    #expect(issues("{token: {}}").contains("R018 5"))
    #expect(issues("{bundle-id: {title: id}, token: {title: token}}") == ["R101 5"])
    #expect(issues("[token]").contains("R017 5"))
  }
}
