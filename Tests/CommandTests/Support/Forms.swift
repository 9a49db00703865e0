import Foundation

/// One container in every form that support is sent, made by CPython's own libraries.
struct Forms {
  let folder: TemporaryFolder

  /// The names below the folder under which the container lies, as an argument names it.
  static let all = [
    "Shop.xcappdata", "folder", "package.zip", "folder.tar.gz", "backup", "backup.zip",
    "package.zip/case/Shop.xcappdata",
    "backup/com.acme.shop", "backup.zip/device/com.acme.shop",
  ]
  /// Those that are only read.
  static let wrapped = all.filter { $0 != "Shop.xcappdata" && $0 != "folder" }

  /// Makes the forms of a package from Xcode.
  /// - Parameters:
  ///   - source: the package.
  ///   - others: how many more apps the backup has, each with one file.
  init(of source: String, others: Int = 0) throws {
    folder = try TemporaryFolder()
    let result = try Tool.run("python3", ["-c", Self.script, source, folder.url.path, "\(others)"])
    guard result.status == 0 else { throw Tool.Missing(result.error) }
  }

  init(of sample: SampleCopy) throws { try self.init(of: sample.path) }

  func path(_ form: String) -> String { folder.path(form) }

  private static let script = #"""
    import hashlib, os, plistlib, shutil, sqlite3, sys, tarfile, zipfile
    source, out, others = sys.argv[1], sys.argv[2], int(sys.argv[3])

    package = os.path.join(out, 'Shop.xcappdata')
    shutil.copytree(source, package, symlinks=True)
    folder = os.path.join(out, 'folder')
    shutil.copytree(os.path.join(source, 'AppData'), folder, symlinks=True)
    metadata = '.com.apple.mobile_container_manager.metadata.plist'
    with open(os.path.join(folder, metadata), 'wb') as file:
        plistlib.dump({'MCMMetadataIdentifier': 'com.acme.shop'}, file)

    def pack(name, root, start):
        with zipfile.ZipFile(os.path.join(out, name), 'w', zipfile.ZIP_DEFLATED) as archive:
            for place, _, names in os.walk(root):
                for entry in names:
                    path = os.path.join(place, entry)
                    archive.write(path, os.path.join(start, os.path.relpath(path, root)))

    pack('package.zip', package, 'case/Shop.xcappdata')
    with tarfile.open(os.path.join(out, 'folder.tar.gz'), 'w:gz') as archive:
        archive.add(folder, '.')

    backup = os.path.join(out, 'backup')
    os.mkdir(backup)
    index = sqlite3.connect(os.path.join(backup, 'Manifest.db'))
    index.execute('CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)')
    index.execute('CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB)')

    def keep(domain, path, flags, content=None):
        name = hashlib.sha1((domain + '-' + path).encode()).hexdigest()
        index.execute('INSERT INTO Files VALUES (?, ?, ?, ?, ?)', (name, domain, path, flags, b''))
        if content is not None:
            os.makedirs(os.path.join(backup, name[:2]), exist_ok=True)
            with open(os.path.join(backup, name[:2], name), 'wb') as file:
                file.write(content)

    domain = 'AppDomain-com.acme.shop'
    keep(domain, '', 2)
    for place, folders, names in os.walk(folder):
        for entry in folders:
            path = os.path.join(place, entry)
            keep(domain, os.path.relpath(path, folder), 4 if os.path.islink(path) else 2)
        for entry in names:
            path = os.path.join(place, entry)
            if entry != metadata:
                with open(path, 'rb') as file:
                    keep(domain, os.path.relpath(path, folder), 1, file.read())
    for number in range(others):
        keep('AppDomain-com.other.app%d' % number, 'Library/Preferences/com.other.app%d.plist' % number, 1,
             plistlib.dumps({'number': number}))
    if others:
        keep(domain, 'Library/Preferences/lost.plist', 1)
        keep(domain, 'Documents/latest', 4)
        keep('AppDomainGroup-group.com.acme.shop', 'Library/Preferences/group.com.acme.shop.plist', 1,
             plistlib.dumps({'shared': True}))
    index.commit()
    index.close()
    for name, content in [('Manifest.plist', {'IsEncrypted': False, 'Version': '10.0'}), ('Info.plist', {}), ('Status.plist', {})]:
        with open(os.path.join(backup, name), 'wb') as file:
            plistlib.dump(content, file)
    pack('backup.zip', backup, 'device')
    """#
}
