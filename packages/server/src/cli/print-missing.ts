import type { DocumentsChecked, PortFailure } from '@account-import/core'
import type { CliIo } from './cli-io.js'
import { portFailureOf } from './environment-failure.js'
import { exitCode, type ExitCode } from './exit-code.js'
import { missingSummary, type MissingFormat, type MissingTotals } from './output/missing-documents.js'

const isPortFailure = (thrown: unknown): thrown is PortFailure =>
  typeof thrown === 'object' && thrown !== null && '_tag' in thrown && thrown._tag === 'PortFailure'

/**
 * Prints missing documents as they are found, and in the end the totals to stderr; answers the exit code. A port that
 * fails on the way ends the output with what was found until then. Stops when nobody reads the output any more.
 */
export const printMissing = async (
  io: CliIo,
  { head, item, tail }: MissingFormat,
  pages: AsyncIterable<DocumentsChecked>,
): Promise<ExitCode> => {
  let totals: MissingTotals = { accounts: 0, references: 0, missing: 0 }
  io.out(head)
  try {
    for await (const { accounts, references, missing } of pages) {
      io.out(missing.map((each, index) => item(each, totals.missing + index === 0)).join(''))
      totals = {
        accounts: totals.accounts + accounts,
        references: totals.references + references,
        missing: totals.missing + missing.length,
      }
      if ((await io.drained?.()) === false) return exitCode.environment
    }
  } catch (thrown) {
    if (!isPortFailure(thrown)) throw thrown
    const failure = portFailureOf(thrown)
    io.out(tail(totals, failure))
    io.err(`${failure.detail} Until then: ${missingSummary(totals)}\n`)
    return failure.exitCode
  }
  io.out(tail(totals))
  io.err(`${missingSummary(totals)}\n`)
  return totals.missing > 0 ? exitCode.dataHasFailures : exitCode.done
}
