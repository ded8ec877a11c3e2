extension CaseGenerator {
  /// Lets owners and members hold each other, most of them in agreement.
  mutating func relate(_ relation: RelationPlan, _ file: inout ArchivedFile) {
    let owners = objects(of: relation.owner, file)
    let members = objects(of: relation.member, file)
    var links: [(owner: Int, member: Int)] = []
    for member in members {
      if relation.isManyToMany {
        links += owners.filter { _ in chance(40) }.map { ($0, member) }
      } else if !owners.isEmpty, chance(85) {
        links.append((one(of: owners), member))
      }
    }
    for owner in owners {
      var held = links.filter { $0.owner == owner }.map(\.member)
      // Held by one that it does not know, or left out by the one that it knows.
      if chance(noise / 2), !members.isEmpty { held.append(one(of: members)) }
      if chance(noise / 2), !held.isEmpty { held.removeLast() }
      if held.isEmpty, chance(50) { continue }
      var kind = relation.isOrdered ? ArchivedCollection.Kind.array : .set
      if chance(noise) { kind = anyList() }
      let contents = held.map { Content.object($0) }
      let content =
        contents.count == 1 && chance(noise) ? contents[0] : add(kind, contents, &file)
      file.objects[owner].pairs.append(Pair(key: relation.key, content: content))
    }
    for member in members {
      let held = links.filter { $0.member == member }.map { Content.object($0.owner) }
      if held.isEmpty || chance(noise / 2) {
        if chance(20) {
          file.objects[member].pairs.append(Pair(key: relation.backKey, content: .none))
        }
        continue
      }
      var content = held[0]
      if relation.isManyToMany || chance(noise / 4) {
        content = add(chance(70) ? .set : .array, held, &file)
      } else if chance(noise / 3), !owners.isEmpty {
        content = .object(one(of: owners))
      }
      file.objects[member].pairs.append(Pair(key: relation.backKey, content: content))
    }
  }

  private func objects(of number: Int, _ file: ArchivedFile) -> [Int] {
    file.objects.indices.filter { file.objects[$0].className == classes[number].name }
  }

  /// Adds objects of value classes that hold something else, and lets others refer to them.
  mutating func addOddObjects(_ file: inout ArchivedFile) {
    guard !file.objects.isEmpty else { return }
    let holders = file.objects.count
    for _ in 0..<number(in: 1...2) {
      token += 1
      let tag = Pair(key: "tag", content: .leaf(.integer(Int64(1_000_000 + token)), isBoxed: false))
      let odd: ArchivedObject
      switch number(below: 5) {
      case 0:
        let bytes = (0..<28).map { UInt8(truncatingIfNeeded: $0 < 2 ? token >> (8 * $0) : 9) }
        odd = ArchivedObject(
          className: "NSUUID", identity: "NS.uuidbytes",
          pairs: [Pair(key: "NS.uuidbytes", content: .leaf(.data(bytes), isBoxed: false))])
      case 1:
        odd = ArchivedObject(
          className: "NSURL",
          pairs: [
            Pair(key: "NS.base", content: .none),
            Pair(key: "NS.relative", content: .leaf(.text("u\(token)"), isBoxed: true)), tag,
          ])
      case 2:
        odd = ArchivedObject(
          className: "NSDate",
          pairs: [Pair(key: "NS.time", content: .leaf(.text("d\(token)"), isBoxed: true)), tag])
      case 3:
        odd = ArchivedObject(
          className: "CKRecordID",
          pairs: [
            Pair(key: "RecordName", content: .leaf(.text("r\(token)"), isBoxed: true)),
            Pair(key: "ZoneID", content: .object(number(below: holders))), tag,
          ])
      default:
        odd = ArchivedObject(
          className: "NSIndexSet",
          pairs: [Pair(key: "NSRangeCount", content: .leaf(.text("x"), isBoxed: false)), tag])
      }
      file.objects.append(odd)
      let place = number(below: holders)
      let key = one(of: Self.keyNames)
      file.objects[place].pairs.removeAll { $0.key == key }
      file.objects[place].pairs.append(
        Pair(key: key, content: .object(file.objects.count - 1)))
    }
  }
}
