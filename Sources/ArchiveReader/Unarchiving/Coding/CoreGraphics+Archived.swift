import Foundation

extension CGPoint {
  /// The point in a text such as "{1, 2.5}"; nil if there is none.
  package init?(archived text: String) {
    guard let point = ArchivedPoint(text: text) else { return nil }
    self.init(x: point.x, y: point.y)
  }
}

extension CGSize {
  /// The size in a text such as "{640, 480}"; nil if there is none.
  package init?(archived text: String) {
    guard let size = ArchivedSize(text: text) else { return nil }
    self.init(width: size.width, height: size.height)
  }
}

extension CGRect {
  /// The rectangle in a text such as "{{0, 0}, {640, 480}}"; nil if there is none.
  package init?(archived text: String) {
    guard let rect = ArchivedRect(text: text) else { return nil }
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
