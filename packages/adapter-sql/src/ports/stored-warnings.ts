import type { Creation, StagedWarnings, Staging } from '@account-import/core'
import type { LockedImport } from './import-rows.js'

/** The text of `warned` (`statementColumns`). */
type Warned = Readonly<{ staging: string; rules: string; warnings: StagedWarnings }>

/** A row with longer warnings has none: its data is judged again. */
const mostCharacters = 8000

/** The column for a staging; NULL where its data has no warnings, or is to be judged again. */
export const warnedIn = ({ validatedUnder, warnings }: Staging, stagingId: string): string | null => {
  if (validatedUnder === undefined || warnings === undefined) return null
  const text = JSON.stringify({ staging: stagingId, rules: validatedUnder, warnings } satisfies Warned)
  return text.length > mostCharacters ? null : text
}

/** The warnings about the data of the row, if it was found valid with some by the rules of the creation, which names no version. */
export const warningsOf = (
  { warned, staging_id: stagingId }: Pick<LockedImport, 'warned' | 'staging_id'>,
  { validatedUnder, version }: Pick<Creation, 'validatedUnder' | 'version'>,
): StagedWarnings | undefined => {
  if (warned === null || version !== undefined) return undefined
  const { staging, rules, warnings } = JSON.parse(warned) as Warned
  return staging === stagingId && rules === validatedUnder ? warnings : undefined
}
