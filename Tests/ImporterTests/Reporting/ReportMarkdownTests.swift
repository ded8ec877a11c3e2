import Foundation
import Importer
import Testing

@Suite("A report in Markdown")
struct ReportMarkdownTests {
  @Test("has the verdict, the facts, the entities and all lists")
  func wholeReport() throws {
    #expect(try FullReport.report().text(as: .markdown) == Self.expected)
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
    # 2 of 4 archives were converted, 1 is a duplicate, 1 was rejected, parts could not be read, pass second failed; the store differs from the archives in 2 places.

    - Store: `out.db`
    - Layout: relational
    - Size: 41.0 kB (40,960 bytes)
    - SHA-256: `33b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275`
    - Begun: 2026-01-02 03:04:05 UTC
    - Took: 1.50 s
    - Verification: failed, 16 values and 14 links compared
    - Converter: version 0.1.0

    ## What was found

    - **1 archive was rejected.**
    - **5 parts of archives could not be read.**
    - **Pass second failed (3 errors); kept is what first wrote.**
    - **2 places in the store are not as the archives have it.**
    - **3 values and rows break a rule.**
    - **Not converted: 1 typedstream.**
    - **2 values and rows could not be compared by the verification.**
    - **5 values could not be kept exactly.**
    - **3 statements contradict others.**
    - **1 key was not read.**
    - **1 name of the mapping matches nothing in the archives.**
    - **1 class has no entity.**
    - **3 objects were not converted, since only what is not read leads there.**
    - **2 values have no place in the store.**
    - 7 objects that nothing leads to were left unread.
    - 1 archive has the same bytes as another.
    - 1 declaration of the model is one that Xcode warns of.
    - 1 object was left out by a filter, a hook or a policy.
    - 1 key was left behind on purpose.
    - 1 key was read for expressions, key paths or filters only.
    - 1 class of values has objects that became rows.
    - 1 relationship was set from both sides.
    - 1 collection that several objects hold was copied.
    - 2 control characters that XML forbids were kept.
    - Not converted: 1 file.
    - 4 files and directories were left out by their names.

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

    ## Archives

    What was read, in the order of reading.

    | archive and its SHA-256 | outcome | format | objects | bytes | note |
    | --- | --- | --- | ---: | ---: | --- |
    | `notes/a.archive`<br>`7ab440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275` | converted | binary | 45 | 1364 |  |
    | `notes/b.xml`<br>`11b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275` | converted | xml | 20 | 980 | `5 parts could not be read` |
    | `notes/b.xml#7.state`<br>`22b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275` | converted | binary | 9 | 99 | `inside of notes/b.xml` |
    | `notes/c.archive` | **rejected** |  |  |  | `is empty` |
    | `notes/copy of a.archive`<br>`7ab440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275` | skipped |  |  | 1364 | `same bytes as notes/a.archive` |

    ## Files that were not converted

    No keyed archive is in these files of directories.

    | file | kind | bytes | what it is |
    | --- | --- | ---: | --- |
    | `notes/old` | typedstream | 40 | `a typedstream (NSArchiver's format)` |

    … and 1 more: a run with --report-full lists all.

    ## Damages

    What could not be read of archives whose rest was converted.

    | archive | object | key | reason |
    | --- | ---: | --- | --- |
    | `notes/b.xml` | 12 | `title` | `a <date> does not hold a date (object 12, key title)` |
    | `notes/b.xml` |  |  | `the binary property list is cut off (byte 980)` |

    … and 3 more: a run with --report-full lists all.

    ## Differences

    Where the store does not say what the archives do.

    | archive | object | entity | row | property | expected | found |
    | --- | ---: | --- | ---: | --- | --- | --- |
    | `notes/a.archive` | 9 | `Note` | 5 | `title` | `Milk` | `Silk` |

    … and 1 more: a run with --report-full lists all.

    ## Not compared

    What the verification could not compare, and why.

    | entity | property | reason | count |
    | --- | --- | --- | ---: |
    | `Note` | `summary` | `a hook made it` | 2 |

    ## Broken rules

    Values and rows that the model does not allow, or that could not be made.

    | archive | rule | what is wrong |
    | --- | --- | --- |
    | `notes/a.archive` | wrongKind | `object 9 (MTNote), key rank: Note.rank: cannot hold this text` |

    … and 2 more: a run with --report-full lists all.

    ## Lossy conversions by kind

    Of how many values of each key the same was lost.

    | class and key | what was lost | values |
    | --- | --- | ---: |
    | `MTNote.title` | `an unpaired surrogate became U+FFFD` | 5 |

    ## Lossy conversions

    Values that the store could not take exactly as they were.

    | archive | object | class and key | before | after | what was lost |
    | --- | ---: | --- | --- | --- | --- |
    | `notes/a.archive` | 9 | `MTNote.title` | `a\\ud800b` | `a�b` | `an unpaired surrogate became U+FFFD` |

    … and 4 more: a run with --report-full lists all.

    ## Conflicts

    What archives say twice, in different ways.

    | archive | object | entity | row | property | what disagrees |
    | --- | ---: | --- | ---: | --- | --- |
    | `notes/a.archive` | 8 | `Note` | 4 | `folder` | the two sides name different rows; the owning side was kept |

    … and 2 more: a run with --report-full lists all.

    ## Unread keys

    Nothing read these keys, though the model or mapping has their classes.

    | class | key | objects |
    | --- | --- | ---: |
    | `MTNote` | `rank` | 6 |

    ## Classes without an entity

    Objects of these classes were met, but the model or mapping has no place for them.

    | class | objects |
    | --- | ---: |
    | `MTGhost` | 3 |

    ## Objects that were not converted

    Top-level keys lead to them, but only by way of what is not read.

    | class | objects |
    | --- | ---: |
    | `MTGhost` | 3 |

    ## Not in the store

    What the layout of the store has no place for.

    | entity | property or key | what | count |
    | --- | --- | --- | ---: |
    | `top level` | `version` | only the top-level key holds it | 2 |

    ## Objects that were left out

    A filter, a hook or a policy made no row of them.

    | class | objects |
    | --- | ---: |
    | `MTNote` | 1 |

    ## Keys left behind on purpose

    The mapping or a hook says that they are not needed.

    | class | key | objects |
    | --- | --- | ---: |
    | `MTNote` | `modelContext` | 6 |

    ## Keys without a value of their own

    Expressions, key paths or filters read them; what they hold is not in the store as it is.

    | class | key | objects |
    | --- | --- | ---: |
    | `MTNote` | `rank` | 4 |

    ## Names that match nothing

    The mapping has these names, but the archives do not.

    | mapping | line | column | what is wrong |
    | --- | ---: | ---: | --- |
    | `m.yaml` | 3 | 7 | `no archive has a class 'MTNot' (did you mean 'MTNote'?)` |

    ## Classes of values with objects that became rows

    These objects hold other keys or values than the class has; all others are values.

    | class |
    | --- |
    | `NSUUID` |

    ## Relationships set from both sides

    Hooks set them twice, though one side is enough.

    | relationship |
    | --- |
    | `Note.folder` |

    ## Notes on the model

    Xcode warns of these declarations, but compiles them; they are read as it reads them.

    | declaration |
    | --- |
    | `Note.folder: the inverse notes does not lead back` |

    """
}
