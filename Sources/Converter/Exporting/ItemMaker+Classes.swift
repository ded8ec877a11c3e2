import ArchiveReader
import ArchiveWriter
import Foundation
import GraphCore

extension ItemMaker {
  /// An object of a class that a type stands for, by the first name of those that are archived alike.
  mutating func special(_ kind: String, _ name: String, _ fields: Fields) -> Item? {
    switch kind {
    case "NSColor": color(name, fields)
    case "UIColor": uiColor(name, fields)
    case "NSColorList":
      instance(
        name,
        [
          ("NSName", item(fields["name"])), ("NSKeys", item(fields["keys"])),
          ("NSColors", item(fields["colors"])),
        ])
    case "NSValue": concreteValue(name, fields)
    case "NSAttributedString": attributedString(name, fields)
    case "NSIndexSet": indexSet(name, fields)
    case "NSIndexPath": indexPath(name, fields)
    case "NSBezierPath": bezierPath(name, fields)
    case "NSAffineTransform": affineTransform(name, fields)
    case "_NSKeyedCoderOldStyleArray": oldStyleArray(name, fields)
    case "NSSimpleRegularExpressionCheckingResult": checkingResult(name, fields)
    case "NSHashTable":
      table(name, options: [fields["options"]], fields["elements"]?.list)
    case "NSMapTable":
      table(
        name, options: [fields["keyOptions"], fields["valueOptions"]],
        fields["pairs"]?.list.map { pairs in pairs.flatMap { $0.list ?? [] } })
    default: predicate(kind, name, fields)
    }
  }

  private mutating func color(_ name: String, _ fields: Fields) -> Item? {
    guard let space = fields["colorSpace"]?.integer else { return nil }
    let key =
      switch space {
      case 1, 2: "NSRGB"
      case 3, 4: "NSWhite"
      default: "NSCYMK"
      }
    let all = (fields["components"]?.list ?? []) + (fields["alpha"].map { [$0] } ?? [])
    return instance(
      name,
      [
        ("NSColorSpace", .plain(.integer(space))),
        (key, all.isEmpty ? nil : components(.list(all))),
        ("NSComponents", components(fields["customComponents"])),
        ("NSCustomColorSpace", item(fields["customColorSpace"])),
        ("NSCatalogName", item(fields["catalog"])), ("NSColorName", item(fields["name"])),
        ("NSColor", item(fields["color"])), ("NSImage", item(fields["pattern"])),
      ])
  }

  private mutating func uiColor(_ name: String, _ fields: Fields) -> Item? {
    let components = fields["components"]
    return instance(
      name,
      [
        ("UIColorComponentCount", integer(fields["componentCount"])),
        ("UIRed", real(fields["red"])), ("UIGreen", real(fields["green"])),
        ("UIBlue", real(fields["blue"])), ("UIWhite", real(fields["white"])),
        ("UIAlpha", real(fields["alpha"])), ("NSColorSpace", integer(fields["colorSpace"])),
        (
          components?.list.map { $0.count < 3 } ?? false ? "NSWhite" : "NSRGB",
          self.components(components)
        ),
        ("UISystemColorName", item(fields["systemColorName"])),
        ("UIPatternSelector", item(fields["patternSelector"])),
      ])
  }

  private mutating func concreteValue(_ name: String, _ fields: Fields) -> Item? {
    func special(_ number: Int, _ pairs: [(String, Item?)]) -> [(String, Item?)] {
      pairs + [("NS.special", integer(number))]
    }
    if let point = fields["point"]?.record {
      return instance(name, special(1, [("NS.pointval", pair(point, "x", "y"))]))
    }
    if let size = fields["size"]?.record {
      return instance(name, special(2, [("NS.sizeval", pair(size, "width", "height"))]))
    }
    if let rect = fields["rect"]?.record {
      return instance(name, special(3, [("NS.rectval", self.rect(rect))]))
    }
    if let range = fields["range"]?.record {
      return instance(
        name,
        special(
          4,
          [
            ("NS.rangeval.location", integer(range["location"])),
            ("NS.rangeval.length", integer(range["length"])),
          ]))
    }
    if let insets = fields["edgeInsets"]?.record {
      let edges = ["top", "left", "bottom", "right"].map { ("NS.edgeval.\($0)", real(insets[$0])) }
      return instance(name, special(12, edges))
    }
    return unkeyed(name, [fields["type"]] + (fields["values"]?.list ?? []), [])
  }

  /// An object whose values have no keys, but some have.
  private mutating func unkeyed(
    _ name: String, _ values: [JSONTree?], _ pairs: [(String, Item?)]
  ) -> Item? {
    var pairs = pairs
    for (number, json) in values.enumerated() { pairs.append(("$\(number)", item(json))) }
    return instance(name, pairs)
  }

  private mutating func attributedString(_ name: String, _ fields: Fields) -> Item? {
    guard let runs = fields["runs"]?.list else { return nil }
    var slots: [JSONTree: Int] = [:]
    var (attributes, info): ([JSONTree], [Int64]) = ([], [])
    for run in runs {
      guard let run = run.record, let length = run["length"]?.integer, let own = run["attributes"]
      else { return nil }
      let slot = slots[own] ?? attributes.count
      if slot == attributes.count {
        attributes.append(own)
        slots[own] = slot
      }
      info += [length, Int64(slot)]
    }
    var dictionaries: [Item] = []
    for own in attributes {
      guard let dictionary = dictionary(own.record) else { return nil }
      dictionaries.append(dictionary)
    }
    let list = Item.collection(.array, keys: [], values: dictionaries)
    return instance(
      name,
      [
        ("NSString", item(fields["text"])),
        ("NSAttributes", runs.isEmpty ? nil : runs.count == 1 ? dictionaries.first : list),
        ("NSAttributeInfo", runs.count > 1 ? packed(info) : nil),
      ])
  }

  private mutating func indexSet(_ name: String, _ fields: Fields) -> Item? {
    let ranges = fields["ranges"]?.list?.compactMap(\.record) ?? []
    let numbers = ranges.flatMap { [$0["location"]?.integer, $0["length"]?.integer] }
      .compactMap { $0 }
    guard numbers.count == ranges.count * 2 else { return nil }
    let isOne = ranges.count == 1
    return instance(
      name,
      [
        ("NSRangeCount", integer(ranges.count)),
        ("NSLocation", isOne ? integer(.integer(numbers[0])) : nil),
        ("NSLength", isOne ? integer(.integer(numbers[1])) : nil),
        ("NSRangeData", ranges.count > 1 ? packed(numbers) : nil),
      ])
  }

  private mutating func indexPath(_ name: String, _ fields: Fields) -> Item? {
    let indexes = fields["indexes"]?.list?.compactMap(\.integer) ?? []
    return instance(
      name,
      [
        ("NSIndexPathLength", integer(indexes.count)),
        ("NSIndexPathValue", indexes.count == 1 ? integer(.integer(indexes[0])) : nil),
        ("NSIndexPathData", indexes.count > 1 ? packed(indexes) : nil),
      ])
  }

  private mutating func bezierPath(_ name: String, _ fields: Fields) -> Item? {
    let operations = ["moveTo", "lineTo", "curveTo", "close"]
    var bytes: [UInt8] = []
    for segment in fields["segments"]?.list ?? [] {
      let segment = segment.record
      guard let operation = segment?["operation"]?.text.flatMap({ operations.firstIndex(of: $0) })
      else { return nil }
      for point in segment?["points"]?.list ?? [] {
        guard let x = point.record?["x"]?.real, let y = point.record?["y"]?.real else { return nil }
        bytes.append(UInt8(operation))
        bytes += Self.floats([x, y])
      }
    }
    return instance(
      name,
      [
        ("NSSegments", bytes.isEmpty ? nil : .plain(.data(Data(bytes)))),
        ("NSLineWidth", real(fields["lineWidth"])), ("NSFlatness", real(fields["flatness"])),
        ("NSMiterLimit", real(fields["miterLimit"])),
        ("NSWindingRule", integer(fields["windingRule"])),
        ("NSLineCapStyle", integer(fields["lineCapStyle"])),
        ("NSLineJoinStyle", integer(fields["lineJoinStyle"])),
      ])
  }

  private mutating func affineTransform(_ name: String, _ fields: Fields) -> Item? {
    let transform = fields["transform"]?.record
    let numbers = ["a", "b", "c", "d", "tx", "ty"].compactMap { transform?[$0]?.real }
    return instance(name, [("NSTransformStruct", .plain(.data(Data(Self.floats(numbers)))))])
  }

  /// Numbers as floats of four bytes, the highest first.
  private static func floats(_ numbers: [Double]) -> [UInt8] {
    numbers.flatMap { number in
      let bits = Float(number).bitPattern
      return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    }
  }

  private mutating func oldStyleArray(_ name: String, _ fields: Fields) -> Item? {
    let elements = fields["elements"]?.list ?? []
    guard let type = fields["type"]?.text?.unicodeScalars.first else { return nil }
    return unkeyed(
      name, elements,
      [
        ("NS.type", integer(Int(type.value))), ("NS.size", integer(fields["size"])),
        ("NS.count", integer(elements.count)),
      ])
  }

  private mutating func checkingResult(_ name: String, _ fields: Fields) -> Item? {
    let range = fields["range"]?.record
    let ranges = fields["ranges"]?.list?.map { range in
      JSONTree.record(["class": .text("NSValue"), "range": range])
    }
    return instance(
      name,
      [
        ("NSRangeLocation", integer(range?["location"])),
        ("NSRangeLength", integer(range?["length"])),
        ("NSRangeArray", item(ranges.map { .list($0) })),
        ("NSRegularExpression", item(fields["regularExpression"])),
      ])
  }

  private mutating func table(
    _ name: String, options: [JSONTree?], _ values: [JSONTree]?
  ) -> Item? {
    let entries = (values?.count ?? 0) / options.count
    return unkeyed(
      name, options + (values ?? []) + [.null], [("NS.count", integer(entries))])
  }
}

extension ItemMaker {
  private mutating func predicate(_ kind: String, _ name: String, _ fields: Fields) -> Item? {
    guard let keys = Self.predicateKeys[kind] else { return nil }
    var pairs: [(String, Item?)] = []
    for (part, key) in keys { pairs.append((Self.renamed[name]?[key] ?? key, item(fields[part]))) }
    return instance(name, pairs)
  }

  /// The keys of the parts of predicates and expressions, by the first name of their classes.
  private static let predicateKeys: [String: KeyValuePairs<String, String>] = [
    "NSComparisonPredicate": [
      "left": "NSLeftExpression", "operator": "NSPredicateOperator", "right": "NSRightExpression",
    ],
    "NSCompoundPredicate": [
      "type": "NSCompoundPredicateType", "subpredicates": "NSSubpredicates",
    ],
    "NSTruePredicate": [:],
    "NSPredicateOperator": [
      "type": "NSOperatorType", "modifier": "NSModifier", "options": "NSOptions",
      "variant": "NSVariant", "isNegated": "NSNegate", "position": "NSPosition",
      "selector": "NSSelectorName",
    ],
    "NSConstantValueExpression": [
      "type": "NSExpressionType", "constant": "NSConstantValue",
      "constantClass": "NSConstantValueClassName", "variable": "NSVariable",
      "keyPath": "NSKeyPath", "operand": "NSOperand", "selector": "NSSelectorName",
      "arguments": "NSArguments", "elements": "NSCollection", "collection": "NSExpression",
      "predicate": "NSSubpredicate", "left": "NSLeftExpression", "right": "NSRightExpression",
      "fetchRequest": "NSFRExpression", "context": "NSMOCExpression",
      "isCountOnly": "NSCountOnlyFlag",
    ],
  ]

  /// The keys that some classes have in the place of others.
  private static let renamed: [String: [String: String]] = [
    "NSStringPredicateOperator": ["NSOptions": "NSFlags"],
    "NSSubstringPredicateOperator": ["NSOptions": "NSFlags"],
    "NSMatchingPredicateOperator": ["NSOptions": "NSFlags"],
    "NSLikePredicateOperator": ["NSOptions": "NSFlags"],
    "NSInPredicateOperator": ["NSOptions": "NSFlags"],
    "NSTernaryExpression": [
      "NSSubpredicate": "NSPredicate", "NSLeftExpression": "NSTrueExpression",
      "NSRightExpression": "NSFalseExpression",
    ],
  ]
}
