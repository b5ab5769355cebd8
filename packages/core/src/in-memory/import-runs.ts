import { type AccountKey, accountKeyText } from '../domain/account-import.js'
import {
  comparePlaces,
  compareRuns,
  dismissalOf,
  errorsOfFailure,
  type FailurePlace,
  type ImportRun,
  isStillOpen,
  namedAt,
  type OpenPlace,
  openPlaceOf,
  placeOf,
  type Reached,
  type RunCounts,
  type RunError,
  runErrors,
  type RunFailure,
  type RunStep,
  runSteps,
  type RunTotals,
} from '../domain/import-run.js'
import {
  deliveriesOf,
  standstillOf,
  unknownAfterSeconds,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEvents,
} from '../domain/webhook.js'
import type { ImportRuns, RecordRequest, RunsPageRequest } from '../ports/import-runs.js'
import { portOf } from '../ports/port-failure.js'
import type { Webhooks, WebhookSettlement } from '../ports/webhooks.js'
import { compareCodePoints } from '../values/compare.js'
import { type Instant, plusSeconds } from '../values/instant.js'
import { recordIn } from './audit-trail.js'
import { type Memory, type OpenRow, pageIn, rowsOf } from './memory.js'

const nameOf = ({ webhook, id }: Pick<WebhookDelivery, 'webhook' | 'id'>): string => `${webhook} ${id}`

/** Stores the deliveries of an event; to be called in the same turn of the event loop as the change of the run. */
const addDeliveries = (
  { webhooks, deliveries }: Pick<Memory, 'webhooks' | 'deliveries'>,
  run: ImportRun,
  event: WebhookEvent,
): void => {
  for (const delivery of deliveriesOf([...webhooks.values()], run, event))
    deliveries.set(nameOf(delivery), delivery)
}

/** The time since which each attempt failed, if one failed at `at`: `at` itself after a day without an attempt. */
const failingFrom = (
  { failingSince, latestFailure }: Pick<Webhook, 'failingSince' | 'latestFailure'>,
  at: Instant,
): Instant =>
  failingSince !== undefined &&
  latestFailure !== undefined &&
  plusSeconds(latestFailure.occurredAt, unknownAfterSeconds) >= at
    ? failingSince
    : at

/** The order in which a webhook gets its deliveries. */
const compareDeliveries = (
  a: Pick<WebhookDelivery, 'occurredAt' | 'event'>,
  b: Pick<WebhookDelivery, 'occurredAt' | 'event'>,
): number =>
  compareCodePoints(a.occurredAt, b.occurredAt) ||
  webhookEvents.indexOf(a.event) - webhookEvents.indexOf(b.event)

const compareWebhooks = (a: Webhook, b: Webhook): number =>
  compareCodePoints(a.organisation, b.organisation) || compareCodePoints(a.id, b.id)

export const inMemoryWebhooks = ({
  webhooks,
  deliveries,
}: Pick<Memory, 'webhooks' | 'deliveries'>): Webhooks => {
  const forget = (webhook: string): void => {
    for (const [name, delivery] of deliveries) if (delivery.webhook === webhook) deliveries.delete(name)
  }

  const dueAt = (at: WebhookDelivery['dueAt']): readonly WebhookDelivery[] =>
    [...deliveries.values()]
      .filter((delivery) => delivery.dueAt <= at)
      .sort((a, b) => compareCodePoints(a.dueAt, b.dueAt))

  const settleDelivery = (settlement: Exclude<WebhookSettlement, { _tag: 'gone' }>): void => {
    const name = nameOf(settlement)
    const delivery = deliveries.get(name)
    if (delivery === undefined) return
    if (settlement._tag !== 'deferred') deliveries.delete(name)
    else deliveries.set(name, { ...delivery, attempts: delivery.attempts + 1, dueAt: settlement.dueAt })
  }

  const settle = (settlement: WebhookSettlement): void => {
    const { webhook: id, at } = settlement
    if (settlement._tag === 'gone') forget(id)
    else settleDelivery(settlement)
    const webhook = webhooks.get(id)
    if (webhook === undefined) return
    if (settlement._tag === 'delivered')
      webhooks.set(id, { ...webhook, latestDeliveryAt: at, failingSince: undefined })
    else
      webhooks.set(id, {
        ...webhook,
        latestFailure: { code: settlement.code, occurredAt: at },
        failingSince: failingFrom(webhook, at),
        disabledAt: settlement._tag === 'gone' ? at : webhook.disabledAt,
      })
  }

  return portOf('webhooks', {
    add: async (webhook) => void webhooks.set(webhook.id, webhook),
    find: async (id) => webhooks.get(id),
    list: async () => [...webhooks.values()].sort(compareWebhooks),
    changeSecrets: async (id, known, secrets) => {
      const webhook = webhooks.get(id)
      if (webhook?.secrets.current !== known.current) return false
      webhooks.set(id, { ...webhook, secrets })
      return true
    },
    remove: async (id) => {
      forget(id)
      return webhooks.delete(id)
    },
    due: async (at, limit) => [...new Set(dueAt(at).map(({ webhook }) => webhook))].slice(0, limit),
    next: async (webhook, at) =>
      dueAt(at)
        .filter((delivery) => delivery.webhook === webhook)
        .sort(compareDeliveries)
        .at(0),
    settle: async (settlement) => settle(settlement),
  })
}

const textOf = ({ step, line, externalAccountNumber }: FailurePlace): string =>
  `${step} ${line} ${externalAccountNumber}`

/** The failures of an account, in order of run and place. */
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

type Supplier = Pick<ImportRun, 'organisation' | 'importSupplier'>

const openName = ({ organisation, importSupplier }: Supplier, { externalAccountNumber, line }: OpenPlace) =>
  `${accountKeyText({ organisation, importSupplier, externalAccountNumber })} ${line}`

const placeOfOpen = ({ failure }: OpenRow): OpenPlace => openPlaceOf(failure.importRun, failure)

const compareOpen = (a: OpenPlace, b: OpenPlace): number =>
  compareCodePoints(a.externalAccountNumber, b.externalAccountNumber) || compareCodePoints(a.line, b.line)

/** Ends the open failure of an account, which was undone or erased. */
export const endOpenFailure = ({ openFailures }: Pick<Memory, 'openFailures'>, key: AccountKey): void =>
  void openFailures.delete(openName(key, { ...key, line: '' }))

const hasError = (failure: RunFailure, { step, code, field }: RunError): boolean =>
  errorsOfFailure(failure).some(
    (error) => error.step === step && error.code === code && error.field === field,
  )

export const inMemoryImportRuns = (memory: Memory): ImportRuns => {
  const { runs, runFailures: failuresOf } = memory
  /** The latest standstill of each run that has an event. */
  const latestStandstills = new Map<string, string>()

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

  const reached = (key: AccountKey): Reached => {
    const row = memory.tables.imports.get(accountKeyText(key))
    return { stagedVersion: row?.stagedVersion ?? 0, isCreated: row?.created !== undefined }
  }

  const openOf = ({ organisation, importSupplier }: Supplier): readonly OpenRow[] =>
    [...memory.openFailures.values()]
      .filter(({ key }) => key.organisation === organisation && key.importSupplier === importSupplier)
      .filter(({ key, recorded }) => isStillOpen(recorded, reached(key)))
      .sort((a, b) => compareOpen(placeOfOpen(a), placeOfOpen(b)))

  const recordOpen = ({ run, step, at, begunAt = at, outcomes }: RecordRequest): void => {
    const owner = runs.get(run)
    if (owner === undefined) return
    for (const { failure, ...place } of outcomes) {
      const { externalAccountNumber = '' } = place
      const key = {
        organisation: owner.organisation,
        importSupplier: owner.importSupplier,
        externalAccountNumber,
      }
      const name = openName(key, openPlaceOf(run, place))
      const known = memory.openFailures.get(name)?.failure
      if (failure !== undefined)
        memory.openFailures.set(name, {
          key,
          failure: { importRun: run, step, ...place, ...failure, failedAt: at },
          recorded: reached(key),
        })
      else if (known !== undefined && known.failedAt <= begunAt && (step === 'stage' || known.step === step))
        memory.openFailures.delete(name)
    }
  }

  const record = (request: RecordRequest): void => {
    recordOpen(request)
    const { run, step, at, outcomes } = request
    const failures = failuresOf.get(run) ?? new Map<string, RunFailure>()
    failuresOf.set(run, failures)
    for (const { line, externalAccountNumber, failure } of outcomes) {
      const place = textOf(placeOf({ step, line, externalAccountNumber }))
      if (failure === undefined) failures.delete(place)
      else failures.set(place, { step, line, externalAccountNumber, ...failure, failedAt: at })
    }
  }

  const failuresIn = (run: string): readonly RunFailure[] => [...(failuresOf.get(run)?.values() ?? [])]

  const totals = (run: ImportRun): RunTotals => {
    const existing = [...rowsOf(memory, run)].filter(({ account }) => account?.importRun === run.id)
    return { created: existing.length + (run.undone?.count ?? 0), refused: failuresIn(run.id).length }
  }

  const counts = (run: ImportRun): RunCounts => {
    const failures = failuresIn(run.id)
    const rows = [...rowsOf(memory, run)]
    return {
      staged: rows.filter(({ row }) => row?.importRun === run.id).length + (run.undone?.count ?? 0),
      created: totals(run).created,
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

  return portOf('importRuns', {
    open: async (run) => {
      const known =
        run.source === undefined ? undefined : [...runs.values()].find((other) => isSame(other, run))
      if (known !== undefined) return touched(known, run.startedAt)
      runs.set(run.id, run)
      addDeliveries(memory, run, 'run.started')
      return run
    },
    find: async (organisation, id) => runOf(organisation, id),
    touch: async (organisation, id, at, isProgress) => {
      const run = runOf(organisation, id)
      if (run !== undefined) touched(run, at, isProgress)
    },
    finish: async (organisation, id, at) => {
      const run = runOf(organisation, id)
      if (run === undefined || run.finishedAt !== undefined) return run
      const latestRequestAt = at > run.latestRequestAt ? at : run.latestRequestAt
      const finished = { ...run, latestRequestAt, finishedAt: at, totals: totals(run) }
      runs.set(id, finished)
      addDeliveries(memory, finished, 'run.finished')
      return finished
    },
    noteStandstills: async (before, limit) => {
      let noted = 0
      for (const run of runs.values()) {
        const standstill = standstillOf(run, before)
        if (standstill === undefined || noted === limit) continue
        const { event, since } = standstill
        if (latestStandstills.get(run.id) === `${event} ${since}`) continue
        latestStandstills.set(run.id, `${event} ${since}`)
        addDeliveries(memory, run, event)
        noted += 1
      }
      return noted
    },
    page: async (request) => page(request),
    record: async (request) => record(request),
    hasFailures: async (run, numbers) =>
      failuresIn(run.id).length > 0 ||
      numbers.some((externalAccountNumber) =>
        memory.openFailures.has(openName(run, { externalAccountNumber, line: '' })),
      ),
    openFailures: async ({ after, limit, ...supplier }) =>
      openOf(supplier)
        .filter((row) => after === undefined || compareOpen(placeOfOpen(row), after) > 0)
        .slice(0, limit)
        .map(({ failure }) => failure),
    openFailureCounts: async (supplier) => {
      const open = openOf(supplier)
      const countOf = (step: RunStep) => open.filter(({ failure }) => failure.step === step).length
      return { stage: countOf('stage'), process: countOf('process') }
    },
    dismissFailures: ({ places, reason, at, by, ...supplier }) =>
      memory.change((tables) => {
        const names = new Set(places.map((place) => openName(supplier, place)))
        const open = openOf(supplier).filter((row) => names.has(openName(supplier, placeOfOpen(row))))
        for (const name of names) memory.openFailures.delete(name)
        recordIn(
          tables,
          open.map((row) => dismissalOf(supplier, placeOfOpen(row), { reason, at, by })),
        )
        return open.length
      }),
    failures: async ({ run, error, after, limit }) =>
      failuresIn(run)
        .filter((failure) => error === undefined || hasError(failure, error))
        .filter((failure) => after === undefined || comparePlaces(placeOf(failure), after) > 0)
        .sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))
        .slice(0, limit),
    counts: async (run) => counts(run),
    totals: async (found) => found.map(totals),
    createdAccounts: async ({ run, ...request }) =>
      pageIn(memory, request, ({ externalAccountNumber, account }) =>
        account?.importRun === run ? externalAccountNumber : undefined,
      ),
    removeFailures: async ({ organisation, importSupplier, until, at, limit }) => {
      let removed = 0
      for (const run of runs.values()) {
        const isDue = run.latestRequestAt <= until && run.failuresRemovedAt === undefined
        if (!isDue || run.organisation !== organisation || run.importSupplier !== importSupplier) continue
        const failures = failuresOf.get(run.id)
        for (const [place, failure] of [...(failures ?? [])].slice(0, limit - removed)) {
          failures?.delete(place)
          const name = openName(run, openPlaceOf(run.id, failure))
          if (memory.openFailures.get(name)?.failure.importRun === run.id) memory.openFailures.delete(name)
          removed += 1
        }
        if ((failures?.size ?? 0) > 0) break
        runs.set(run.id, { ...run, failuresRemovedAt: at })
      }
      return removed
    },
  })
}
