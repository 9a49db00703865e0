struct RandomText: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func text(upTo length: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      text.append(contentsOf: piece().unicodeScalars)
    }
    return String(text)
  }

  private mutating func piece() -> String {
    let hostile = [
      "\u{1B}[2J", "\u{9B}31m", "\u{202E}", "\u{200D}", "\u{FE0F}", "\u{0}", "\n", "\t", "\u{7F}", "\\", "\\n",
      "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "漢", "ｆ", "가", "\u{1100}\u{1161}\u{11A8}", "e\u{301}", "\u{301}",
      "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", "\u{E000}", "\u{10FFFF}", "\u{2028}", "─", "┼", "-", "+", "|",
    ]
    switch UInt8.random(in: 0..<10, using: &self) {
    case 0..<4:
      return String(UnicodeScalar(UInt8.random(in: 0x20..<0x7F, using: &self)))
    case 4..<8:
      return hostile.randomElement(using: &self) ?? ""
    default:
      return Unicode.Scalar(UInt32.random(in: 0..<0x20000, using: &self)).map { String($0) } ?? "?"
    }
  }
}
