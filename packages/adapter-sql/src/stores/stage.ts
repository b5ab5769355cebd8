import type { StageOutcome, Staging } from '@account-import/core'
import type { Session } from '../session/session.js'
import { chunks, maxStatementBytes } from '../statements/chunks.js'
import { compareKeys } from '../statements/import-keys.js'
import { keptPayload } from '../rows/kept-payload.js'
import type { KeptStaging } from '../statements/stage-imports.js'
import { stageBatch } from './stage-batch.js'

/** How much goes into one statement: more items hardly save anything, and hold locks for longer. */
export const batchLimits = {
  maxItems: 64,
  maxBytes: maxStatementBytes,
  bytesOf: (staging: Staging): number => staging.payload.length + 512,
}

/** A statement that says itself what became of its rows needs no transaction: one for all rows, or for a single one. */
const inFewestSteps = ({ dialect, query, transaction }: Session, stagings: number): Session['transaction'] =>
  stagings === 1 || dialect.upserts.returning !== undefined ? query : transaction

const withKept = ({ dataKeys }: Session, stagings: readonly Staging[]): Promise<readonly KeptStaging[]> =>
  Promise.all(
    stagings.map(async (staging) => ({
      ...staging,
      kept: await keptPayload(dataKeys, staging.key, staging.payload),
    })),
  )

/** Stages the list, in one transaction for each batch of it. */
export const stageDirectly = async (
  session: Session,
  stagings: readonly Staging[],
): Promise<readonly StageOutcome[]> => {
  const order = stagings.map((_, index) => index)
  const keyAt = (index: number): Staging => stagings[index] as Staging
  order.sort((a, b) => compareKeys(keyAt(a).key, keyAt(b).key))
  const outcomes: StageOutcome[] = []
  for (const piece of chunks(order, {
    ...batchLimits,
    bytesOf: (index) => batchLimits.bytesOf(keyAt(index)),
  })) {
    const batch = await withKept(session, piece.map(keyAt))
    const decided = await inFewestSteps(session, batch.length)((db) => stageBatch(db, session.dialect, batch))
    piece.forEach((index, at) => (outcomes[index] = decided[at] as StageOutcome))
  }
  return outcomes
}
