import Foundation
import Testing

struct ContainerFolder {
  let folder: TemporaryFolder
  var path: String { folder.url.path }

  /// - Parameter samples: the name of each copy, and of its sample.
  init(_ samples: KeyValuePairs<String, String>) throws {
    folder = try TemporaryFolder()
    for (name, sample) in samples {
      let copy = URL(fileURLWithPath: path).appendingPathComponent(name + ".xcappdata")
      try FileManager.default.copyItem(at: SampleCopy.original(sample), to: copy)
    }
  }

  func container(_ name: String) -> String { path + "/" + name + ".xcappdata" }

  /// Every file of a copy; the state folder is left out.
  func files(_ name: String) throws -> [String: FileState] { try FileState.files(under: container(name)) }

  static func files(of sample: String) throws -> [String: FileState] {
    try FileState.files(under: SampleCopy.original(sample).path)
  }

  /// `carryover apply` of paths, by default of the folder, with the options that every sample needs.
  func apply(_ paths: [String]? = nil, _ options: String...) throws -> Tool.Result {
    try Tool.carryover(
      ["apply"] + (paths ?? [path]) + ["--write-key", SampleCopy.writeKey, "--now", SampleCopy.now] + options)
  }

  /// The JSON document of a batch, which suits its schema, and the outcome of each container by its name.
  static func outcomes(_ result: Tool.Result) throws -> (document: [String: Any], outcomes: [String: String]) {
    let document = try result.json()
    #expect(try SchemaCheck("batch-1").problems(document) == [])
    let containers = try #require(document["containers"] as? [[String: Any]])
    let counts = try #require(document["counts"] as? [String: Int])
    #expect(counts.values.reduce(0, +) == containers.count)
    var outcomes: [String: String] = [:]
    for container in containers {
      let path = try #require(container["path"] as? String)
      outcomes[URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent] =
        try #require(container["outcome"] as? String)
    }
    return (document, outcomes)
  }
}
