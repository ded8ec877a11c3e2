import Converter
import Foundation

/// A report in which every field occurs.
enum FullReport {
  static func report() throws -> ConversionReport {
    try JSONDecoder().decode(ConversionReport.self, from: Data(json.utf8))
  }

  /// Its JSON, as the program writes it.
  static let json = """
    {
      "archivedObjects" : 20,
      "archives" : [
        {
          "bytes" : 1364,
          "format" : "binary",
          "objects" : 45,
          "outcome" : "converted",
          "path" : "notes/a.archive",
          "sha256" : "7ab440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275"
        },
        {
          "bytes" : 980,
          "damages" : [
            {
              "key" : "title",
              "reason" : "<date> does not contain a valid date (object 12, key title)",
              "uid" : 12
            },
            {
              "reason" : "the binary property list is truncated (byte 980)"
            }
          ],
          "damagesLeftOut" : 3,
          "forbiddenCharacters" : 2,
          "format" : "xml",
          "objects" : 20,
          "outcome" : "converted",
          "path" : "notes/b.xml",
          "seenThrough" : 4,
          "sha256" : "11b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275"
        },
        {
          "bytes" : 99,
          "format" : "binary",
          "isEmpty" : true,
          "key" : "state",
          "objects" : 9,
          "outcome" : "converted",
          "parent" : "notes/b.xml",
          "path" : "notes/b.xml#7.state",
          "sha256" : "22b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275",
          "uid" : 7
        },
        {
          "bytes" : 0,
          "error" : "is empty",
          "format" : "empty",
          "outcome" : "rejected",
          "path" : "notes/c.archive",
          "sha256" : "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        },
        {
          "bytes" : 1364,
          "duplicateOf" : "notes/a.archive",
          "outcome" : "skipped",
          "path" : "notes/copy of a.archive",
          "sha256" : "7ab440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275",
          "store" : "stores/copy of a.archive.sqlite"
        },
        {
          "bytes" : 40,
          "kind" : "typedstream",
          "outcome" : "skipped",
          "path" : "notes/old",
          "reason" : "a typedstream (NSArchiver's format)"
        }
      ],
      "classesKeptAsObjects" : [
        "NSUUID"
      ],
      "collectionLinks" : 0,
      "collectionValues" : 0,
      "collections" : 1,
      "conflicts" : [
        {
          "archive" : "notes/a.archive",
          "class" : "MTNote",
          "code" : "sidesDisagree",
          "entity" : "Note",
          "property" : "folder",
          "row" : 4,
          "uid" : 8
        }
      ],
      "conflictsLeftOut" : 2,
      "converter" : {
        "version" : "0.1.0"
      },
      "derivedKeys" : [
        {
          "class" : "MTNote",
          "count" : 4,
          "key" : "rank"
        }
      ],
      "dryRun" : false,
      "entities" : [
        {
          "archivedClasses" : [
            "MTFolder"
          ],
          "archivedObjects" : 2,
          "attributes" : [
            {
              "key" : "name",
              "name" : "name",
              "nulls" : 0,
              "type" : "string",
              "values" : 2
            }
          ],
          "name" : "Folder",
          "relationships" : [
            {
              "destination" : "Note",
              "inverse" : "folder",
              "links" : 5,
              "name" : "notes",
              "toMany" : true
            },
            {
              "destination" : "Folder",
              "links" : 1,
              "name" : "parent",
              "toMany" : false
            }
          ],
          "rows" : 2
        },
        {
          "archivedClasses" : [
            "MTNote",
            "MTOldNote"
          ],
          "archivedObjects" : 6,
          "attributes" : [
            {
              "key" : "title",
              "name" : "title",
              "nulls" : 2,
              "type" : "string",
              "values" : 3
            },
            {
              "key" : "tags",
              "name" : "tags",
              "nulls" : 0,
              "type" : "collection of string",
              "values" : 11
            }
          ],
          "name" : "Note",
          "relationships" : [
            {
              "destination" : "Folder",
              "inverse" : "notes",
              "links" : 5,
              "name" : "folder",
              "toMany" : false
            },
            {
              "destination" : "",
              "links" : 3,
              "name" : "attachments",
              "toMany" : true
            }
          ],
          "rows" : 5
        }
      ],
      "excludedFiles" : 4,
      "failedPass" : {
        "kept" : [
          "first"
        ],
        "name" : "second",
        "reason" : "3 errors"
      },
      "filteredObjects" : [
        {
          "class" : "MTNote",
          "count" : 1
        }
      ],
      "ignoredKeys" : [
        {
          "class" : "MTNote",
          "count" : 6,
          "key" : "modelContext"
        }
      ],
      "leavesPartsOfStores" : true,
      "lossyConversionKinds" : [
        {
          "archive" : "notes/a.archive",
          "class" : "MTNote",
          "count" : 5,
          "key" : "title",
          "reason" : "an unpaired surrogate became U+FFFD",
          "uid" : 9
        }
      ],
      "lossyConversions" : [
        {
          "after" : "a\u{FFFD}b",
          "archive" : "notes/a.archive",
          "before" : "a\\\\ud800b",
          "class" : "MTNote",
          "key" : "title",
          "reason" : "an unpaired surrogate became U+FFFD",
          "uid" : 9
        }
      ],
      "lossyConversionsLeftOut" : 4,
      "metadataValues" : 3,
      "migrations" : [
        {
          "destination" : "App 2",
          "path" : "App.sqlite",
          "source" : "App",
          "steps" : [
            {
              "destination" : "App 2",
              "mappingModels" : [
                "1to2.xcmappingmodel"
              ],
              "source" : "App",
              "summary" : {
                "entityMappings" : [
                  {
                    "convertedAttributes" : [
                      "count"
                    ],
                    "destinationEntityName" : "Memo",
                    "destinationObjects" : 3,
                    "droppedObjects" : 1,
                    "lostLinks" : {
                      "folder" : 2
                    },
                    "lostValues" : {
                      "count" : 2
                    },
                    "missingProperties" : [
                      "title"
                    ],
                    "missingValues" : {
                      "kind" : 1
                    },
                    "name" : "NoteToMemo",
                    "policyClassName" : "NotePolicy",
                    "sourceEntityName" : "Note",
                    "sourceObjects" : 4,
                    "unfilledProperties" : [
                      "color",
                      "title"
                    ],
                    "unreadProperties" : [
                      "rank"
                    ],
                    "unreadValues" : {
                      "rank" : 3
                    }
                  }
                ],
                "omissions" : [
                  {
                    "entityMapping" : "NoteToMemo",
                    "property" : "shade",
                    "reason" : "unknown property shade"
                  }
                ],
                "otherObjects" : 2,
                "replacedLinks" : 1,
                "sourceObjects" : {
                  "Note" : 4,
                  "Tag" : 1
                },
                "unmigratedObjects" : {
                  "Tag" : 1
                }
              }
            }
          ]
        }
      ],
      "modelNotes" : [
        "Note.folder: the inverse notes does not refer back"
      ],
      "notKept" : [
        {
          "count" : 2,
          "entity" : "top level",
          "kind" : "value",
          "property" : "version",
          "reason" : "only the top-level key holds it"
        }
      ],
      "relationshipsSetFromBothSides" : [
        "Note.folder"
      ],
      "seconds" : 1.5,
      "sharedCollections" : 1,
      "skippedFiles" : 2,
      "skippedFilesLeftOut" : 1,
      "skippedKinds" : [
        {
          "count" : 1,
          "kind" : "typedstream"
        },
        {
          "count" : 1,
          "kind" : "other"
        }
      ],
      "startedAt" : "2026-01-02T03:04:05Z",
      "store" : {
        "bytes" : 40960,
        "layout" : "relational",
        "path" : "out.db",
        "sha256" : "33b440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275"
      },
      "storeNotes" : [
        "App.sqlite: the table ACHANGE is left out (5 rows): Core Data's history of changes"
      ],
      "topLevelValues" : 0,
      "unmappedClasses" : [
        {
          "class" : "MTGhost",
          "count" : 3
        }
      ],
      "unreachableObjects" : 7,
      "unreadKeys" : [
        {
          "class" : "MTNote",
          "count" : 6,
          "key" : "rank"
        }
      ],
      "unusedNames" : [
        {
          "column" : 7,
          "line" : 3,
          "message" : "no archive has a class 'MTNot' (did you mean 'MTNote'?)",
          "name" : "MTNot",
          "nearest" : "MTNote",
          "path" : "m.yaml"
        }
      ],
      "unvisitedObjects" : [
        {
          "class" : "MTGhost",
          "count" : 3
        }
      ],
      "validationErrors" : [
        {
          "archive" : "notes/a.archive",
          "class" : "MTNote",
          "code" : "wrongKind",
          "entity" : "Note",
          "key" : "rank",
          "kind" : "text",
          "message" : "object 9 (MTNote), key rank: Note.rank: cannot hold this text",
          "property" : "rank",
          "row" : 5,
          "times" : 2,
          "uid" : 9
        }
      ],
      "validationErrorsLeftOut" : 2,
      "verdict" : {
        "kind" : "bad",
        "sentence" : "2 of 4 archives were migrated, 1 is a duplicate, 1 was rejected, parts could not be read, pass second failed; 13 of 20 objects became rows; 2 objects, 11 values and 3 links were left behind; 7 values could not be kept exactly; the store differs from the archives in 2 places."
      },
      "verification" : {
        "differences" : [
          {
            "archive" : "notes/a.archive",
            "entity" : "Note",
            "expected" : "Milk",
            "found" : "Silk",
            "property" : "title",
            "row" : 5,
            "uid" : 9
          }
        ],
        "differencesLeftOut" : 1,
        "entriesCompared" : 0,
        "linksCompared" : 14,
        "notCompared" : [
          {
            "count" : 2,
            "entity" : "Note",
            "property" : "summary",
            "reason" : "a hook made it"
          }
        ],
        "status" : "failed",
        "valuesCompared" : 16
      },
      "views" : [
        {
          "name" : "orphan",
          "rows" : 2,
          "words" : "Notes in no folder"
        }
      ]
    }

    """
}
