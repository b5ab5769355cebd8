import type { Findings } from './faults/fault.js'
import { generateAccounts } from './generate-accounts.js'
import type { GeneratorOptions } from './options.js'

const hasFaults = ({ errors, warnings }: Findings): boolean => errors.length + warnings.length > 0

/** The number of accounts, and of those with faults. */
export type Counted = { accounts: number; withFaults: number }

/** One account a line; `counted` counts them. */
export function* accountLines(
  options: GeneratorOptions,
  counted: Counted,
): Generator<string, void, undefined> {
  for (const { payload, expected } of generateAccounts(options)) {
    counted.accounts += 1
    if (hasFaults(expected)) counted.withFaults += 1
    yield JSON.stringify(payload)
  }
}

/** One line for each account with faults; lines of accounts are counted from 1. */
export function* expectedLines(options: GeneratorOptions): Generator<string, void, undefined> {
  let line = 0
  for (const { number, expected } of generateAccounts(options)) {
    line += 1
    if (hasFaults(expected)) yield JSON.stringify({ line, external_account_number: number, ...expected })
  }
}
