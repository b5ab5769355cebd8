import type { RuleSettings } from '../settings/supplier-settings.js'

/** A payload, or a part of one, as an example gives it. */
export type ExampleObject = Readonly<Record<string, unknown>>

/**
 * A fragment of an account payload that gets the code, and one that does not. `in` is the path of the object whose
 * fields they give, empty for the payload itself; everything else of the account is valid.
 *
 * - `setting`: what the code needs of the supplier's settings, as rules and as options of `supplier configure`
 * - `repeated`: how often the one item of each list in `bad` has to stand there
 * - `also`: further codes that this payload gets whenever it gets the one shown
 */
export type PayloadExample = Readonly<{
  in: string
  bad: ExampleObject
  good: ExampleObject
  setting?: Readonly<{ options: string; rules: Partial<RuleSettings> }>
  repeated?: number
  also?: readonly string[]
}>

/** Requests in short, each with a line `→ status code` for its answer. */
export type ExchangeExample = Readonly<{ bad: string; good: string }>

/**
 * What people need to know about a code, beside its entry in the catalogue.
 *
 * - `means`: what is the case when the code appears
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
  example: PayloadExample | ExchangeExample
  related: readonly string[]
}>

/** Guides to a part of the catalogue. */
export type Guides = Readonly<Record<string, Guide>>
