@Suite("Convert's files") struct ConvertFilesTests {
  private let queueName = "com.convertexperiments.sdk/event-queue.json"
  private let box = ConvertBox()

  private static let batch =
    #"[{"accountId":"100","projectId":"200","enrichData":true,"source":"ios-sdk","visitors":[{"visitorId":"ada","#
    + #""segments":{},"events":[{"eventType":"bucketing","data":{"experienceId":"e1"}},"#
    + #"{"eventType":"conversion","data":{"amount":1.50}}]}]}]"#

  @Test func `a configuration keeps its bytes, whatever its form, and one key's is not another's (C5)`() throws {
    let bytes = Array("{ \"account_id\" : \"100\",\n\t\"n\":1.0 }\n".utf8)
    #expect(try box.files().configuration(sdkKey: "100/200") == nil)
    try box.files().cacheConfiguration(bytes, sdkKey: "100/200")
    try box.files().cacheConfiguration(Array("{}".utf8), sdkKey: "100-200")
    #expect(try box.files().configuration(sdkKey: "100/200") == bytes)
    #expect(box.names("com.convertexperiments.sdk") == ["config-100-200.json", "config-100_200.json"])
  }

  @Test func `decisions where the SDK's documentation puts them are read where its source's has none (C8)`() throws {
    let name = "com.convertexperiments.sdk/convert-decision-store.json"
    try box.put(name, #"{"store":{"1-2-ada":{"bucketing":{}}},"order":["1-2-ada"]}"#)
    #expect(try box.files().decisions().visitors == ["ada"])
    guard case .recovered(let found) = try box.files().recoverDecisions() else { throw Unexpected() }
    #expect(found.visitors == ["ada"])
    try box.put("convert-decision-store.json", #"{"store":{"1-2-eve":{"bucketing":{}}},"order":["1-2-eve"]}"#)
    #expect(try box.files().decisions().visitors == ["eve"])
  }

  @Test func `the queue is recovered at the next launch, and an empty one is no file (C6)`() throws {
    guard case .empty = try box.files().recoverQueue() else { throw Unexpected() }
    let batch = try ConvertQueue(JSONText(Self.batch).value)
    try box.files().updateQueue { $0 = batch }
    guard case .recovered(let queue) = try box.files().recoverQueue() else { throw Unexpected() }
    #expect(queue.value.text() == Self.batch)
    #expect(queue.eventCount == 2 && queue.visitors == ["ada"] && queue.eventCount(of: "ada") == 2)
    try box.files().updateQueue { $0 = ConvertQueue() }
    #expect(box.names("com.convertexperiments.sdk") == [])
  }

  @Test func `a queue that is being sent is neither read nor written nor set aside (C6)`() throws {
    try box.put(queueName, "damaged")
    try box.put("com.convertexperiments.sdk/event-queue.uploading", "\u{1}")
    guard case .uploading = try box.files().recoverQueue() else { throw Unexpected() }
    #expect(throws: ConvertError.self) { try box.files().updateQueue { $0 = ConvertQueue() } }
    #expect(box.text(queueName) == "damaged")
  }

  @Test func `a damaged queue that the SDK begins to send is not set aside (C6)`() throws {
    try box.put(queueName, "damaged")
    let disk = FailingFileSystem(before: { operation, _ in
      guard operation == .lock else { return }
      try? box.put("com.convertexperiments.sdk/event-queue.uploading", "\u{1}")
    })
    guard case .uploading = try box.files(disk).recoverQueue() else { throw Unexpected() }
    #expect(box.text(queueName) == "damaged")
  }

  @Test func `a file that another process removes before it is read counts as absent (C6)`() throws {
    let path = box.path(queueName)
    let disk = FailingFileSystem(before: { operation, read in
      if operation == .read, read == path { try? FileManager.default.removeItem(atPath: path) }
    })
    try box.put(queueName, Self.batch)
    #expect(try box.files(disk).queue() == nil)
    try box.put(queueName, Self.batch)
    guard case .empty = try box.files(disk).recoverQueue() else { throw Unexpected() }
    #expect(box.names("com.convertexperiments.sdk") == [])
  }

  @Test(arguments: [
    "", "{", "[{]", "\u{0}\u{1}", "{}", "[1]", #"[{"visitors":{}}]"#,
    #"[{"visitors":[{"visitorId":1,"events":[]}]}]"#,
    String(repeating: "[", count: 100_000), "[{\"visitors\":[{\"visitorId\":\"a\",\"events\":[",
  ])
  func `a corrupt queue is one warning, set aside, never deleted, and the start is empty (C7)`(_ text: String) throws {
    try box.put(queueName, text)
    let recovery = try box.files().recoverQueue()
    guard case .setAside(let path, _) = recovery else { throw Unexpected() }
    #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
    let warning = try #require(recovery.warning)
    #expect(warning.contains("event-queue.json") && !warning.contains("\n"))
    guard case .empty = try box.files().recoverQueue() else { throw Unexpected() }
    // The same again, and another one: nothing that was set aside is lost.
    try box.put(queueName, text)
    _ = try box.files().recoverQueue()
    try box.put(queueName, text + "!")
    _ = try box.files().recoverQueue()
    #expect(box.names("com.convertexperiments.sdk").count == 2)
  }

  @Test func `what stands under a set-aside's name and is something else is not replaced (C7)`() throws {
    try box.put(queueName, "bad")
    guard case .setAside(let first, _) = try box.files().recoverQueue() else { throw Unexpected() }
    try Data("other".utf8).write(to: URL(fileURLWithPath: first))
    try box.put(queueName, "bad")
    guard case .setAside(let second, _) = try box.files().recoverQueue() else { throw Unexpected() }
    #expect(second == first + "-2")
    #expect(FileManager.default.contents(atPath: first) == Data("other".utf8))
  }

  @Test func `decisions that are damaged are set aside at start, and refused everywhere else (C7)`() throws {
    try box.put(ConvertNames.decisions, #"{"store":[]}"#)
    let error = #expect(throws: ConvertError.self) { try box.files().decisions() }
    #expect(error?.description.contains(ConvertNames.decisions) == true)
    #expect(box.text(ConvertNames.decisions) == #"{"store":[]}"#)
    guard case .setAside = try box.files().recoverDecisions() else { throw Unexpected() }
    #expect(try box.files().decisions() == ConvertDecisions())
  }

  @Test func `all is made in Application Support, which need not be there, for its owner alone (C8)`() throws {
    let batch = try ConvertQueue(JSONText(Self.batch).value)
    let ada = ConvertDecisions.Subject(project: "100-200", visitor: "ada")
    try box.files().updateDecisions { $0.put(ada, inSegment: "country", "UK") }
    try box.files().updateQueue { $0.append(batch) }
    try box.files().cacheConfiguration(Array("{}".utf8), sdkKey: "k")
    let lock = "com.convertexperiments.sdk.carryover-lock"
    #expect(box.names() == ["com.convertexperiments.sdk", lock, "convert-decision-store.json"])
    #expect(box.names("com.convertexperiments.sdk") == ["config-k.json", "event-queue.json"])
    let modes = [
      (ConvertNames.decisions, 0o600), (queueName, 0o600), (lock, 0o600), ("com.convertexperiments.sdk", 0o700),
    ]
    for (name, mode) in modes {
      let attributes = try FileManager.default.attributesOfItem(atPath: box.path(name))
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(name)")
    }
  }

  @Test func `a link in a file's place is neither followed nor replaced (C8)`() throws {
    try box.put("outside.json", "[]")
    try FileManager.default.createSymbolicLink(
      atPath: box.path(ConvertNames.decisions), withDestinationPath: box.path("outside.json"))
    #expect(throws: ConvertError.self) { try box.files().decisions() }
    #expect(throws: ConvertError.self) { try box.files().recoverDecisions() }
    #expect(throws: JSONFileError.self) { try JSONFile(box.path(ConvertNames.decisions)).save([1]) }
    #expect(box.names() == [ConvertNames.decisions, "outside.json"])
    #expect(throws: ConvertError.self) { try box.files().updateDecisions { $0 = ConvertDecisions() } }
    #expect(box.text("outside.json") == "[]")
  }

  @Test func `a file over the limit is set aside unread, and none is written that could not be read (C7)`() throws {
    try box.put("large.json", "[1,2,3,4,5,6,7,8]")
    let file = JSONFile(box.path("large.json"), limit: 8)
    let large = #expect(throws: JSONFileError.self) { try file.read() }
    #expect(large?.isDamage == true)
    #expect(throws: JSONFileError.self) { try file.save(["too", "long"]) }
    #expect(FileManager.default.contents(atPath: try file.setAside())?.count == 17)
    try file.save([1])
    #expect(try file.read()?.value == [1])
  }

  private struct Unexpected: Error {}
}

@Suite("Convert's names") struct ConvertNamesTests {
  @Test func `the keychain's service and account, and the mirror's key, are those of the SDK (C2)`() {
    #expect(ConvertNames.keychainService == "com.convert.sdk")
    #expect(ConvertNames.visitorAccount == "com.convert.sdk.visitorId")
    #expect(ConvertNames.visitorMirror == "com.convert.sdk.visitorIdMirror")
  }

  @Test func `the mirror in UserDefaults is a string, as the SDK reads it (C2)`() throws {
    let suite = "carryover-tests-\(UUID().uuidString)"
    defer { TestSuite.remove(suite) }
    let store = try DefaultsDataStore(suite: suite)
    let lookup = IdentityLookup.convert(keychain: MemoryDataStore(), mirror: store.writingText()) { "FRESH" }
    #expect(lookup.resolve().filled == [0, 1])
    #expect(UserDefaults(suiteName: suite)?.object(forKey: ConvertNames.visitorMirror) as? String == "FRESH")
    #expect(lookup.resolve().id == "FRESH")
  }

  @Test(arguments: [
    ("abc-1.2_X", "config-abc-1.2_X.json"), ("10022898/10025986", "config-10022898_10025986.json"),
    ("../../etc", "config-.._.._etc.json"), ("é", "config-é.json"), ("a b:c", "config-a b:c.json"),
    ("", "config-.json"),
  ])
  func `a configuration's file is named by its key, with slashes replaced (C5)`(_ key: String, _ file: String) {
    #expect(ConvertNames.configuration(sdkKey: key) == file)
  }

  @Test func `keys that share a file are told, and only they (C5)`() {
    let name = ConvertNames.configuration
    #expect(name("1/2") == name("1_2") && ConvertNames.configurationIsAmbiguous(name("1/2")))
    for key in ["1-2.x", "é", "a b"] { #expect(!ConvertNames.configurationIsAmbiguous(name(key))) }
  }
}

struct ConvertBox: Sendable {
  let folder = TemporaryFolder()

  var support: String { folder.path("Library/Application Support") }

  func path(_ name: String) -> String { support + "/" + name }
  func files(_ disk: any FileSystem = POSIXFileSystem()) -> ConvertFiles {
    ConvertFiles(applicationSupport: support, fileSystem: disk)
  }
  func put(_ name: String, _ text: String) throws { try folder.place("Library/Application Support/" + name, text.utf8) }
  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }
  func names(_ folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
  }
}
