import CarryoverSystem
import Foundation

/// Makes archives with CPython's own writers, which can be told to write what no good tool would.
enum Packer {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a script that makes the archive `path`. It has `names` and `content` of a small container, and
  /// `tar(mode, entries)` and `zip(entries)` for entries of its own.
  static func pack(_ path: String, _ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", prelude + script, path]
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: String(decoding: text, as: UTF8.self)) }
  }

  private static let prelude = """
    import io, os, plistlib, struct, sys, tarfile, warnings, zipfile, zlib
    warnings.simplefilter("ignore")
    path = sys.argv[1]
    plist = lambda **values: plistlib.dumps(values, fmt=plistlib.FMT_BINARY)
    content = {
      "AppDataInfo.plist": plist(CFBundleIdentifier="com.acme.shop"),
      "AppData/Library/Preferences/com.acme.shop.plist": plist(rl_anonymous_id="a", theme="dark"),
      "AppData/Library/Application Support/state.json": b'{"a": 1}' * 40,
      "AppData/Library/Caches/Cafe\\u0301/picture.bin": bytes(range(256)) * 300,
      "AppData/Documents/empty.txt": b"",
    }
    names = list(content)

    def info(name, size=0, type=tarfile.REGTYPE, link=""):
      made = tarfile.TarInfo(name)
      made.size, made.type, made.linkname = size, type, link
      return made

    def tar(mode, entries, format=tarfile.PAX_FORMAT, to=None):
      with tarfile.open(to or path, mode, format=format) as made:
        for entry in entries:
          name, data = entry if isinstance(entry, tuple) else (entry, b"")
          if isinstance(name, str): name = info(name, len(data))
          made.addfile(name, io.BytesIO(data))

    def zip(entries, method=zipfile.ZIP_DEFLATED):
      with zipfile.ZipFile(path, "w", method) as made:
        for entry in entries: made.writestr(*entry, compress_type=method)

    def link(name):
      made = zipfile.ZipInfo(name)
      made.create_system, made.external_attr = 3, 0o120777 << 16
      return made

    def patch(*pairs):
      data = open(path, "rb").read()
      for old, new in pairs:
        assert old in data
        data = data.replace(old, new)
      open(path, "wb").write(data)

    class Pipe(io.RawIOBase):
      "Cannot seek, so that sizes come after the data, as macOS writes them."
      def __init__(self, file): self.file = file
      def writable(self): return True
      def write(self, data): return self.file.write(data)

    """
}
