import {
  type Batch,
  type BatchOutcome,
  checkBatch,
  FileFailure,
  type RulesFor,
} from '@account-import/account-files'
import { builtInSettings } from '@account-import/core'
import type { ExtraFinding } from '@account-import/core/payloads'
import type { PageData } from '../page/protocol.js'

export const wants = { failures: 'table', errors: true, mapping: false } as const

const supplierIsMissing: readonly ExtraFinding[] = [
  { path: ['import_supplier'], code: 'import_supplier_does_not_exist' },
]

/** As the service does: by the settings of the supplier that an account names. */
const rulesBySupplier = (suppliers: PageData['suppliers']): RulesFor => {
  const known = new Map(suppliers.map(({ code, context }) => [code, { context }]))
  const first = suppliers[0]
  if (first === undefined) throw new Error('There is no supplier.')
  const unknown = { context: { ...first.context, settings: builtInSettings } }
  return (supplier) =>
    supplier === undefined ? unknown : (known.get(supplier) ?? { ...unknown, extra: supplierIsMissing })
}

/** Checks batches, `ahead` of them at a time besides that which is read. */
export type CheckThreads = Readonly<{
  ahead: number
  check: (batch: Batch) => Promise<BatchOutcome>
  end: () => void
}>

const batchCheck = (suppliers: PageData['suppliers']) => {
  const rulesFor = rulesBySupplier(suppliers)
  return (batch: Batch): BatchOutcome => checkBatch(batch, { wants, rulesFor })
}

/** Checks batches in this thread. */
export const checkInThisThread = (suppliers: PageData['suppliers']): CheckThreads => {
  const check = batchCheck(suppliers)
  return { ahead: 0, check: async (batch) => check(batch), end: () => undefined }
}

/** The first message to a thread that checks batches; each later one is a batch. */
export type CheckThreadSetup = Readonly<{ kind: 'check_batches'; suppliers: PageData['suppliers'] }>

/** Makes this thread one that checks batches. */
export const serveChecks = ({ suppliers }: CheckThreadSetup): void => {
  const check = batchCheck(suppliers)
  globalThis.onmessage = ({ data }: MessageEvent<Batch>) => postMessage(check(data))
}

/** More would need more memory than they are worth: a tab may have a few hundred megabytes. */
const mostThreads = 3

type Waiting = Readonly<{ resolve: (checked: BatchOutcome) => void; reject: (failure: FileFailure) => void }>
type Thread = Readonly<{ worker: Worker; waiting: Waiting[] }>

/** Checks batches in threads of their own, as many as the machine has processors. The script of this thread becomes theirs. */
export const threads = (suppliers: PageData['suppliers'], script: URL): CheckThreads => {
  const count = Math.max(1, Math.min(mostThreads, navigator.hardwareConcurrency))
  const all = Array.from({ length: count }, (): Thread => {
    const [worker, waiting]: [Worker, Thread['waiting']] = [new Worker(script, { type: 'module' }), []]
    worker.onmessage = ({ data }: MessageEvent<BatchOutcome>) => waiting.shift()?.resolve(data)
    worker.onerror = () => {
      for (const { reject } of waiting.splice(0))
        reject(
          new FileFailure('worker_failed', 'A thread ended unexpectedly, so not every line was checked.'),
        )
    }
    worker.postMessage({ kind: 'check_batches', suppliers } satisfies CheckThreadSetup)
    return { worker, waiting }
  })
  return {
    ahead: 2 * count,
    check: (batch) =>
      new Promise((resolve, reject) => {
        const least = all.reduce((one, other) => (other.waiting.length < one.waiting.length ? other : one))
        least.waiting.push({ resolve, reject })
        least.worker.postMessage(batch, [batch.bytes.buffer])
      }),
    end: () => all.forEach(({ worker }) => worker.terminate()),
  }
}
