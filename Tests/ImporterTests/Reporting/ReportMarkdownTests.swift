import Converter
import Foundation
import Testing

@Suite("A report in Markdown")
struct ReportMarkdownTests {
  @Test("has the verdict, the facts, the entities and all lists")
  func wholeReport() throws {
    let text = try FullReport.report().text(as: .markdown)
    #expect(text == Self.expected)
  }

  @Test(
    "takes no text of an archive for a mark",
    arguments: [
      ("a|b", "`a\\|b`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("<b>", "`<b>`"),
      ("a\nb", "`a⏎b`"), ("a\u{202E}b", "`a�b`"),
    ])
  func escapes(name: String, shown: String) throws {
    var report = try FullReport.report()
    report.unmappedClasses[0].className = name
    #expect(try report.text(as: .markdown).contains("\n| \(shown) | 3 |\n"))
  }

  static let expected = """
    # 2 of 4 archives were migrated, 1 is a duplicate, 1 was rejected, parts could not be read, pass second failed; 13 of 20 objects became rows; 2 objects, 11 values and 3 links were left behind; 7 values could not be kept exactly; the store differs from the archives in 2 places.

    - Store: `out.db`
    - Layout: relational
    - Size: 41.0 kB (40,960 bytes)
    - SHA-256: `33b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275`
    - Started: 2026-01-02 03:04:05 UTC
    - Duration: 1.50 s
    - Collections: 1 under top-level keys or in other collections
    - Metadata of stores: 3 values
    - Verification: failed, 16 values and 14 links compared
    - Converter: version 0.1.0

    ## Findings

    - **1 archive was rejected.**
    - **5 parts of archives could not be read.**
    - **Pass second failed (3 errors); the rows of first were kept.**
    - **2 places in the store differ from the archives.**
    - **3 validation errors were found.**
    - **Not converted: 1 typedstream.**
    - **2 values and rows could not be compared by the verification.**
    - **5 values could not be kept exactly.**
    - **3 contradictions were found in the archives.**
    - **5 values were left behind or changed by the migration.**
    - **3 links were left behind or replaced by the migration.**
    - **4 values are missing that the new model demands: Core Data does not save the objects.**
    - **1 part of the mapping models was left out, since the model was edited later.**
    - **2 objects were left behind by the migration.**
    - **1 key was not read.**
    - **1 name of the mapping or an option matches nothing in the archives.**
    - **1 class has no entity.**
    - **3 objects were not converted: they are reachable only through keys that were not read.**
    - **2 values cannot be represented in the store.**
    - 7 unreachable objects were left behind.
    - 1 archive is a duplicate.
    - 1 declaration of the model causes a warning in Xcode.
    - 1 view of the mapping has rows.
    - 1 note concerns the stores.
    - 1 step of a migration was run.
    - 1 object was excluded by a filter, a hook or a policy.
    - 1 key was ignored on purpose.
    - 1 key was read only for expressions, key paths or filters.
    - 1 value class has objects stored as rows.
    - 1 relationship was set from both sides.
    - 1 collection held by several objects was copied.
    - 1 archive has no top-level keys.
    - 4 wrappers were replaced by what they hold.
    - 2 control characters that XML forbids were kept.
    - Not converted: 1 file.
    - 4 files and directories were excluded by name.

    ## Rejected

    Nothing of these was converted.

    | archive and its SHA-256 | what is wrong | format | bytes |
    | --- | --- | --- | ---: |
    | `notes/c.archive`<br>`e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855` | `is empty` | empty | 0 |

    ## Damage

    Parts that could not be read; the rest of each archive was converted.

    | archive | object | key | reason |
    | --- | ---: | --- | --- |
    | `notes/b.xml` | 12 | `title` | `<date> does not contain a valid date (object 12, key title)` |
    | `notes/b.xml` |  |  | `the binary property list is truncated (byte 980)` |

    … and 3 more: use --report-full to list all.

    ## Differences

    Where the store differs from the archives.

    | archive | object | entity | row | property | expected | found |
    | --- | ---: | --- | ---: | --- | --- | --- |
    | `notes/a.archive` | 9 | `Note` | 5 | `title` | `Milk` | `Silk` |

    … and 1 more: use --report-full to list all.

    ## Not compared

    What the verification could not compare, and why.

    | entity | property | reason | count |
    | --- | --- | --- | ---: |
    | `Note` | `summary` | `a hook made it` | 2 |

    ## Validation errors

    Values and rows that the model does not allow, or that could not be created.

    | archive | rule | what is wrong |
    | --- | --- | --- |
    | `notes/a.archive` | wrongKind | `object 9 (MTNote), key rank: Note.rank: cannot hold this text` |

    … and 2 more: use --report-full to list all.

    ## Lossy conversions by kind

    The number of affected values, by key and kind of loss.

    | class and key | what was lost | values |
    | --- | --- | ---: |
    | `MTNote.title` | `an unpaired surrogate became U+FFFD` | 5 |

    ## Lossy conversions

    Values that could not be stored exactly.

    | archive | object | class and key | before | after | what was lost |
    | --- | ---: | --- | --- | --- | --- |
    | `notes/a.archive` | 9 | `MTNote.title` | `a\\ud800b` | `a�b` | `an unpaired surrogate became U+FFFD` |

    … and 4 more: use --report-full to list all.

    ## Conflicts

    Where archives contradict each other or themselves.

    | archive | object | class | entity | row | property | what disagrees |
    | --- | ---: | --- | --- | ---: | --- | --- |
    | `notes/a.archive` | 8 | `MTNote` | `Note` | 4 | `folder` | the two sides name different rows; the owning side was kept |

    … and 2 more: use --report-full to list all.

    ## Unread keys

    The model or mapping has these classes, but nothing read these keys. $archive stands for the \
    outermost dictionary of a file, and a table of a Core Data store for itself.

    | class | key | objects |
    | --- | --- | ---: |
    | `MTNote` | `rank` | 6 |

    ## Classes without an entity

    The model or mapping has no entity for objects of these classes.

    | class | objects |
    | --- | ---: |
    | `MTGhost` | 3 |

    ## Unconverted objects

    They are reachable only through keys that were not read.

    | class | objects |
    | --- | ---: |
    | `MTGhost` | 3 |

    ## Not in the store

    The layout of the store cannot represent these.

    | entity | property or key | what | count |
    | --- | --- | --- | ---: |
    | `top level` | `version` | only the top-level key holds it | 2 |

    ## Names that match nothing

    The mapping or an option has these names, but the archives do not.

    | place | line | column | what is wrong |
    | --- | ---: | ---: | --- |
    | `m.yaml` | 3 | 7 | `no archive has a class 'MTNot' (did you mean 'MTNote'?)` |

    ## Migration

    What became of the objects of the old store, step by step.

    | step | entity mapping | objects before | objects after | left behind |
    | --- | --- | ---: | ---: | --- |
    | `App to App 2, by 1to2.xcmappingmodel` | `NoteToMemo` | 4 | 3 | `count (2), folder (2), rank (3)` |

    ## Notes on the stores

    What is left out of Core Data stores, and what else to know of them.

    | note |
    | --- |
    | `App.sqlite: the table ACHANGE is left out (5 rows): Core Data's history of changes` |

    ## Views

    What the mapping has looked for in the store.

    | view | rows | what they are |
    | --- | ---: | --- |
    | `orphan` | 2 | `Notes in no folder` |

    ## Unconverted files

    These files in directories contain no keyed archive. Of other files, no digest is taken: \
    nothing but their first bytes is read.

    | file and its SHA-256 | kind | what it is | bytes |
    | --- | --- | --- | ---: |
    | `notes/old` | typedstream | `a typedstream (NSArchiver's format)` | 40 |

    … and 1 more: use --report-full to list all.

    ## Archives

    The archives that were read, in this order. 1 of them is inside of another.

    | archive and its SHA-256 | outcome | format | objects | bytes | note |
    | --- | --- | --- | ---: | ---: | --- |
    | `notes/a.archive`<br>`7ab440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275` | converted | binary | 45 | 1,364 |  |
    | `notes/b.xml`<br>`11b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275` | converted | xml | 20 | 980 | `5 parts could not be read` |
    | `notes/b.xml#7.state`<br>`22b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275` | converted | binary | 9 | 99 | `inside notes/b.xml` |
    | `notes/copy of a.archive`<br>`7ab440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275` | skipped |  |  | 1,364 | `same bytes as notes/a.archive` |

    ## Entities

    | entity | archived objects | rows | values | links |
    | --- | ---: | ---: | ---: | ---: |
    | `Folder` | 2 | 2 | 2 | 6 |
    | `Note` | 6 | 5 | 14 | 8 |

    ### `Folder`

    | property | key | type | values | nil |
    | --- | --- | --- | ---: | ---: |
    | `name` | `name` | string | 2 | 0 |
    | `notes` |  | →→ `Note`, inverse `folder` | 5 |  |
    | `parent` |  | → `Folder` | 1 |  |

    ### `Note`

    | property | key | type | values | nil |
    | --- | --- | --- | ---: | ---: |
    | `title` | `title` | string | 3 | 2 |
    | `tags` | `tags` | collection of string | 11 | 0 |
    | `folder` |  | → `Folder`, inverse `notes` | 5 |  |
    | `attachments` |  | →→ any | 3 |  |

    ## Excluded objects

    A filter, a hook or a policy excluded them.

    | class | objects |
    | --- | ---: |
    | `MTNote` | 1 |

    ## Keys ignored on purpose

    The mapping or a hook declares them unneeded.

    | class | key | objects |
    | --- | --- | ---: |
    | `MTNote` | `modelContext` | 6 |

    ## Keys read only to derive values

    Expressions, key paths or filters read them; their original values are not in the store.

    | class | key | objects |
    | --- | --- | ---: |
    | `MTNote` | `rank` | 4 |

    ## Value classes with objects stored as rows

    These objects have unexpected keys or values; all others are stored as values.

    | class |
    | --- |
    | `NSUUID` |

    ## Relationships set from both sides

    Hooks set them twice; one side is enough.

    | relationship |
    | --- |
    | `Note.folder` |

    ## Notes on the model

    Xcode warns about these declarations but compiles them; they are read as Xcode reads them.

    | declaration |
    | --- |
    | `Note.folder: the inverse notes does not refer back` |

    """
}
