import {
  portCall,
  type AccountKey,
  type FailurePlace,
  type ImportRun,
  type ImportRuns,
  type RecordRequest,
  type RunFailure,
  type RunTotals,
} from '@account-import/core'
import {
  compareCodePoints,
  comparePlaces,
  compareRuns,
  namedAt,
  placeOf,
  runErrors,
  standstillOf,
} from '@account-import/core/adapter-kit'
import { pageOf } from './pages.js'
import type { Access } from './turns.js'
import type { Rows, View } from './view.js'
import { tellWebhooks } from './webhooks.js'

const nameOf = (run: string, { step, line, externalAccountNumber }: FailurePlace): string =>
  `${run} ${step} ${line} ${externalAccountNumber}`

const runOf = (view: View, organisation: string, id: string): ImportRun | undefined => {
  const run = view.get('runs', id)
  return run?.organisation === organisation ? run : undefined
}

const touch = (view: View, run: ImportRun, at: ImportRun['startedAt'], isProgress = false): ImportRun => {
  const touched = namedAt(run, at, isProgress)
  view.put('runs', run.id, touched)
  return touched
}

const sourceText = ({ organisation, importSupplier, source }: ImportRun): string =>
  JSON.stringify([organisation, importSupplier, source?.name, source?.sha256])

const open = (view: View, run: ImportRun): ImportRun => {
  const isSame = (other: ImportRun): boolean =>
    other.finishedAt === undefined && sourceText(other) === sourceText(run)
  const known = run.source === undefined ? undefined : view.rows('runs').find(isSame)
  if (known !== undefined) return touch(view, known, run.startedAt)
  view.insert('runs', run.id, run)
  tellWebhooks(view, run, 'run.started')
  return run
}

const noteStandstills = (view: View, before: ImportRun['startedAt'], limit: number): number => {
  let noted = 0
  for (const run of view.rows('runs')) {
    const standstill = standstillOf(run, before)
    if (standstill === undefined || noted === limit) continue
    const told = view.get('told', run.id)
    if (told?.event === standstill.event && told.since === standstill.since) continue
    view.put('told', run.id, standstill)
    tellWebhooks(view, run, standstill.event)
    noted += 1
  }
  return noted
}

const record = (view: View, { run, step, at, outcomes }: RecordRequest): void => {
  for (const { line, externalAccountNumber, failure } of outcomes) {
    const found = { step, line, externalAccountNumber }
    const row = failure === undefined ? null : { run, ...found, ...failure, failedAt: at }
    view.put('failures', nameOf(run, placeOf(found)), row)
  }
}

const failuresOf = (view: View, id: string): readonly RunFailure[] =>
  view
    .rows('failures')
    .filter((row) => row.run === id)
    .map(({ run: _run, ...failure }) => failure)
    .sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))

/** The failures of an account in all runs: by run, and then in the order of their places. */
export const failuresOfAccount = (
  view: View,
  { organisation, importSupplier, externalAccountNumber }: AccountKey,
): readonly Rows['failures'][] => {
  const isOfRun = (id: string): boolean => {
    const run = view.get('runs', id)
    return run?.organisation === organisation && run.importSupplier === importSupplier
  }
  return view
    .rows('failures')
    .filter((row) => row.externalAccountNumber === externalAccountNumber && isOfRun(row.run))
    .sort((a, b) => compareCodePoints(a.run, b.run) || comparePlaces(placeOf(a), placeOf(b)))
}

export const eraseRunFailures = (view: View, key: AccountKey): number => {
  const failures = failuresOfAccount(view, key)
  for (const failure of failures) view.put('failures', nameOf(failure.run, placeOf(failure)), null)
  return failures.length
}

const createdBy = (view: View, id: string) =>
  view.rows('accounts').filter(({ importRun }) => importRun === id)

const stagedBy = (view: View, id: string): number =>
  view.rows('imports').filter(({ importRun }) => importRun === id).length

const totalsOf = (view: View, { id, undone }: ImportRun): RunTotals => ({
  created: createdBy(view, id).length + (undone?.count ?? 0),
  refused: failuresOf(view, id).length,
})

const removeDue = (
  view: View,
  { organisation, importSupplier, until, at, limit }: Parameters<ImportRuns['removeFailures']>[0],
): number => {
  let removed = 0
  const due = view
    .rows('runs')
    .filter((run) => run.organisation === organisation && run.importSupplier === importSupplier)
    .filter((run) => run.latestRequestAt <= until && run.failuresRemovedAt === undefined)
  for (const run of due) {
    const failures = failuresOf(view, run.id)
    const gone = failures.slice(0, limit - removed)
    for (const failure of gone) view.put('failures', nameOf(run.id, placeOf(failure)), null)
    removed += gone.length
    if (gone.length < failures.length) return removed
    view.put('runs', run.id, { ...run, failuresRemovedAt: at })
  }
  return removed
}

export const importRuns = ({ read, change }: Access): ImportRuns => {
  const call = portCall('importRuns')
  return {
    open: (run) => call('open', () => change((view) => open(view, run))),
    find: (organisation, id) => call('find', () => read((view) => runOf(view, organisation, id))),
    touch: (organisation, id, at, isProgress) =>
      call('touch', () =>
        change((view) => {
          const run = runOf(view, organisation, id)
          if (run !== undefined) touch(view, run, at, isProgress)
        }),
      ),
    finish: (organisation, id, at) =>
      call('finish', () =>
        change((view) => {
          const run = runOf(view, organisation, id)
          if (run === undefined || run.finishedAt !== undefined) return run
          const latestRequestAt = at > run.latestRequestAt ? at : run.latestRequestAt
          const finished = { ...run, latestRequestAt, finishedAt: at, totals: totalsOf(view, run) }
          view.put('runs', id, finished)
          tellWebhooks(view, finished, 'run.finished')
          return finished
        }),
      ),
    noteStandstills: (before, limit) =>
      call('noteStandstills', () => change((view) => noteStandstills(view, before, limit))),
    page: ({ organisation, importSupplier, after, limit }) =>
      call('page', () =>
        read((view) =>
          view
            .rows('runs')
            .filter((run) => run.organisation === organisation)
            .filter((run) => importSupplier === undefined || run.importSupplier === importSupplier)
            .filter((run) => after === undefined || compareRuns(run, after) > 0)
            .sort(compareRuns)
            .slice(0, limit),
        ),
      ),
    record: (request) => call('record', () => change((view) => record(view, request))),
    failures: ({ run, after, limit }) =>
      call('failures', () =>
        read((view) =>
          failuresOf(view, run)
            .filter((failure) => after === undefined || comparePlaces(placeOf(failure), after) > 0)
            .slice(0, limit),
        ),
      ),
    counts: (run) =>
      call('counts', () =>
        read((view) => {
          const failures = failuresOf(view, run.id)
          const failedIn = (step: RunFailure['step']): number =>
            failures.filter((failure) => failure.step === step).length
          return {
            staged: stagedBy(view, run.id) + (run.undone?.count ?? 0),
            created: totalsOf(view, run).created,
            failed: { stage: failedIn('stage'), process: failedIn('process') },
            errors: runErrors(failures),
          }
        }),
      ),
    totals: (runs) => call('totals', () => read((view) => runs.map((run) => totalsOf(view, run)))),
    createdAccounts: ({ run, ...request }) =>
      call('createdAccounts', () =>
        read((view) => pageOf(createdBy(view, run), request).map(({ key }) => key.externalAccountNumber)),
      ),
    removeFailures: (request) => call('removeFailures', () => change((view) => removeDue(view, request))),
  }
}
