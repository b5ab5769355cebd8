import { type Batch, type BatchOutcome, type Wants, checkBatch } from '@account-import/account-files'
import { type CheckContext } from '@account-import/core/payloads'
import { parentPort, workerData } from 'node:worker_threads'

/** The input of a worker. */
export type WorkerSetup = Readonly<{ context: CheckContext; wants: Wants }>

/** `checkWorkers` of `run-offline.ts` starts this thread with a set-up, and sends batches. */
const { context, wants } = workerData as WorkerSetup

const buffersOf = ({ failures, errors }: BatchOutcome): ArrayBuffer[] =>
  [failures, errors].flatMap((part) => (part === undefined ? [] : [part.buffer]))

parentPort?.on('message', (batch: Batch) => {
  const outcome = checkBatch(batch, { wants, rulesFor: () => ({ context }) })
  parentPort?.postMessage(outcome, buffersOf(outcome))
})
