import { idFrom } from '../values/api-key.js'
import { pageOf, type ListPage } from '../lists/pages.js'
import { unnamedActor } from '../domain/audit-entry.js'
import {
  type FailurePlace,
  type ImportRun,
  placeOf,
  type RunCounts,
  type RunError,
  type RunFailure,
  type RunState,
  runStateAt,
  type RunTotals,
  secondsOf,
} from '../domain/import-run.js'
import { E, pipe } from '../fp.js'
import { importRunRequest } from '../payloads/requests.js'
import type { Ports } from '../ports/index.js'
import type { Instant } from '../values/instant.js'
import { checkNamedRequest, type Submission } from '../checking/check-payload.js'
import type { ImportRunDoesNotExist, RequestFailedValidation, UseCaseResult } from '../checking/errors.js'

/** A run with its present state and totals. `seconds`: its duration (`secondsOf`). */
export type ShownRun = ImportRun & Readonly<{ state: RunState; totals: RunTotals; seconds: number }>

export type RunRequest = Readonly<{ organisation: string; id: string }>

/** Opens, finishes and queries the runs of an organisation. */
export type ImportRunUseCases = Readonly<{
  /**
   * Opens a run, which requests of `stageAccount`, `processAccount`, `bulkStage` and `bulkProcess` may name. The payload is an
   * `ImportRunRequest`. Returns the unfinished run of the same supplier and source if there is one, with `isNew` false.
   */
  openImportRun(
    submission: Submission,
  ): UseCaseResult<RequestFailedValidation, ShownRun & Readonly<{ isNew: boolean }>>
  /** Finishes a run: no request may name it afterwards. A finished run is not changed. */
  finishImportRun(request: RunRequest): UseCaseResult<ImportRunDoesNotExist, ShownRun>
  /** A run, and the present counts of its accounts. */
  importRun(
    request: RunRequest,
  ): UseCaseResult<ImportRunDoesNotExist, Readonly<{ run: ShownRun; counts: RunCounts }>>
  /** A run without its counts, which takes a moment for a large run. */
  findImportRun(request: RunRequest): UseCaseResult<ImportRunDoesNotExist, ImportRun>
  /**
   * Runs, the latest first; of all suppliers without `importSupplier`. A page in a `state` may have fewer runs than `limit`, as
   * one call reads at most 1000 runs.
   */
  importRunsPage(
    request: Readonly<{
      organisation: string
      importSupplier?: string | undefined
      state?: RunState | undefined
      /** Only runs that began at this instant or after it. */
      startedFrom?: Instant | undefined
      after: RunPlace | undefined
      limit: number
    }>,
  ): UseCaseResult<never, ListPage<ShownRun, RunPlace>>
  /** The accounts of a run that were refused, and were not accepted in the same step since; those with an error, if it is given. */
  importRunFailures(
    request: RunRequest &
      Readonly<{ error?: RunError | undefined; after: FailurePlace | undefined; limit: number }>,
  ): UseCaseResult<ImportRunDoesNotExist, ListPage<RunFailure, FailurePlace>>
  /** The numbers of existing accounts that the run created, in order. */
  importRunAccounts(
    request: RunRequest & Readonly<{ after: string | undefined; limit: number }>,
  ): UseCaseResult<ImportRunDoesNotExist, ListPage<string, string>>
}>

/** The place of a run in the list. */
export type RunPlace = Pick<ImportRun, 'id' | 'startedAt'>

const placeOfRun = ({ id, startedAt }: ImportRun): RunPlace => ({ id, startedAt })

/** One call reads at most so many runs. */
const mostRunsRead = 1000

const noTotals: RunTotals = { created: 0, refused: 0 }

type RunPorts = Pick<Ports, 'clock' | 'importRuns' | 'importSuppliers' | 'secrets' | 'settings'>

export const importRunUseCases = (ports: RunPorts): ImportRunUseCases => {
  const { clock, importRuns, secrets } = ports
  const shownWith = (run: ImportRun, totals: RunTotals): ShownRun => {
    const now = clock.now()
    const state = runStateAt(run, totals, now)
    return { ...run, state, totals, seconds: secondsOf(run, state, now) }
  }

  /** Counts the accounts of unfinished runs alone: a finished run keeps its totals. */
  const shownRuns = async (runs: readonly ImportRun[]): UseCaseResult<never, readonly ShownRun[]> => {
    const open = runs.filter(({ totals }) => totals === undefined)
    return pipe(
      open.length === 0 ? E.right([]) : await importRuns.totals(open),
      E.map((found) => {
        const counted = new Map(open.map(({ id }, index) => [id, found[index]]))
        return runs.map((run) => shownWith(run, run.totals ?? (counted.get(run.id) as RunTotals)))
      }),
    )
  }

  const shown = async (run: ImportRun): UseCaseResult<never, ShownRun> =>
    pipe(
      await shownRuns([run]),
      E.map(([only]) => only as ShownRun),
    )

  /** Whether the run may have the state, whatever its totals are. */
  const mayBe = (run: ImportRun, state: RunState | undefined): boolean => {
    const undone: readonly (RunState | undefined)[] = ['undone', 'partly_undone']
    const known = runStateAt(run, noTotals, clock.now())
    return state === undefined || state === known || (undone.includes(state) && undone.includes(known))
  }

  const orDoesNotExist = E.fromNullable<ImportRunDoesNotExist>({ _tag: 'ImportRunDoesNotExist' })

  /** Does the work if the organisation has the run. */
  const ofRun = async <A>(
    { organisation, id }: RunRequest,
    work: (run: ImportRun) => UseCaseResult<never, A>,
  ): UseCaseResult<ImportRunDoesNotExist, A> => {
    const run = pipe(await importRuns.find(organisation, id), E.flatMap(orDoesNotExist))
    return E.isLeft(run) ? run : work(run.right)
  }

  return {
    openImportRun: async (submission) => {
      const checked = await checkNamedRequest(ports, importRunRequest, 'import_supplier')(submission)
      if (E.isLeft(checked)) return checked
      const { import_supplier: importSupplier, label, source } = checked.right.request
      const at = clock.now()
      const id = idFrom(secrets.generate(), 22)
      const run = await importRuns.open({
        id,
        organisation: submission.organisation,
        importSupplier,
        label,
        source,
        startedBy: (submission.by ?? unnamedActor).who,
        startedAt: at,
        latestRequestAt: at,
        latestProgressAt: at,
        finishedAt: undefined,
        undone: undefined,
        totals: undefined,
        failuresRemovedAt: undefined,
      })
      if (E.isLeft(run)) return run
      const isNew = run.right.id === id
      return pipe(
        isNew ? E.right(shownWith(run.right, noTotals)) : await shown(run.right),
        E.map((each) => ({ ...each, isNew })),
      )
    },
    finishImportRun: async ({ organisation, id }) => {
      const finished = pipe(await importRuns.finish(organisation, id, clock.now()), E.flatMap(orDoesNotExist))
      return E.isLeft(finished) ? finished : shown(finished.right)
    },
    importRun: (request) =>
      ofRun(request, async (run) =>
        pipe(
          await importRuns.counts(run),
          E.map((counts) => {
            const { created, failed } = counts
            const present = { created, refused: failed.stage + failed.process }
            return { run: shownWith(run, run.totals ?? present), counts }
          }),
        ),
      ),
    findImportRun: (request) => ofRun(request, async (run) => E.right(run)),
    importRunsPage: async ({ limit, state, startedFrom, after, ...request }) => {
      const found: ShownRun[] = []
      let place = after
      for (let read = 0; read < mostRunsRead; read += limit) {
        const runs = await importRuns.page({ ...request, after: place, limit: limit + 1 })
        if (E.isLeft(runs)) return runs
        const { items, next } = pageOf(runs.right, limit, placeOfRun)
        const inPeriod = items.filter(
          ({ startedAt }) => startedFrom === undefined || startedAt >= startedFrom,
        )
        const shown = await shownRuns(inPeriod.filter((run) => mayBe(run, state)))
        if (E.isLeft(shown)) return shown
        found.push(...shown.right.filter((run) => state === undefined || run.state === state))
        if (found.length > limit) return E.right(pageOf(found, limit, placeOfRun))
        place = inPeriod.length < items.length ? undefined : next
        if (place === undefined || found.length === limit) break
      }
      return E.right({ items: found, next: place })
    },
    importRunFailures: ({ error, after, limit, ...request }) =>
      ofRun(request, async ({ id }) =>
        pipe(
          await importRuns.failures({ run: id, error, after, limit: limit + 1 }),
          E.map((failures) => pageOf(failures, limit, placeOf)),
        ),
      ),
    importRunAccounts: ({ after, limit, ...request }) =>
      ofRun(request, async ({ id, organisation, importSupplier }) =>
        pipe(
          await importRuns.createdAccounts({
            organisation,
            importSupplier,
            run: id,
            after,
            limit: limit + 1,
          }),
          E.map((numbers) => pageOf(numbers, limit, (number) => number)),
        ),
      ),
  }
}
