# A formula that builds archive-convert from the last commit in the clone that it is in:
#
#   brew install --HEAD ./Packaging/archive-convert.rb
#
# Untried: there was no Homebrew where it was written.
class ArchiveConvert < Formula
  desc "Convert keyed archives and Core Data stores to SQLite"
  homepage "file://#{File.expand_path("../README.md", __dir__)}"
  license "MIT"
  head "file://#{File.expand_path("..", __dir__)}", using: :git, branch: "main"

  depends_on "pkgconf" => :build
  depends_on "libxml2"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "zlib"
  # Swift 6.2 or later.
  uses_from_macos "swift" => :build

  def install
    system "make", "install", "PREFIX=#{prefix}", "SWIFT_FLAGS=--disable-sandbox"
  end

  test do
    assert_match(/\d/, shell_output("#{bin}/archive-convert --version"))
  end
end
