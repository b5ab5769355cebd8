import type { ExecutionContext } from 'ava'
import { databaseKinds, databasesRun, type DatabaseKind } from '../databases.js'
import type { FaultOutcome } from '../fault-run.js'

/** Injects one fault, found by its name, once and under load. */
export const outcomeOf = async (kind: DatabaseKind, faults: string): Promise<FaultOutcome> => {
  const databases = await databaseKinds[kind].start()
  try {
    for await (const outcome of databasesRun(databases, { faults, rounds: 1, pace: 0.5 })) return outcome
  } finally {
    await databases.stop()
  }
  throw new Error(`there is no fault ${faults}`)
}

export const tried = (t: ExecutionContext, { row, faults }: FaultOutcome): FaultOutcome['row'] => {
  t.log(JSON.stringify(row))
  t.deepEqual(faults, [])
  t.true(row.injected > 0)
  return row
}
