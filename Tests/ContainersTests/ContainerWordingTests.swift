import Carryover
import CarryoverContainers
import CarryoverSystem
import PropertyLists
import Testing

@Suite("What is said when a path cannot be opened")
struct ContainerWordingTests {
  private static let kinds: [ContainerError.Kind] =
    [
      .invalidPath, .notFound, .permissionDenied,
      .failed(FileSystemError(.read, "/a", .system(5))), .symbolicLink, .notFileOrFolder, .emptyFolder, .notContainer,
      .noContainerWithin(folders: 4), .holdsArchives([hostile]), .nestedArchives([hostile]),
      .incompletePackage, .partOfContainer("/a"), .holdsContainers(candidates("b"), more: 0),
      .holdsContainers(candidates("b", "c"), more: 2), .noSuchApp("com.a", candidates("b")),
      .severalApps("com.a", candidates("b", "c")), .invalidSelection,
      .linkedFolder("Library"), .backup(.database), .backup(.legacy), .backup(.incomplete("Manifest.db")),
      .archive(.zip),
      .placeholder(hostile), .androidData,
      .archive(.xz),
      .database, .tooLarge(limit: 1 << 20), .notPropertyList(PropertyListError(.unrecognised)),
      .precededArchive,
      .corruptPropertyList(PropertyListError(.trailerMissing)),
    ] + refusals.map { .refusedArchive($0) } + [.archiveLibraryMissing, .archive(.zstd)]

  private static let hostile = "x\u{1B}[31m\n\u{202E}y" + String(repeating: "z", count: 10_000)
  private static let refusals: [ArchiveRefusal] = [
    .namelessEntry(1), .absoluteName(hostile), .climbingName(hostile), .longName(hostile),
    .linkOut(hostile, target: hostile), .hardLinkOut(hostile, target: hostile), .insideFile(hostile, file: hostile),
    .repeatedName(hostile), .specialFile(hostile), .encrypted(hostile), .tooManyEntries(limit: 1),
    .tooLongNames(limit: 1), .endlessDescription(limit: 1 << 20), .tooLargeFile(hostile, limit: 1 << 30),
    .tooLarge(limit: 1 << 40), .expandsTooMuch(times: 200), .severalVolumes, .compressedTwice, .unrecognised,
    .truncated, .changed,
    .damaged(""), .damaged(hostile),
  ]

  @Test("a folder of archives is no dead end: audit reads them")
  func archives() {
    let error = ContainerError("/a", .holdsArchives(["x.zip"]))
    #expect(error.description.contains("carryover audit reads all of them"))
  }

  @Test("Every refusal of an archive is short, says what to do, and is like no other")
  func archiveRefusals() {
    let texts = Self.refusals.map { ContainerError("a.zip", .refusedArchive($0)).description }
    #expect(Set(texts).count == texts.count)
    #expect(texts.allSatisfy { $0.hasPrefix("“a.zip” ") && $0.count < 1_000 })
    let missing = ContainerError("a.zip", .archiveLibraryMissing).description
    #expect(missing.contains("libarchive13") && missing.contains("macOS has it"))
  }

  @Test("Every error names the path and what to do, on one line, with hostile names written out", arguments: kinds)
  func sentence(kind: ContainerError.Kind) {
    let text = ContainerError("/in/x\u{1B}[31m\n\u{202E}y", kind).description
    #expect(text.hasSuffix("."))
    #expect(text.contains(": ") || text.contains(". "))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    if case .failed = kind { return }
    #expect(text.contains("/in/x\\u{1"))
  }

  @Test("The words for an archive, a backup and a choice say what it is and what to do")
  func words() {
    #expect(ContainerError("a.zip", .archive(.zip)).description.contains("a zip archive"))
    #expect(ContainerError("a.zip", .archive(.zip)).description.contains("extract it first"))
    #expect(ContainerError("b", .backup(.database)).description.contains("device backup"))
    let choice = ContainerError("b", .holdsContainers(Self.candidates("x", "y"), more: 2)).sentence(for: .command)
    #expect(choice.contains("choose one with --container or --app: “x”, “y” and 2 more"))
    #expect(choice.contains("carryover list"))
    let many = Self.candidates((1...12).map { "c\($0)" })
    let cut = ContainerError("b", .holdsContainers(many, more: 5)).description
    #expect(cut.contains("“c10” and 7 more"))
    #expect(!cut.contains("c11"))
    let other = ContainerError("b", .noSuchApp("com.a", [Self.candidate("x", app: "com.b")])).description
    #expect(other.contains("“com.a”"))
    #expect(other.contains("“x” (com.b)"))
    #expect(ContainerError("b", .invalidBundleID("a/b")).description.contains("“a/b”"))
  }

  private static func candidates(_ paths: String...) -> [ContainerCandidate] { candidates(paths) }

  private static func candidates(_ paths: [String]) -> [ContainerCandidate] { paths.map { candidate($0) } }

  private static func candidate(_ path: String, app: String? = nil) -> ContainerCandidate {
    ContainerCandidate(path: path, kind: .folder, bundleID: app, name: path)
  }

  @Test("A path that is not found and may have lost bytes says so and what to do")
  func lostBytes() {
    let lost = ContainerError("/in/caf\u{FFFD}.plist", .notFound).description
    #expect(lost.contains("bytes that are not UTF-8. Rename it"))
    #expect(!ContainerError("/in/café.plist", .notFound).description.contains("UTF-8"))
  }

  @Test("A name of any length is shortened")
  func longName() {
    #expect(ContainerError(String(repeating: "x", count: 100_000), .notFound).description.count < 1_200)
  }
}
