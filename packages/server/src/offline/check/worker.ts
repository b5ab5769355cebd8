import { parentPort, workerData } from 'node:worker_threads'
import type { Batch, BatchOutcome } from '../../account-files/batch.js'
import { checkBatch, type CheckSetup } from '../validate-line.js'

/** Only ever started by `CheckWorkers` of `run-offline.ts`, which gives it a set-up and batches. */
const setup = workerData as CheckSetup

const buffersOf = ({ keys, failures, errors }: BatchOutcome): ArrayBuffer[] =>
  [keys, failures, errors].flatMap((part) => (part === undefined ? [] : [part.buffer]))

parentPort?.on('message', (batch: Batch) => {
  const outcome = checkBatch(batch, setup)
  parentPort?.postMessage(outcome, buffersOf(outcome))
})
