import type { StageOutcome, Staging } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { failureKind } from '../failures/failure-kind.js'
import { batchLimits } from './stage.js'

type Flush = (stagings: readonly Staging[]) => Promise<readonly StageOutcome[]>

type Waiting = Readonly<{
  staging: Staging
  resolve: (outcome: StageOutcome) => void
  reject: (cause: unknown) => void
}>

export type StageQueueOptions = Readonly<{
  /** Batches on their way to the database at one time. */
  parallelFlushes: number
}>

/**
 * Batch sizes: a statement for each size is prepared on each connection, so there are only these. What is left
 * over goes with the next batch.
 */
const sizes = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1]
const sizeFor = (items: number): number => sizes.find((size) => size <= items) ?? 1

/** Takes the next batch from the queue: distinct keys, within the limits; the others keep their order. */
const takeBatch = (queue: Waiting[]): readonly Waiting[] => {
  const keys = new Set<string>()
  const batch: Waiting[] = []
  let bytes = 0
  for (const waiting of queue) {
    const key = accountKeyText(waiting.staging.key)
    const size = batchLimits.bytesOf(waiting.staging)
    if (batch.length > 0 && bytes + size > batchLimits.maxBytes) break
    if (keys.has(key)) continue
    keys.add(key)
    batch.push(waiting)
    bytes += size
    if (batch.length === batchLimits.maxItems) break
  }
  const taken = new Set(batch.slice(0, sizeFor(batch.length)))
  const left = queue.filter((waiting) => !taken.has(waiting))
  queue.splice(0, queue.length, ...left)
  return [...taken]
}

/** Stages one by one after a batch failed, so that an item that the database refuses does not fail the others. */
const flushAlone = async (flush: Flush, { staging, resolve, reject }: Waiting): Promise<void> => {
  try {
    const [outcome] = await flush([staging])
    resolve(outcome as StageOutcome)
  } catch (cause) {
    reject(cause)
  }
}

const flushBatch = async (flush: Flush, batch: readonly Waiting[]): Promise<void> => {
  try {
    const outcomes = await flush(batch.map(({ staging }) => staging))
    batch.forEach(({ resolve }, index) => resolve(outcomes[index] as StageOutcome))
  } catch (cause) {
    const alone = batch.length > 1 && failureKind(cause) !== 'unavailable'
    if (alone) for (const waiting of batch) await flushAlone(flush, waiting)
    else for (const { reject } of batch) reject(cause)
  }
}

/**
 * Joins stagings that wait at the same time into one transaction. Nothing waits on purpose: a staging that finds a
 * free place goes at once, those that come while all are taken go together.
 */
export const makeStageQueue = (
  flush: Flush,
  { parallelFlushes }: StageQueueOptions,
): ((staging: Staging) => Promise<StageOutcome>) => {
  const queue: Waiting[] = []
  let flushing = 0
  const work = async (): Promise<void> => {
    if (flushing >= parallelFlushes) return
    flushing += 1
    while (queue.length > 0) await flushBatch(flush, takeBatch(queue))
    flushing -= 1
  }
  return (staging) =>
    new Promise((resolve, reject) => {
      queue.push({ staging, resolve, reject })
      queueMicrotask(() => void work())
    })
}
