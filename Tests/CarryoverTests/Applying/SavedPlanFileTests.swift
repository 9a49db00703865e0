@testable import Carryover

@Suite("Saved plans as files") struct SavedPlanFileTests {
  private let sample = SavedSample(app: LegacyApp())
  private let other = SavedSample(app: LegacyApp(), decisions: ["traits": .skip])
  private let folder = TemporaryFolder()
  private let file = SavedPlanFile(fileSystem: POSIXFileSystem())
  private var path: String { folder.path("plan.json") }

  @Test func `what is no saved plan is neither read nor replaced: a file, a folder, a link, even to a plan`() throws {
    try folder.put("notes.json", Array(#"{"schema":"mine"}"#.utf8), 0o644)
    try folder.put("empty", [], 0o644)
    try folder.put("Acme.xcappdata/x", [1], 0o644)
    try file.write(try sample.document(), to: folder.path + "/plan.json")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "plan.json")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/dangling", withDestinationPath: "new.json")
    let before = try folder.tree()
    let kinds: [(String, FileKind)] = [
      ("notes.json", .regular), ("empty", .regular), ("Acme.xcappdata", .directory), ("link", .symbolicLink),
      ("dangling", .symbolicLink),
    ]
    for (name, kind) in kinds {
      let path = folder.path + "/" + name
      #expect(try file.read(path) == nil, "\(name)")
      #expect(throws: SavedPlanError.occupied(path: path, kind)) { try file.write(try other.document(), to: path) }
    }
    #expect(try folder.tree() == before)
    #expect(throws: SavedPlanError.self) { try file.write(try other.document(), to: folder.path + "/none/plan.json") }
    #expect(throws: SavedPlanError.self) { try file.write(try other.document(), to: "") }
    #expect(throws: SavedPlanError.notSavable(path: "/x", .otherForm(nil))) { try file.write([:], to: "/x") }
    #expect(try folder.tree() == before)
  }

  @Test func `a plan that cannot be read is an error and no container; it may be replaced`() throws {
    try folder.put("plan.json", Array(try sample.bytes().dropLast(50)), 0o600)
    #expect(throws: SavedPlanError.self) { try file.read(path) }
    try file.write(try sample.document(), to: path)
    #expect(try file.read(path) == SavedPlans(first: sample.saved()))
  }

  @Test func `a temporary that an earlier attempt left is removed, however often it was cut off`() throws {
    let fileSystem = MemoryFileSystem()
    let file = SavedPlanFile(fileSystem: fileSystem)
    let document = try sample.document()
    fileSystem.put("/home/other", [1])
    for _ in 0..<3 {
      fileSystem.arm(FaultPlan(faults: [1: .crashBefore], only: [.rename]))
      #expect(throws: SavedPlanError.self) { try file.write(document, to: "/home/plan.json") }
      fileSystem.restart(afterPowerLoss: false)
      #expect(fileSystem.tree("/home").count == 3, "the other file, the temporary, the folder")
    }
    try file.write(document, to: "/home/plan.json")
    #expect(fileSystem.bytes("/home/plan.json") != nil)
    #expect(fileSystem.tree("/home").count == 3, "the other file, the plan, the folder")
  }

  @Test func `an error names what is in the way: the temporary's place or the plan's file`() throws {
    let temporary = SavedPlanFile.temporary(of: path)
    #expect(SavedPlanFile.temporary(of: folder.path + "/other.json") != temporary)
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    let error = #expect(throws: SavedPlanError.self) { try file.write(try sample.document(), to: path) }
    #expect(error?.description.contains(temporary) == true)
    try FileManager.default.removeItem(atPath: temporary)
    let long = folder.path + "/" + String(repeating: "x", count: 255)
    try file.write(try sample.document(), to: long)
    #expect(try file.read(long) == SavedPlans(first: sample.saved()))
    #expect(throws: SavedPlanError.file(FileSystemError(.inspect, long + "x", .system(ENAMETOOLONG)))) {
      try file.write(try sample.document(), to: long + "x")
    }
  }
}
