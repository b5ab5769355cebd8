import { type AccountKey, accountKeyText } from '../domain/account-key.js'
import {
  comparePlaces,
  compareRuns,
  type FailurePlace,
  type ImportRun,
  namedAt,
  placeOf,
  type RunCounts,
  runErrors,
  type RunFailure,
  runSteps,
} from '../domain/import-run.js'
import { standstillOf } from '../domain/webhook.js'
import type { ImportRuns, RecordRequest, RunsPageRequest } from '../ports/import-runs.js'
import { portCall } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare-code-points.js'

import type { Account } from '../domain/account.js'
import type { ImportRow, Memory } from './memory.js'
import { tellWebhooks } from './webhooks.js'

const textOf = ({ step, line, externalAccountNumber }: FailurePlace): string =>
  `${step} ${line} ${externalAccountNumber}`

/** The imports and accounts of a supplier, in order of their numbers. */
function* rowsOf(
  { tables, numbers }: Memory,
  { organisation, importSupplier }: Omit<AccountKey, 'externalAccountNumber'>,
  after?: string,
): Generator<Readonly<{ number: string; row: ImportRow | undefined; account: Account | undefined }>> {
  for (const number of numbers(organisation, importSupplier).after(after)) {
    const name = accountKeyText({ organisation, importSupplier, externalAccountNumber: number })
    yield { number, row: tables.imports.get(name), account: tables.accounts.get(name) }
  }
}

/** The failures of an account, as its runs and their places name them. */
export const failuresOfAccount = (
  { runs, runFailures }: Pick<Memory, 'runs' | 'runFailures'>,
  { organisation, importSupplier, externalAccountNumber }: AccountKey,
): readonly Readonly<{ failure: RunFailure; remove: () => void }>[] =>
  [...runs.values()]
    .filter((run) => run.organisation === organisation && run.importSupplier === importSupplier)
    .sort((a, b) => compareCodePoints(a.id, b.id))
    .flatMap(({ id }) => {
      const failures = runFailures.get(id) ?? new Map<string, RunFailure>()
      return [...failures]
        .filter(([, failure]) => failure.externalAccountNumber === externalAccountNumber)
        .sort(([, a], [, b]) => comparePlaces(placeOf(a), placeOf(b)))
        .map(([place, failure]) => ({ failure, remove: () => void failures.delete(place) }))
    })

const call = portCall('importRuns')

export const inMemoryImportRuns = (memory: Memory): ImportRuns => {
  const { runs, runFailures: failuresOf } = memory
  /** The standstill of each run that was told last. */
  const toldOf = new Map<string, string>()

  const runOf = (organisation: string, id: string): ImportRun | undefined => {
    const found = runs.get(id)
    return found?.organisation === organisation ? found : undefined
  }

  const touched = (run: ImportRun, at: ImportRun['latestRequestAt'], isProgress = false): ImportRun => {
    const later = namedAt(run, at, isProgress)
    runs.set(run.id, later)
    return later
  }

  const isSame = (run: ImportRun, { organisation, importSupplier, source }: ImportRun): boolean =>
    run.finishedAt === undefined &&
    run.organisation === organisation &&
    run.importSupplier === importSupplier &&
    run.source?.name === source?.name &&
    run.source?.sha256 === source?.sha256

  const record = ({ run, step, at, outcomes }: RecordRequest): void => {
    const failures = failuresOf.get(run) ?? new Map<string, RunFailure>()
    failuresOf.set(run, failures)
    for (const { line, externalAccountNumber, failure } of outcomes) {
      const place = textOf(placeOf({ step, line, externalAccountNumber }))
      if (failure === undefined) failures.delete(place)
      else failures.set(place, { step, line, externalAccountNumber, ...failure, failedAt: at })
    }
  }

  const failuresIn = (run: string): readonly RunFailure[] => [...(failuresOf.get(run)?.values() ?? [])]

  const counts = (run: Parameters<ImportRuns['counts']>[0]): RunCounts => {
    const failures = failuresIn(run.id)
    const rows = [...rowsOf(memory, run)]
    return {
      staged: rows.filter(({ row }) => row?.importRun === run.id).length,
      created: rows.filter(({ account }) => account?.importRun === run.id).length,
      failed: Object.fromEntries(
        runSteps.map((step) => [step, failures.filter((failure) => failure.step === step).length]),
      ) as RunCounts['failed'],
      errors: runErrors(failures),
    }
  }

  const page = ({ organisation, importSupplier, after, limit }: RunsPageRequest): readonly ImportRun[] =>
    [...runs.values()]
      .filter((run) => run.organisation === organisation)
      .filter((run) => importSupplier === undefined || run.importSupplier === importSupplier)
      .filter((run) => after === undefined || compareRuns(run, after) > 0)
      .sort(compareRuns)
      .slice(0, limit)

  return {
    open: (run) =>
      call('open', async () => {
        const known =
          run.source === undefined ? undefined : [...runs.values()].find((other) => isSame(other, run))
        if (known !== undefined) return touched(known, run.startedAt)
        runs.set(run.id, run)
        tellWebhooks(memory, run, 'run.started')
        return run
      }),
    find: (organisation, id) => call('find', async () => runOf(organisation, id)),
    touch: (organisation, id, at, isProgress) =>
      call('touch', async () => {
        const run = runOf(organisation, id)
        if (run !== undefined) touched(run, at, isProgress)
      }),
    finish: (organisation, id, at) =>
      call('finish', async () => {
        const run = runOf(organisation, id)
        if (run === undefined || run.finishedAt !== undefined) return run
        const latestRequestAt = at > run.latestRequestAt ? at : run.latestRequestAt
        const finished = { ...run, latestRequestAt, finishedAt: at }
        runs.set(id, finished)
        tellWebhooks(memory, finished, 'run.finished')
        return finished
      }),
    noteStandstills: (before, limit) =>
      call('noteStandstills', async () => {
        let noted = 0
        for (const run of runs.values()) {
          const standstill = standstillOf(run, before)
          if (standstill === undefined || noted === limit) continue
          const { event, since } = standstill
          if (toldOf.get(run.id) === `${event} ${since}`) continue
          toldOf.set(run.id, `${event} ${since}`)
          tellWebhooks(memory, run, event)
          noted += 1
        }
        return noted
      }),
    page: (request) => call('page', async () => page(request)),
    record: (request) => call('record', async () => record(request)),
    failures: ({ run, after, limit }) =>
      call('failures', async () =>
        failuresIn(run)
          .filter((failure) => after === undefined || comparePlaces(placeOf(failure), after) > 0)
          .sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))
          .slice(0, limit),
      ),
    counts: (run) => call('counts', async () => counts(run)),
    createdAccounts: ({ run, after, limit, ...supplier }) =>
      call('createdAccounts', async () => {
        const found: string[] = []
        for (const { number, account } of rowsOf(memory, supplier, after)) {
          if (account?.importRun === run) found.push(number)
          if (found.length === limit) break
        }
        return found
      }),
    removeFailures: ({ organisation, importSupplier, until, at, limit }) =>
      call('removeFailures', async () => {
        let removed = 0
        for (const run of runs.values()) {
          const isDue = run.latestRequestAt <= until && run.failuresRemovedAt === undefined
          if (!isDue || run.organisation !== organisation || run.importSupplier !== importSupplier) continue
          const failures = failuresOf.get(run.id)
          for (const place of [...(failures?.keys() ?? [])].slice(0, limit - removed)) {
            failures?.delete(place)
            removed += 1
          }
          if ((failures?.size ?? 0) > 0) break
          runs.set(run.id, { ...run, failuresRemovedAt: at })
        }
        return removed
      }),
  }
}
