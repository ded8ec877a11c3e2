/// What the real mapping models come to: what is missing without policies, and the summary of their
/// migration of three objects of each entity.
enum MappingModelOutcomes {
  static let all: [String: String] = [
    "bookmigration/mappings/Model1_to_Model2.xcmappingmodel": """
    missing: missingPolicy BookToBook
    UserToUser: 3 User to 3 User
    Author: 0 new Author
    BookToBook: 3 Book to 3 Book
      not read: authorName (3 values)
      left at the default: authors
    """,
    "bookmigration/mappings/Model2_to_Model3.xcmappingmodel": """
    missing: missingPolicy BookToBook
    File: 0 new File
    BookToBook: 3 Book to 3 Book
      not read: fileURL (3 values), users (3 values)
      left at the default: files
    AuthorToAuthor: 3 Author to 3 Author
    not migrated: 3 User
    """,
    "bookmigration/mappings/Model2_to_Model3_User.xcmappingmodel": """
    missing: nothing
    UserToUser: 3 User to 3 User
      not read: books (3 values)
      left at the default: files
    not migrated: 3 Author
    not migrated: 3 Book
    """,
    "coredataplus-mapping/V2toV3.cdm": """
    missing: missingPolicy CarToCar
    CarToCar: 3 Car to 3 Car
      not read: maker (3 values)
      left at the default: createdBy
    LuxuryCarToLuxuryCar: 3 LuxuryCar to 3 LuxuryCar
      not read: maker (3 values)
      left at the default: createdBy
    PersonToPerson: 3 Person to 3 Person
    SportCarToSportCar: 3 SportCar to 3 SportCar
      not read: maker (3 values)
      left at the default: createdBy
    Maker: 0 new Maker
    """,
    "coredataplus-mapping/V2toV3.xcmappingmodel": """
    missing: missingPolicy CarToCar
    CarToCar: 3 Car to 3 Car
      not read: maker (3 values)
      left at the default: createdBy
    LuxuryCarToLuxuryCar: 3 LuxuryCar to 3 LuxuryCar
      not read: maker (3 values)
      left at the default: createdBy
    PersonToPerson: 3 Person to 3 Person
    SportCarToSportCar: 3 SportCar to 3 SportCar
      not read: maker (3 values)
      left at the default: createdBy
    Maker: 0 new Maker
    """,
    "daymap/mappings/Data2To3MappingModel.xcmappingmodel": """
    missing: nothing
    DayMapToDayMap: 3 DayMap to 3 DayMap
      not read: uncategorizedProject (3 values)
    Reminder: 0 new Reminder
    TaskToTask: 3 Task to 3 Task
      left at the default: reminders, repeat, sortIndexInDay
    ProjectToProject: 3 Project to 3 Project
      left at the default: sortIndexInDay
    RepeatDefinition: 0 new RepeatDefinition
    ProjectDisplayAttributesToProjectDisplayAttributes: 3 ProjectDisplayAttributes to 3 \
    ProjectDisplayAttributes
    links replaced by others of a to-one relationship: 3
    """,
    "daymap/mappings/Data3to4MappingModel.xcmappingmodel": """
    missing: missingPolicy ReminderToReminder
    ReminderToReminder: 3 Reminder to 3 Reminder
    RepeatDefinitionToRepeatDefinition: 3 RepeatDefinition to 3 RepeatDefinition
    DayMapToDayMap: 3 DayMap to 3 DayMap
    ProjectDisplayAttributesToProjectDisplayAttributes: 3 ProjectDisplayAttributes to 3 \
    ProjectDisplayAttributes
    TaskToTask: 3 Task to 3 Task
    ProjectToProject: 3 Project to 3 Project
    """,
    "daymap/mappings/Data4to5MappingModel.xcmappingmodel": """
    missing: nothing
    ReminderToReminder: 3 Reminder to 3 Reminder
    ProjectDisplayAttributesToProjectDisplayAttributes: 3 ProjectDisplayAttributes to 3 \
    ProjectDisplayAttributes
    DayMapToDayMap: 3 DayMap to 3 DayMap
    ProjectToProject: 3 Project to 3 Project
    TaskToTask: 3 Task to 3 Task
      links left behind: repeat (3)
    not migrated: 3 RepeatDefinition
    left out, since the model was edited after the mapping model was made:
      RepeatDefinitionToRepeatDefinition: the destination model has no entity RepeatDefinition
    """,
    "daymap/mappings/Data5To6MappingModel.xcmappingmodel": """
    missing: missingPolicy ProjectToProject
    ReminderToReminder: 3 Reminder to 3 Reminder
      left at the default: modifiedDate
    ProjectDisplayAttributesToProjectDisplayAttributes: 3 ProjectDisplayAttributes to 3 \
    ProjectDisplayAttributes
      left at the default: modifiedDate
    RecurrenceRuleToRecurrenceRule: 3 RecurrenceRule to 3 RecurrenceRule
      left at the default: modifiedDate
    Attachment: 0 new Attachment
    Tag: 0 new Tag
    ProjectToProject: 3 Project to 3 Project
      left at the default: attachments, modifiedDate, tags
    TaskToTask: 3 Task to 3 Task
      left at the default: attachments, modifiedDate, tags
    DayMapToDayMap: 3 DayMap to 3 DayMap
    Tombstone: 0 new Tombstone
    """,
    "daymap/mappings/Model_2.11_to_3.0.xcmappingmodel": """
    missing: missingPolicy DayMapToDayMap
    RecurrenceExceptionToRecurrenceException: 3 RecurrenceException to 3 RecurrenceException
    TaskToTask: 3 Task to 3 Task
    TagToTag: 3 Tag to 3 Tag
    ProjectToProject: 3 Project to 3 Project
    ProjectToInbox: 3 Project to 3 Inbox
    ReminderToReminder: 3 Reminder to 3 Reminder
    RecurrenceSortIndexToRecurrenceSortIndex: 3 RecurrenceSortIndex to 3 RecurrenceSortIndex
    AttachmentToAttachment: 3 Attachment to 3 Attachment
    DayMapToDayMap: 3 DayMap to 3 DayMap
    RecurrenceCompletionToRecurrenceCompletion: 3 RecurrenceCompletion to 3 RecurrenceCompletion
    RecurrenceRuleToRecurrenceRule: 3 RecurrenceRule to 3 RecurrenceRule
    not migrated: 3 ProjectDisplayAttributes
    not migrated: 3 Tombstone
    links replaced by others of a to-one relationship: 24
    """,
    "money-mom/mappings/Model1-2.xcmappingmodel": """
    missing: missingPolicy QuickRecordToQuickRecord
    QuickRecordToQuickRecord: 3 QuickRecord to 3 QuickRecord
      not read: amount (3 values), audioUUID (3 values), created_at (3 values), id (3 values), \
    tags (3 values)
      left at the default: createdAt, isProcessed, transaction
      mandatory, but without a value: amount, audioUUID, id, tags
    """,
    "money-mom/mappings/Model2-3.xcmappingmodel": """
    missing: missingPolicy TransactionToTransactionStats
    QuickRecordToQuickRecord: 3 QuickRecord to 3 QuickRecord
    TransactionToTransactionStats: 3 Transaction to 3 TransactionStats
    TransactionToTransaction: 3 Transaction to 3 Transaction
    """,
    "money-mom/mappings/Model3-4.xcmappingmodel": """
    missing: missingPolicy Tag
    Tag: 0 new Tag
    Transaction: 3 Transaction to 3 Transaction
      not read: tags (3 values)
      left at the default: tags
    TransactionStats: 3 TransactionStats to 3 TransactionStats
      left at the default: tags
    QuickRecord: 3 QuickRecord to 3 QuickRecord
      not read: tags (3 values)
      left at the default: tags
    """,
    "money-mom/mappings/Model4-5.xcmappingmodel": """
    missing: missingPolicy Tag
    Tag: 3 Tag to 3 Tag
      not read: name (3 values), quickRecords (3 values), transactionStatsSet (3 values), \
    transactions (3 values)
      left at the default: transactions
      mandatory, but without a value: name
    Transaction: 3 Transaction to 3 Transaction
      not read: amount (3 values), audioUUID (3 values), createdAt (3 values), id (3 values), \
    location (3 values), quickRecord (3 values), tags (3 values), type (3 values)
      left at the default: audioUUID, location, tags, type
      mandatory, but without a value: amount, date
    QuickRecord: 3 QuickRecord to 3 Transaction
      not read: amount (3 values), audioUUID (3 values), createdAt (3 values), id (3 values), \
    isProcessed (3 values), tags (3 values), transaction (3 values)
      left at the default: audioUUID, location, tags, type
      mandatory, but without a value: amount, date
    not migrated: 3 TransactionStats
    """,
    "moody/mappings/Moody 2-Moody 3.xcmappingmodel": """
    missing: nothing
    MoodToMood: 3 Mood to 3 Mood
    CountryToCountry: 3 Country to 3 Country
    ContinentToContinent: 3 Continent to 3 Continent
    """,
    "moody/mappings/Moody 3-Moody 4.xcmappingmodel": """
    missing: nothing
    ContinentToContinent: 3 Continent to 3 Continent
    CountryToCountry: 3 Country to 3 Country
    MoodToMood: 3 Mood to 3 Mood
    """,
    "moody/mappings/Moody 4-Moody 5.xcmappingmodel": """
    missing: nothing
    MoodToMood: 3 Mood to 3 Mood
      not read: continent (3 values)
    CountryToCountry: 3 Country to 3 Country
    not migrated: 3 Continent
    """,
    "moody/mappings/Moody 5-Moody 6.xcmappingmodel": """
    missing: missingPolicy CountryToCountry
    Continent: 0 new Continent
    CountryToCountry: 3 Country to 3 Country
      not read: isoContinent (3 values)
      left at the default: continent
    MoodToMood: 3 Mood to 3 Mood
    """,
    "wibosco-example/mappings/Migration1to2.xcmappingmodel": """
    missing: nothing
    PostToPost: 3 Post to 3 Post
    """,
    "wibosco-example/mappings/Migration2to3.xcmappingmodel": """
    missing: missingPolicy PostToPost
    Color: 0 new Color
    PostToPost: 3 Post to 3 Post
      not read: hexColor (3 values)
      mandatory, but without a value: color
    """,
    "wibosco-revised/mappings/Migration2to3ModelMapping.xcmappingmodel": """
    missing: missingPolicy PostToPost
    Section: 0 new Section
    PostToPost: 3 Post to 3 Post
      not read: content (3 values)
      left at the default: sections
    """,
  ]
}
