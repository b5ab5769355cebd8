import { generateAccounts } from './generate-accounts.js'
import type { GeneratorOptions } from './options.js'

/** One account a line. */
export function* accountLines(options: GeneratorOptions): Generator<string, void, undefined> {
  for (const { payload } of generateAccounts(options)) yield JSON.stringify(payload)
}

/** One line for each account with faults; lines of accounts are counted from 1. */
export function* expectedLines(options: GeneratorOptions): Generator<string, void, undefined> {
  let line = 0
  for (const { number, expected } of generateAccounts(options)) {
    line += 1
    if (expected.errors.length + expected.warnings.length > 0)
      yield JSON.stringify({ line, external_account_number: number, ...expected })
  }
}
