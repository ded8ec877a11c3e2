// The command line of `convert`, with the policies of this folder. Documentation/migrating.md tells
// how a Core Data store is migrated; README.md has the commands for these four.

import ConvertCommand
import Importer

ConvertCommand.main(
  extensions: ImportExtensions(policies: [
    "SduTrackingPeriodMigration016To023": SduTrackingPeriodMigration016To023.self,
    "StepOneEntityMigrationPolicy": StepOneEntityMigrationPolicy.self,
    "StepTwoEntityMigrationPolicy": StepTwoEntityMigrationPolicy.self,
    "StringAmountToDecimalAmountPolicy": StringAmountToDecimalAmountPolicy.self,
    "TagsMigrationPolicy": TagsMigrationPolicy.self,
  ]))
