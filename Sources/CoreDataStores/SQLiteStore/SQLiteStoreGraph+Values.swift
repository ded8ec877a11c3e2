internal import CSQLite
import GraphCore
import Support

/// The values of objects.
extension SQLiteStoreGraph {
  func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    let row: StoredRow
    do throws(ArchiveError) {
      row = try self.row(of: object.uid)
    } catch {
      guard salvages else { throw error }
      for position in 0..<object.keyCount {
        values[position] = try value(of: object, at: position)
      }
      return
    }
    for position in 0..<object.keyCount {
      values[position] = try value(object, position, row)
    }
  }

  func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
    if case .links(let links, let place) = properties[object.shape][position] {
      return collection(links, place, of: object.uid)
    }
    do throws(ArchiveError) {
      return try value(object, position, try row(of: object.uid))
    } catch {
      guard salvages else { throw error }
      return .null
    }
  }

  func reference(of object: GraphObject, at position: Int) -> Int? {
    guard case .reference = properties[object.shape][position],
      case .object(let uid, _)? = try? value(of: object, at: position)
    else { return nil }
    return uid
  }

  @inline(__always)
  private func value(
    _ object: GraphObject, _ position: Int, _ row: StoredRow
  ) throws(ArchiveError) -> GraphValue {
    do throws(ArchiveError) {
      switch properties[object.shape][position] {
      case .attribute(let type, let column, let isExternal):
        let number = RowReader.headCount + column
        if isExternal, row[number].kind == csq_kind_blob {
          return try externalValue(number, object.uid, row[number].bytes)
        }
        if store.isTemporary, row[number].kind == csq_kind_blob,
          let value = ValueDecoder.value(ofText: row[number].bytes, type)
        {
          return value
        }
        return try ValueDecoder.value(row[number], type)
      case .reference(let target, let column, let entityColumn):
        let cell = row[RowReader.headCount + column]
        guard cell.kind != csq_kind_null else { return .null }
        guard cell.kind == csq_kind_integer else {
          throw ArchiveError(.wrongKind, name: "a key of an object")
        }
        let number = entityColumn.map { row[RowReader.headCount + $0] }
        return try referred(
          toKey: cell.integer, target,
          number: number.flatMap { $0.kind == csq_kind_integer ? $0.integer : nil })
      case .links(let links, let place):
        return collection(links, place, of: object.uid)
      }
    } catch {
      guard salvages else {
        let key = layout.entities[object.shape].keys[position]
        throw error.placed(at: store.position(of: object.uid, key))
      }
      return .null
    }
  }

  /// The object with a key among those that a relationship may lead to, and with the number of its
  /// entity, where the reference has that.
  func referred(
    toKey key: Int64, _ target: StoreLayout.Target, number: Int64? = nil
  ) throws(ArchiveError) -> GraphValue {
    guard let rank = tables[target.table].rank(ofKey: key) else {
      throw ArchiveError(
        .danglingReference, name: "\(layout.entities[target.entity].record.name) \(key)")
    }
    let entity = tables[target.table].entity(rank)
    let expected = number ?? layout.entities[entity].number
    guard layout.isKind(entity, of: target.entity), expected == layout.entities[entity].number
    else {
      throw ArchiveError(
        .wrongKind, name: "an object of the entity \(layout.entities[target.entity].record.name)")
    }
    return .object(uid: tables[target.table].base + rank, class: classID(entity))
  }

  /// The data of an attribute whose data may be kept in a file.
  private func externalValue(
    _ column: Int, _ uid: Int, _ bytes: BorrowedBytes
  ) throws(ArchiveError) -> GraphValue {
    switch ExternalDataFolder.form(bytes) {
    case .inline(let range): return .data(bytes.part(range))
    case .file(let name):
      guard let (table, _) = store.index.location(of: uid), let block = rows[table]?.block else {
        throw ArchiveError(.danglingReference, name: "\(uid)")
      }
      // The block of the row keeps the file as long as its own bytes.
      let slot = uid &* 4_096 &+ column
      if let known = block.files[slot] { return unsafe .data(BorrowedBytes(known.bytes)) }
      guard let file = try store.externalData.open(name) else { return .data(.none) }
      block.files[slot] = file
      return unsafe .data(BorrowedBytes(file.bytes))
    }
  }
}
