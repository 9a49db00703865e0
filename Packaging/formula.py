"""The formula for Homebrew: on Linux the archive of the static command, elsewhere built from the commit."""

from __future__ import annotations

TEMPLATE = """\
# typed: strict
# frozen_string_literal: true

# Inspector and migrator for the data of iOS apps.
class Carryover < Formula
  desc "Inspector and migrator for the data of iOS apps"
  homepage "{home}"
  license "Apache-2.0"
  version "{version}"

  on_macos do
    url "{home}.git", revision: "{commit}"
    depends_on xcode: ["26.0", :build]
    depends_on "libyaml"
  end

  on_linux do
    depends_on arch: :x86_64
    on_intel do
      url "{home}/releases/download/v{version}/{archive}"
      sha256 "{digest}"
    end
  end

  def install
    if OS.mac?
      system "make", "release"
      system "make", "install", "PREFIX=#{{prefix}}"
    else
      bin.install "carryover"
      man1.install Dir["man/man1/*"]
      man5.install Dir["man/man5/*"]
      bash_completion.install "completions/carryover.bash" => "carryover"
      zsh_completion.install "completions/_carryover"
      fish_completion.install "completions/carryover.fish"
      prefix.install "LICENSE", "THIRD-PARTY.txt"
    end
  end

  test do
    assert_equal version.to_s, shell_output("#{{bin}}/carryover --version").strip
  end
end
"""


def formula(version: dict, home: str, archive: str, digest: str) -> str:
    return TEMPLATE.format(home=home, version=version["version"], commit=version["commit"], archive=archive, digest=digest)
