import { builtInSettings, type LocalDate } from '@account-import/core'
import { checkAccountPayload, E } from '@account-import/core/adapter-kit'
import { timeOnLoop } from './loop-time.js'

/**
 * What the body of an account costs, and how much is said of it. `bytes` of the body; milliseconds of the event loop:
 * `parse` for parsing it as JSON, `first` for validating it when nothing is warm, `best` of all rounds.
 */
export type Measured = Readonly<{
  bytes: number
  parse: number
  first: number
  best: number
  errors: number
  warnings: number
}>

const context = { settings: builtInSettings, defaultCountry: 'ES', today: '2025-09-01' as LocalDate }

const round = (text: string): Omit<Measured, 'bytes' | 'best'> => {
  const parsed = timeOnLoop(() => JSON.parse(text) as unknown)
  const { result, milliseconds } = timeOnLoop(() => checkAccountPayload(parsed.result, context))
  return {
    parse: parsed.milliseconds,
    first: milliseconds,
    errors: E.isLeft(result) ? result.left.errors.length : 0,
    warnings: (E.isLeft(result) ? result.left : result.right).warnings.length,
  }
}

/** Parses and validates an account: `rounds` times, or up to three more if it takes longer than `patience`. */
export const measureBody = (text: string, rounds: number, patience = Infinity): Measured => {
  const first = round(text)
  let best = first.first
  for (let made = 1; made < rounds || (made < 4 && best > patience); made++)
    best = Math.min(best, round(text).first)
  return { bytes: Buffer.byteLength(text), ...first, best }
}
