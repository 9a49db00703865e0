import Foundation
import Testing

@Suite("Time and memory of the command")
struct ResourceTests {
  /// Files that decompress to the beginning of another compressed file with a name of two gigabytes. Whoever opens one
  /// compression after the other, as long as there is one, reads all of that name.
  private static let stacked = """
    import bz2, gzip, lzma, struct, sys, zlib
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = bytes([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3])
    start = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(b"A" * (1 << 22)) + packer.flush(zlib.Z_FULL_FLUSH)
    inner = bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]) + start + piece * 512
    name = sys.argv[1]
    data = gzip.compress(inner, mtime=0)
    wrap = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}.get(name.rsplit(".", 1)[1])
    open(name, "wb").write(wrap(data) if name.count(".gz.") else data)
    """

  @Test(
    "A compressed file in a compressed file in a compressed file ends every command at once with one sentence",
    arguments: ["a.gz", "a.gz.gz", "a.gz.bz2", "a.gz.xz"])
  func stackedCompressions(name: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.path(name)
    let made = try Tool.run("python3", ["-c", Self.stacked, file])
    try #require(made.status == 0, "\(made.error)")
    for command in [
      ["inspect"], ["plan", "--write-key", "K"], ["apply", "--write-key", "K", "--yes"], ["list"], ["report"],
      ["rollback", "--yes"], ["history"], ["recover"], ["cleanup", "--yes"], ["browse", "--accessible"],
      ["review", "--accessible"], ["extract", "--output", folder.path("out")],
    ] {
      let arguments = command.prefix(1) + [file] + command.dropFirst()
      let result = try Tool.measured(Array(arguments))
      #expect(result.status == 1, "\(command): \(result.error)")
      #expect(result.error.split(separator: "\n").count == 1, "\(command): \(result.error)")
      #expect(result.error.contains("compressed more than once"), "\(command): \(result.error)")
      #expect(result.seconds < 1, "\(command): \(result.seconds) s")
      #expect(result.peak < 64 << 20, "\(command): \(result.peak >> 20) MiB")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [name])
  }

  private static let keys = """
    import plistlib, sys
    values = {f"key{n:06d}": f"value {n}" for n in range(int(sys.argv[2]))}
    plistlib.dump(values, open(sys.argv[1], "wb"), fmt=plistlib.FMT_BINARY)
    """

  @Test(
    "What is printed of very many keys is not held: each takes few bytes",
    arguments: [(command: ["inspect"], bytes: 250), (["inspect", "--json"], 250), (["report"], 500)])
  func manyKeys(command: [String], bytes: Int) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("com.acme.shop.plist")
    var peaks: [Int] = []
    for count in [10_000, 110_000] {
      let made = try Tool.run("python3", ["-c", Self.keys, file, "\(count)"])
      try #require(made.status == 0, "\(made.error)")
      let result = try Tool.measured([command[0], file] + command.dropFirst())
      #expect(result.status == 0, "\(result.error)")
      #expect(result.printed > (command[0] == "report" ? 100 : 20 * count))
      peaks.append(result.peak)
    }
    let each = (peaks[1] - peaks[0]) / 100_000
    #expect(each < bytes, "\(each) bytes a key")
  }

  /// A container, and a recipe with a field for each of its keys, none of which the new SDK would have.
  private static let fields = """
    import os, plistlib, sys
    folder, count = sys.argv[1], int(sys.argv[2])
    os.makedirs(folder + "/app/Library/Preferences", exist_ok=True)
    keys = {f"acme_{n % 4}_{n:05d}": f"value {n}" for n in range(count)}
    name = folder + "/app/Library/Preferences/com.acme.shop"
    plistlib.dump(keys | {"acme_id": "u-1"}, open(name + ".plist", "wb"), fmt=plistlib.FMT_BINARY)
    others = {f"f{n % 4}_{n:05d}": "other" for n in range(0, count, 2)}
    plistlib.dump(others | {"id": "u-2"}, open(name + ".acme.plist", "wb"), fmt=plistlib.FMT_BINARY)
    rule = '''
      - key: f{0}_${{each}}
        for-each: acme_{0}_*
        form: string
        describes: id
        from: [{{key: "acme_{0}_${{each}}", steps: [text]}}]
    '''
    head = '''carryover: recipe/1
    id: acme-sdk
    version: 1
    title: Acme 1 to 2
    legacy-sdk: Acme's SDK
    sources-read: ["Acme's sources."]
    read: [{suite: "${bundle-id}"}]
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    opt-out-keys: []
    fields:
    '''
    last = "  - {key: id, group: identity, form: string, from: [{key: acme_id}], loss: logged-out}\\n"
    text = head + "".join(rule.format(n)[1:] for n in range(4)) + last
    open(folder + "/acme.recipe.yaml", "w").write(text)
    """

  @Test(
    "Every command takes time and memory in proportion to the fields",
    arguments: [
      ["plan"], ["plan", "--json"], ["plan", "--on-conflict", "replace"], ["diagnose"], ["diagnose", "--json"],
      ["report"], ["report", "--html"], ["recipe", "explain", "--in"], ["audit"], ["apply", "--yes"],
    ])
  func manyFields(command: [String]) throws {
    let folder = try TemporaryFolder()
    var results: [Tool.Measured] = []
    for count in [1000, 4000] {
      let made = try Tool.run("python3", ["-c", Self.fields, folder.url.path, "\(count)"])
      try #require(made.status == 0, "\(made.error)")
      let (app, recipe) = (folder.path("app"), folder.path("acme.recipe.yaml"))
      let arguments =
        command[0] == "recipe"
        ? ["recipe", "explain", recipe, "--in", app]
        : [command[0], app, "--recipe", recipe] + (command[0] == "audit" ? [] : ["--bundle-id", "com.acme.shop"])
          + command.dropFirst()
      let result = try Tool.measured(arguments)
      #expect([0, 1, 2, 3].contains(result.status), "\(result)")
      #expect(!result.error.isEmpty || result.printed > 100)
      results.append(result)
    }
    #expect(results[1].seconds < 8 * results[0].seconds, "\(results)")
    #expect(results[1].peak < 8 * results[0].peak, "\(results)")
  }
}
