/** An example as text. `place`: where the fields of a payload stand; empty for requests and their answers. */
export type ExampleText = Readonly<{
  place: string
  bad: string
  good: string
  /** Options of `supplier configure` without which the code does not appear. */
  setting?: string
}>

/**
 * The page of a code in the folder `errors` of the documentation. Programs take nothing from it.
 *
 * - `means`: when the code appears
 * - `causes`: how it comes about in a migration
 * - `fix`: steps, in order
 * - `at`: the values of `attr`, with N for an index, or words where these would be too many; empty for the code of a
 *   whole answer
 */
export type Guide = Readonly<{
  means: string
  causes: readonly string[]
  fix: readonly string[]
  at: readonly string[]
  example: ExampleText
  related: readonly string[]
}>

/** Guides by code. A market pack that is not bundled has none: its codes are shown by what the catalogue says. */
export type Guides = Readonly<Record<string, Guide>>

/** The same example with each payload on one line. */
export const onOneLine = (example: ExampleText): ExampleText => {
  if (example.place === '') return example
  const short = (json: string): string => JSON.stringify(JSON.parse(json))
  return { ...example, bad: short(example.bad), good: short(example.good) }
}
