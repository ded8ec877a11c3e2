/// What `convert inspect --tree` draws for the sample library, below its heading.
enum MentalCaseTree {
  static let text = """

    class                       objects  keys
    NSDate                           24  NS.time
    MTNote                           12  modelObjectClassVersion uniqueId modelContext container title text isEditable rank ease creationDate modificationDate price syncIdentifier link sound sketch tags hints
    NSArray                          12  NS.objects
    NSMutableString                  12  NS.string
    NSSet                            12  NS.objects
    NSUUID                           12  NS.uuidbytes
    NSMutableArray                    7  NS.objects
    NSDecimalNumberPlaceholder        4  NS.mantissa NS.mantissa.bo NS.length NS.exponent NS.negative NS.compact
    MTFolder                          3  modelObjectClassVersion uniqueId modelContext title parent isEditable folders notes
    NSURL                             3  NS.base NS.relative
    NSMutableData                     2  NS.data
    MTLibrary                         1  modelObjectClassVersion uniqueId modelContext title folders

    root: MTLibrary #1
    ├─ modelObjectClassVersion: 1
    ├─ uniqueId: "LIB-1"
    ├─ modelContext: nil
    ├─ title: "My Library"
    └─ folders: array of 2
       ├─ 0: MTFolder #2
       │  ├─ modelObjectClassVersion: 1
       │  ├─ uniqueId: "FOLDER-1"
       │  ├─ modelContext: nil
       │  ├─ title: "Languages"
       │  ├─ parent: nil
       │  ├─ isEditable: true
       │  ├─ folders: array of 1
       │  │  └─ 0: MTFolder #58
       │  │     ├─ modelObjectClassVersion: 1
       │  │     ├─ uniqueId: "FOLDER-2"
       │  │     ├─ modelContext: nil
       │  │     ├─ title: "日本語"
       │  │     ├─ parent: MTFolder #2 (above)
       │  │     ├─ isEditable: true
       │  │     ├─ folders: array of 0
       │  │     └─ notes: array of 4
       │  │        ├─ 0: MTNote #59 …
       │  │        ├─ 1: MTNote #75 …
       │  │        ├─ 2: MTNote #85 …
       │  │        └─ 3: MTNote #94 …
       │  └─ notes: array of 4
       │     ├─ 0: MTNote #3
       │     │  ├─ modelObjectClassVersion: 1
       │     │  ├─ uniqueId: "NOTE-1"
       │     │  ├─ modelContext: nil
       │     │  ├─ container: MTFolder #2 (above)
       │     │  ├─ title: "mañana"
       │     │  ├─ text: "Tomorrow; also: the morning."
       │     │  ├─ isEditable: true
       │     │  ├─ rank: 1
       │     │  ├─ ease: 2.5
       │     │  ├─ creationDate: 2010-03-11T11:33:20.125Z
       │     │  ├─ modificationDate: 2010-03-12T11:33:20.625Z
       │     │  ├─ price: nil
       │     │  ├─ syncIdentifier: 3F2504E0-4F89-41D3-9A0C-0305E82C3301
       │     │  ├─ link: https://dictionary.example/es/ma%C3%B1ana
       │     │  ├─ sound: nil
       │     │  ├─ sketch: nil
       │     │  ├─ tags: set of 2
       │     │  │  ├─ 0: "noun"
       │     │  │  └─ 1: "time"
       │     │  └─ hints: array of 2
       │     │     ├─ 0: "ma…"
       │     │     └─ 1: "…ana"
       │     ├─ 1: MTNote #27
       │     │  ├─ modelObjectClassVersion: 1
       │     │  ├─ uniqueId: "NOTE-2"
       │     │  ├─ modelContext: nil
       │     │  ├─ container: MTFolder #2 (above)
       │     │  ├─ title: "el niño"
       │     │  ├─ text: "The child 👶"
       │     │  ├─ isEditable: true
       │     │  ├─ rank: 2
       │     │  ├─ ease: 1.75
       │     │  ├─ creationDate: 2010-03-11T11:34:20.250Z
       │     │  ├─ modificationDate: 2010-03-11T11:34:20.250Z
       │     │  ├─ price: nil
       │     │  ├─ syncIdentifier: 3F2504E0-4F89-41D3-9A0C-0305E82C3302
       │     │  ├─ link: nil
       │     │  ├─ sound: nil
       │     │  ├─ sketch: nil
       │     │  ├─ tags: set of 2
       │     │  │  ├─ 0: "noun"
       │     │  │  └─ 1: "people"
       │     │  └─ hints: array of 0
       │     ├─ 2: MTNote #37
       │     │  ├─ modelObjectClassVersion: 1
       │     │  ├─ uniqueId: "NOTE-3"
       │     │  ├─ modelContext: nil
       │     │  ├─ container: MTFolder #2 (above)
       │     │  ├─ title: "¿Cómo estás?"
       │     │  ├─ text: "How are you?⏎Informal."
       │     │  ├─ isEditable: true
       │     │  ├─ rank: 3
       │     │  ├─ ease: 2.0999999046325684
       │     │  ├─ creationDate: 2010-03-11T11:35:20.500Z
       │     │  ├─ modificationDate: 2010-03-11T11:35:24.250Z
       │     │  ├─ price: nil
       │     │  ├─ syncIdentifier: 3F2504E0-4F89-41D3-9A0C-0305E82C3303
       │     │  ├─ link: nil
       │     │  ├─ sound: data, 7 bytes
       │     │  ├─ sketch: nil
       │     │  ├─ tags: set of 1
       │     │  │  └─ 0: "phrase"
       │     │  └─ hints: array of 0
       │     └─ 3: MTNote #48
       │        ├─ modelObjectClassVersion: 1
       │        ├─ uniqueId: "NOTE-4"
       │        ├─ modelContext: nil
       │        ├─ container: MTFolder #2 (above)
       │        ├─ title: "la cigüeña"
       │        ├─ text: "The stork"
       │        ├─ isEditable: false
       │        ├─ rank: -1
       │        ├─ ease: 0.0
       │        ├─ creationDate: 2010-03-11T11:36:20.000Z
       │        ├─ modificationDate: 2010-03-11T11:36:20.000Z
       │        ├─ price: nil
       │        ├─ syncIdentifier: 3F2504E0-4F89-41D3-9A0C-0305E82C3304
       │        ├─ link: nil
       │        ├─ sound: nil
       │        ├─ sketch: nil
       │        ├─ tags: set of 2
       │        │  ├─ 0: "noun"
       │        │  └─ 1: "animals"
       │        └─ hints: array of 0
       └─ 1: MTFolder #114
          ├─ modelObjectClassVersion: 1
          ├─ uniqueId: "FOLDER-3"
          ├─ modelContext: nil
          ├─ title: "Market prices"
          ├─ parent: nil
          ├─ isEditable: false
          ├─ folders: array of 0
          └─ notes: array of 4
             ├─ 0: MTNote #115
             │  ├─ modelObjectClassVersion: 1
             │  ├─ uniqueId: "NOTE-9"
             │  ├─ modelContext: nil
             │  ├─ container: MTFolder #114 (above)
             │  ├─ title: "Bread"
             │  ├─ text: "A loaf at the corner shop"
             │  ├─ isEditable: false
             │  ├─ rank: 1
             │  ├─ ease: 2.5
             │  ├─ creationDate: 2010-04-03T15:06:40.000Z
             │  ├─ modificationDate: 2010-04-03T15:06:40.000Z
             │  ├─ price: 2.35
             │  ├─ syncIdentifier: 3F2504E0-4F89-41D3-9A0C-0305E82C3309
             │  ├─ link: nil
             │  ├─ sound: nil
             │  ├─ sketch: nil
             │  ├─ tags: set of 1
             │  │  └─ 0: "food"
             │  └─ hints: array of 0
             ├─ 1: MTNote #127
             │  ├─ modelObjectClassVersion: 1
             │  ├─ uniqueId: "NOTE-10"
             │  ├─ modelContext: nil
             │  ├─ container: MTFolder #114 (above)
             │  ├─ title: "Deposit"
             │  ├─ text: "Given back for bottles & cans <glass>"
             │  ├─ isEditable: true
             │  ├─ rank: 2
             │  ├─ ease: 2.5
             │  ├─ creationDate: 2010-04-03T15:06:50.500Z
             │  ├─ modificationDate: 2010-04-03T15:06:50.500Z
             │  ├─ price: -0.25
             │  ├─ syncIdentifier: 3F2504E0-4F89-41D3-9A0C-0305E82C330A
             │  ├─ link: nil
             │  ├─ sound: nil
             │  ├─ sketch: nil
             │  ├─ tags: set of 2
             │  │  ├─ 0: "food"
             │  │  └─ 1: "refund"
             │  └─ hints: array of 0
             ├─ 2: MTNote #138
             │  ├─ modelObjectClassVersion: 1
             │  ├─ uniqueId: "NOTE-11"
             │  ├─ modelContext: nil
             │  ├─ container: MTFolder #114 (above)
             │  ├─ title: "House"
             │  ├─ text: ""
             │  ├─ isEditable: true
             │  ├─ rank: 3
             │  ├─ ease: 0.10000000149011612
             │  ├─ creationDate: 2010-04-03T15:07:00.250Z
             │  ├─ modificationDate: 2010-04-03T15:07:00.250Z
             │  ├─ price: 1250000
             │  ├─ syncIdentifier: 3F2504E0-4F89-41D3-9A0C-0305E82C330B
             │  ├─ link: nil
             │  ├─ sound: nil
             │  ├─ sketch: data, 0 bytes
             │  ├─ tags: set of 1
             │  │  └─ 0: "big"
             │  └─ hints: array of 0
             └─ 3: MTNote #150
                ├─ modelObjectClassVersion: 1
                ├─ uniqueId: "NOTE-12"
                ├─ modelContext: nil
                ├─ container: MTFolder #114 (above)
                ├─ title: "Grain"
                ├─ text: "One grain of rice 🌾🇯🇵"
                ├─ isEditable: true
                ├─ rank: 4
                ├─ ease: -1.5
                ├─ creationDate: 2000-12-31T23:59:58.500Z
                ├─ modificationDate: 2000-12-31T23:59:58.500Z
                ├─ price: 0.00012345678901234567890123456789
                ├─ syncIdentifier: 3F2504E0-4F89-41D3-9A0C-0305E82C330C
                ├─ link: nil
                ├─ sound: data, 0 bytes
                ├─ sketch: nil
                ├─ tags: set of 1
                │  └─ 0: "food"
                └─ hints: array of 2
                   ├─ 0: "small"
                   └─ 1: "very small"

    """
}
