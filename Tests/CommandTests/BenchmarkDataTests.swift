import Foundation
import Testing

@Suite("The data of the benchmarks")
struct BenchmarkDataTests {
  @Test(
    "is made in a folder that is not there yet", arguments: ["make-data.py --files", "make-screen-data.py --commits"])
  func newFolder(program: String) throws {
    let words = program.split(separator: " ").map(String.init)
    let folder = try TemporaryFolder()
    let data = folder.path("benchmarks/data")
    let script = Tool.root.appendingPathComponent("Benchmarks/\(words[0])").path
    let result = try Tool.run("python3", ["-B", script, data, "--keys", "20", words[1], "2"])
    #expect(result.status == 0, "\(result.error)")
    let names = try FileManager.default.contentsOfDirectory(atPath: data)
    #expect(names.contains(words[0] == "make-data.py" ? "large.binary.plist" : "Large.xcappdata"), "\(names)")
  }
}
