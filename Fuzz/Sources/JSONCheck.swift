import PropertyLists

/// The reader of JSON text, its writer and its editor.
enum JSONCheck {
  static func check(_ bytes: [UInt8]) -> Bool {
    do throws(JSONError) {
      let text = try JSONText(bytes: bytes)
      for finding in text.findings { _ = finding.description }
      for (pretty, visible) in [(false, false), (true, false), (true, true)] {
        let written = text.value.text(pretty: pretty, visible: visible)
        require(require("what was written") { try JSONText(written).value } == text.value, "another value")
      }
      if case .object = text.value { edit(text) }
    } catch {
      _ = error.description
    }
    return true
  }

  private static func edit(_ text: JSONText) {
    let name = text.members.last?.name ?? "new"
    if let edited = try? text.settingMember(name, to: ["set"]) {
      require(require("after setting") { try JSONText(edited).value[name] } == ["set"], "another member")
    }
    if let edited = try? text.removingMembers(named: [name]) {
      require(require("after removing") { try JSONText(edited).value[name] } == nil, "a member is left")
    }
    if let edited = try? text.renamingMember(name, to: "renamed \(name)") {
      require(require("after renaming") { try JSONText(edited).value[name] } == nil, "a name is left")
    }
  }
}
