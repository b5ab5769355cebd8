import { databaseError } from '../database-error.js'
import type { Break, OnVerified } from '../service/verify-database.js'
import { StartError } from '../start-error.js'
import type { CliIo } from './cli-io.js'
import { type CommandError, exitCode, type ExitCode } from './command-result.js'
import { startFailure } from './environment-failure.js'
import { type BreakFormat, verifySummary, type VerifyTotals } from './output/breaks.js'

const nothing: VerifyTotals = { suppliers: 0, imports: 0, accounts: 0, emails: 0, rows: 0, breaks: 0 }

type Find = (onVerified: OnVerified) => AsyncIterable<Break>

/**
 * Prints breaks as they are found, and in the end what was looked at to stderr; answers the exit code, undefined where
 * there was nothing to look at, and then nothing was printed. Rejects with `StartError` where the database cannot be opened. A database that fails on the way ends the output with what
 * was found until then. Stops when nobody reads the output any more.
 */
export const printBreaks = async (
  io: CliIo,
  { head, item, tail }: BreakFormat,
  find: Find,
): Promise<ExitCode | undefined> => {
  const totals = { ...nothing }
  const print = (found: Break): void => {
    io.out(`${totals.breaks === 0 ? head : ''}${item(found, totals.breaks === 0)}`)
    totals.breaks += 1
  }
  const end = (failure?: CommandError): void =>
    io.out(`${totals.breaks === 0 ? head : ''}${tail(totals, failure)}`)
  try {
    for await (const found of find((what, many) => (totals[what] += many))) {
      print(found)
      if ((await io.drained?.()) === false) return exitCode.environment
    }
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    const failure = startFailure(databaseError(cause))
    end(failure)
    io.err(`${failure.detail} Until then: ${verifySummary(totals)}\n`)
    return failure.exitCode
  }
  if (totals.suppliers + totals.breaks === 0) return undefined
  end()
  io.err(`${verifySummary(totals)}\n`)
  return totals.breaks > 0 ? exitCode.dataHasFailures : exitCode.done
}
