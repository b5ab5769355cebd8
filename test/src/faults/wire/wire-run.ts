import { checkAccounts } from '../../cluster/invariants/accounts.js'
import type { FaultRow } from '../../cluster/report/fault-row.js'
import type { Wired } from './sending.js'

/** What came of one run: figures for the report, and everything that is wrong. */
export type WireRun = Readonly<{ row: Omit<FaultRow, 'fault'>; faults: readonly string[] }>

/** What the faults themselves brought. */
type Injected = Readonly<{
  injected: number
  slowestRecoveryMilliseconds: number
  faults: readonly string[]
}>

/** What a client was told that it should never be told begins with its status. */
const isError = (fault: string): boolean => /^(?:line \d+: )?5\d\d /.test(fault)

/** Compares what was acknowledged with what is there; `others` is what was found besides. */
export const wireRun = async (
  { database, numbers, tally, counts }: Wired,
  { injected, slowestRecoveryMilliseconds, faults }: Injected,
  others: readonly string[],
): Promise<WireRun> => {
  const { lost, doubled } = await checkAccounts(database, numbers, tally.acknowledged)
  return {
    row: {
      runs: 1,
      injected,
      ...counts,
      lost: lost.length,
      doubled: doubled.length,
      errors500: faults.filter(isError).length,
      slowestRecoveryMilliseconds,
    },
    faults: [...faults, ...others, ...lost, ...doubled],
  }
}
