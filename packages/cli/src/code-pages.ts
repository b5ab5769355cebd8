import { readFile } from 'node:fs/promises'

/** An example as text. `place`: the path of its fields in a payload; empty for requests and their responses. */
export type ExampleText = Readonly<{
  place: string
  bad: string
  good: string
  /** Options of `supplier configure` without which the code does not appear. */
  setting?: string
}>

/** The meaning of a field that a code is reported at, with an example of a value. */
export type PlaceMeaning = Readonly<{ at: string; text: string; example?: unknown }>

/**
 * The description of a code, from the catalogue, the problem table and its page in the folder `errors` of the documentation.
 *
 * - `command`: changes the severity for a supplier; absent where it is the same for all
 * - `means`: when the code appears
 * - `causes`: its causes in a migration
 * - `fix`: steps, in order
 * - `at`: the values of `attr`, with N for an index, or a description of too many values; empty for a top-level code
 * - `meanings`: the meanings of those values of `at` that are one field
 */
export type CodePage = Readonly<{
  detail: string
  where: string
  remedy: string
  statuses: string
  severity: string
  command?: string
  means: string
  causes: readonly string[]
  fix: readonly string[]
  at: readonly string[]
  meanings: readonly PlaceMeaning[]
  example: ExampleText
  related: readonly string[]
}>

/** The codes of the service and of the bundled markets. The build writes them beside the compiled sources of this package. */
export const codePages = async (): Promise<Readonly<Record<string, CodePage>>> =>
  // This module may be bundled elsewhere.
  JSON.parse(
    await readFile(new URL('codes.json', import.meta.resolve('@account-import/cli/kit')), 'utf8'),
  ) as Record<string, CodePage>
