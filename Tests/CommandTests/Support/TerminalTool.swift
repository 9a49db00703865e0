import Foundation
import Testing

extension Tool {
  /// A step of a conversation: what is waited for, then a shell command to run, then what is typed.
  typealias Step = (wait: String, run: String, type: String)

  /// Runs the command on a terminal of its own, and answers its questions. Screens are tested by `Tests/Terminals`.
  /// - Returns: how it ended, and everything that it showed.
  static func onTerminal(
    _ arguments: [String], environment: [String] = [], _ steps: [Step]
  ) throws -> Result {
    let script = """
      import os, pty, select, subprocess, sys
      steps = sys.argv[2:2 + 3 * int(sys.argv[1])]
      command = sys.argv[2 + len(steps):]
      process, terminal = pty.fork()
      if process == 0:
          os.execvp(command[0], command)
      shown, new = b"", b""
      def read():
          if not select.select([terminal], [], [], 60)[0]:
              os.kill(process, 9)
              sys.exit("waited in vain; shown: " + shown.decode(errors="replace"))
          try:
              return os.read(terminal, 65536)
          except OSError:
              return b""
      for wait, run, typed in zip(steps[::3], steps[1::3], steps[2::3]):
          while wait.encode() not in new:
              piece = read()
              if not piece:
                  sys.exit(f"ended before {wait}; shown: " + shown.decode(errors="replace"))
              shown, new = shown + piece, new + piece
          new = b""
          if run:
              subprocess.run(run, shell=True, check=True)
          os.write(terminal, typed.encode())
      while piece := read():
          shown += piece
      sys.stdout.write(shown.decode(errors="replace").replace("\\r\\n", "\\n"))
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
      """
    let words = steps.flatMap { [$0.wait, $0.run, $0.type] }
    let variables = ["env", "TERM=xterm-256color", "COLUMNS=400"] + environment
    return try Tool.run(
      "python3", ["-c", script, "\(steps.count)"] + words + variables + [Tool.carryover.path] + arguments)
  }
}
