import {
  type BatchOutcome,
  checkBatch,
  FileFailure,
  type FileTotals,
  numberText,
  type Place,
  type RunFacts,
  type Checker,
  verdictOf,
} from '@account-import/account-files'
import type { RuleSettings } from '@account-import/core'
import type { CheckContext } from '@account-import/core/payloads'
import { Worker } from 'node:worker_threads'
import type { OutputPaths } from '../account-files/output/outputs.js'
import { type Converted, type FileOutcome, runOver, type Surroundings } from '../account-files/pass.js'
import type { Fact } from '../account-files/report/page.js'
import { reportPage } from '../account-files/report/report.js'
import type { WorkerSetup } from './worker.js'

/** The files, the settings and the outputs of a check. */
export type OfflineJob = Readonly<{
  /** Path of the file, `-` for standard input. */
  file: string
  /** Accounts that were converted from `file`. */
  converted?: Converted | undefined
  outputs: OutputPaths
  context: CheckContext
  /** Threads that check, from 1. */
  workers: number
}>

const membersShown = 20

const listed = (texts: readonly string[]): string => (texts.length === 0 ? 'none' : texts.join(', '))

const memberText = (members: readonly string[]): string =>
  members.length <= membersShown
    ? members.join(', ')
    : `${members.slice(0, membersShown).join(', ')} and ${numberText(members.length - membersShown)} more`

const settingsFacts = ({
  severities,
  closedLists,
  internalEmailDomains,
  markets,
}: RuleSettings): readonly Fact[] => [
  ['Markets', listed(markets)],
  ['Changed severities', listed(Object.entries(severities).map(([code, severity]) => `${code}=${severity}`))],
  [
    'Closed lists',
    listed(
      Object.entries(closedLists).map(
        ([name, { members, severity }]) => `${name} (${severity}): ${memberText(members)}`,
      ),
    ),
  ],
  ['Internal e-mail domains', listed(internalEmailDomains)],
]

const offlineReport = (
  { file, converted, outputs, context }: OfflineJob,
  totals: FileTotals,
  facts: RunFacts,
  place: Place | undefined,
): string => {
  const { accounts, failed, validWithWarnings } = totals
  return reportPage({
    title: 'Validation',
    lead: 'Customer accounts checked offline, before their import',
    file,
    sourceRows: converted?.sourceRows,
    place,
    outputs,
    totals,
    verdict: verdictOf(totals),
    outcomes: [
      ['valid', accounts - failed],
      ['of these without a warning', accounts - failed - validWithWarnings],
      ['of these with warnings', validWithWarnings],
      ['failed', failed],
    ],
    ground: {
      title: 'Validated by',
      facts: [
        ['Day', context.today],
        ['Country of national phone numbers', context.defaultCountry],
        ...settingsFacts(context.settings),
        [
          'Not checked here',
          'only the service can check: whether the import supplier and the operations team exist, whether documents are there, whether an account was imported already',
        ],
      ],
    },
    facts,
    workersName: 'Workers',
  })
}

type Waiting = Readonly<{ resolve(outcome: BatchOutcome): void; reject(failure: FileFailure): void }>
type Busy = Readonly<{ worker: Worker; waiting: Waiting[] }>

/** Several times the need of the worst line. A worker ends at this limit, before the machine runs out of memory. */
const heapLimitMib = 768

const crashed = (cause: unknown): FileFailure => {
  const memory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const ending = memory ? 'ran out of memory' : 'ended unexpectedly'
  return new FileFailure('worker_failed', `A worker ${ending}, so not every line was checked.`)
}

/** A thread takes longer to start than this thread to check so many bytes. */
const fewBytes = 262_144

/**
 * Threads that check batches, at most `limit`, each started for a batch that finds no idle one. Short batches begin on this
 * thread, so a small file needs no other. When a thread dies, all running and later checks are rejected.
 */
const checkWorkers = (limit: number, setup: WorkerSetup): Checker => {
  const { context, wants } = setup
  const all: Busy[] = []
  let failure: FileFailure | undefined
  const fail = (reason: FileFailure): void => {
    failure ??= reason
    for (const { waiting } of all) for (const { reject } of waiting.splice(0)) reject(failure)
  }
  const started = (): Busy => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMib },
    })
    const busy: Busy = { worker, waiting: [] }
    worker.on('message', (outcome: BatchOutcome) => busy.waiting.shift()?.resolve(outcome))
    worker.on('messageerror', (cause) => fail(crashed(cause)))
    worker.on('error', (cause) => fail(crashed(cause)))
    worker.on('exit', () => fail(crashed(undefined)))
    all.push(busy)
    return busy
  }
  const leastBusy = (): Busy => {
    const [least] = all.toSorted((left, right) => left.waiting.length - right.waiting.length)
    const free = least !== undefined && least.waiting.length === 0
    return free || (least !== undefined && all.length >= limit) ? least : started()
  }
  return {
    check: (batch) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure)
        if (all.length === 0 && batch.bytes.length <= fewBytes)
          return resolve(checkBatch(batch, { wants, rulesFor: () => ({ context }) }))
        const { worker, waiting } = leastBusy()
        waiting.push({ resolve, reject })
        worker.postMessage(batch, [batch.bytes.buffer])
      }),
    fail,
    close: async () => {
      fail(crashed(undefined))
      await Promise.all(all.map(({ worker }) => worker.terminate()))
    },
  }
}

/** Large enough to be worth a transfer to a worker, small enough to use little memory. */
const batchBytes = 524_288

/** Batches read ahead for each worker, so that no worker waits for the reader. */
const aheadOfEach = 3

/**
 * Checks a file of accounts, one JSON account a line, by the rules on the account alone: the form of each field and the rules
 * over several fields. Writes the outputs of the job. Rejects as `runOver` does.
 */
export const runOffline = (job: OfflineJob, surroundings: Surroundings): Promise<FileOutcome> => {
  const { file, converted, outputs, context, workers } = job
  return runOver(
    {
      file,
      converted,
      outputs,
      workers,
      batchBytes,
      ahead: workers * aheadOfEach,
      checkerOf: (wants) => checkWorkers(workers, { context, wants }),
      report: (...results) => offlineReport(job, ...results),
    },
    surroundings,
  )
}
