import type { TypeOf } from 'io-ts'
import type { supplyType } from '../../../payloads/supply.js'

/**
 * One access tariff: its names and codes, in any case, with or without white space; the first day on which it was in force and the
 * first day on which it was not any more, `YYYY-MM-DD`, left out where there is none or it is not known. `power`: what it demands of the
 * contracted power, at most 15 000 watts in each period (`limited`), or no less than in the period before (`ascending`).
 */
export type AccessTariff = Readonly<{
  supplyType: TypeOf<typeof supplyType>
  names: readonly string[]
  from?: string
  until?: string
  power?: 'limited' | 'ascending'
}>

/**
 * The codes of distributors, of four digits each.
 *
 * - `regional`: a CUPS that continues after ES with this prefix, and a code that is of the same company
 * - `gas`: those that distribute gas; `both`: those of them that are electricity distributors too
 * - `electricity`: those of electricity from 0201 on. All codes below 0201 are of no distributor of gas
 */
export type Distributors = Readonly<{
  regional: readonly Readonly<{ prefix: string; distributor: string }>[]
  gas: readonly string[]
  both: readonly string[]
  electricity: readonly string[]
}>

/** The tables of the Spanish market. */
export type SpanishTables = Readonly<{ accessTariffs: readonly AccessTariff[]; distributors: Distributors }>
