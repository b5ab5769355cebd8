import type { ComponentState, HealthCode, Readiness } from '@account-import/adapter-http-koa'
import { DocumentStorageError } from '@account-import/adapter-object-storage'
import {
  assertTakesWrites,
  databaseTime,
  migrationStatus,
  mostStatementBytes,
} from '@account-import/adapter-sql'
import {
  type AuditTrail,
  type Clock,
  type Documents,
  millisecondsOf,
  type Outbox,
  type OutboxBacklog,
} from '@account-import/core'
import { withinTime } from '@account-import/core/adapter-kit'
import type { Database } from '../container/sql-module.js'
import { databaseError, databaseErrorCode } from '../start-error.js'

/** The checked state of a component, and for the log the cause of a fault. */
type Found = ComponentState &
  Readonly<{
    component: string
    /** The error code of the system or driver; no address and no secret. */
    reason?: string
    /** The fault and its remedy for an operator; may contain a path or a user name, no secret. */
    advice?: string
  }>

type SharedCheckOptions<A> = Readonly<{
  /** Milliseconds for which a result is cached. */
  keepMilliseconds: number
  /** Milliseconds that a caller waits at most. */
  limitMilliseconds: number
  /** The result while a check takes longer than the limit. */
  late: A
}>

type Run<A> = Readonly<{ value: Promise<A>; since: number }>

/** The time after which a running check counts as lost, and another one may begin. */
const lostMilliseconds = 30_000

/**
 * A check with a cached result for concurrent callers: one check runs at a time. While a check hangs, no other one begins; its
 * callers wait until the limit at most, later callers not at all. If a check rejects, so do the calls that wait for it.
 */
const sharedCheck = <A>(check: () => Promise<A>, options: SharedCheckOptions<A>): (() => Promise<A>) => {
  const { keepMilliseconds, limitMilliseconds, late } = options
  let last: Readonly<{ value: A; at: number }> | undefined
  let running: Run<A> | undefined

  const begin = (since: number): Run<A> => {
    const value = check().then((found) => {
      last = { value: found, at: performance.now() }
      return found
    })
    const run: Run<A> = { value, since }
    const ended = (): void => {
      if (running === run) running = undefined
    }
    value.then(ended, ended)
    return run
  }

  return async () => {
    const now = performance.now()
    if (last !== undefined && now - last.at < keepMilliseconds) return last.value
    if (running === undefined || now - running.since > lostMilliseconds) running = begin(now)
    const left = running.since + limitMilliseconds - now
    if (left <= 0) return late
    const { value } = running
    return withinTime(
      left,
      () => value,
      () => late,
    )
  }
}

const failed = (code: HealthCode, reason: string, advice?: string): readonly Found[] => [
  { component: 'database', state: 'failed', code, reason, ...(advice !== undefined && { advice }) },
  { component: 'migrations', state: 'unknown', code },
]

const codes: readonly (readonly [reason: RegExp, code: HealthCode])[] = [
  [/^(?:DATABASE_READ_ONLY$|SQLITE_READONLY)/, 'database_read_only'],
  [/^DATABASE_NOT_IN_CLUSTER$/, 'database_not_in_cluster'],
  [/ACCESS_?DENIED/, 'database_refused'],
]

const failure = (cause: unknown): readonly Found[] => {
  const reason = databaseErrorCode(cause)
  const { code: named, message } = databaseError(cause)
  if (named === 'database_of_unreleased_build')
    return [
      { component: 'database', state: 'ok' },
      { component: 'migrations', state: 'failed', code: named, reason, advice: message },
    ]
  const code = codes.find(([pattern]) => pattern.test(reason))?.[1] ?? 'database_unavailable'
  return failed(code, reason, message)
}

/** An account of 5 MiB, encrypted and written as text. */
const neededStatementBytes = 8 * 1024 * 1024

/** The state of a database that works. Degraded if it cannot store the largest accounts. */
const worksOf = (mostBytes: number | undefined): Found =>
  mostBytes === undefined || mostBytes >= neededStatementBytes
    ? { component: 'database', state: 'ok' }
    : {
        component: 'database',
        state: 'degraded',
        code: 'max_allowed_packet_too_small',
        reason: `max_allowed_packet=${mostBytes}`,
        advice:
          `max_allowed_packet of the database is ${mostBytes} bytes, so large accounts are refused (payload_too_large).` +
          ` Set it to at least ${neededStatementBytes}, better to 16777216.`,
      }

/** Checks that the database responds, has the tables of this version, and accepts a write. */
const databaseHealth =
  (database: Database, write: () => Promise<void>) => async (): Promise<readonly Found[]> => {
    try {
      await assertTakesWrites(database)
      const { pending } = await migrationStatus(database)
      const works = worksOf(await mostStatementBytes(database))
      if (pending.length > 0) {
        const [state, code, reason] = ['failed', 'migrations_pending', pending.join(', ')] as const
        return [works, { component: 'migrations', state, code, reason }]
      }
      await write()
      return [works, { component: 'migrations', state: 'ok' }]
    } catch (cause) {
      return failure(cause)
    }
  }

const documentStorage = 'document_storage'

/** Checks the document storage. Never `failed`: without it the service lacks only its check of documents. */
const documentsHealth = async (documents: Documents, place: string): Promise<readonly Found[]> => {
  const ready = await documents.ready()
  if (ready._tag === 'Right') return [{ component: documentStorage, state: 'ok' }]
  const { kind, cause } = ready.left
  const reason = cause instanceof DocumentStorageError ? cause.code : 'no code'
  const code = kind === 'unavailable' ? 'document_storage_unavailable' : 'document_storage_refused'
  const advice = `${place} cannot be used (${reason})`
  return [{ component: documentStorage, state: 'degraded', code, reason, advice }]
}

/** A component whose state has changed since the last check. */
export type HealthChange = Pick<Found, 'component' | 'state' | 'reason' | 'advice'> &
  Readonly<{ code?: HealthCode }>

export type OnHealthChange = (change: HealthChange) => void

/** Reports changes between checks; the first check of a working component is no change. */
const healthChanges = (onChange: OnHealthChange): ((found: Found) => void) => {
  const states = new Map<string, string>()
  return (found) => {
    const text = found.state === 'ok' ? 'ok' : `${found.state} ${found.code}`
    const before = states.get(found.component) ?? 'ok'
    states.set(found.component, text)
    if (before !== text) onChange(found)
  }
}

/** Milliseconds. Less for documents: they cannot make the service unready, so they must not delay the response. */
const limits = { database: 2000, documents: 800 }

/** Enough to show that too many e-mails wait; counting further costs more. */
const mostCounted = 10_000

const forGauges = { keepMilliseconds: 10_000, limitMilliseconds: 2000, late: undefined }

type Watched = Readonly<{
  database: Database
  /** Writes a row of this process alone; rejects with the driver's error. */
  write(): Promise<void>
  documents: Documents
  /** The place of documents, for people. */
  documentPlace: string
  outbox: Outbox
  auditTrail: Pick<AuditTrail, 'oldestUnsealed'>
  clock: Clock
}>

/** Seconds that the clock of this process is ahead of others: of the machine's, and of the database's if that can be read. */
type ClockLeads = Readonly<{ wall: number; database: number | undefined }>

const clockLeads = async (clock: Clock, database: Database): Promise<ClockLeads> => {
  const now = (): number => millisecondsOf(clock.now())
  const wall = clock.wall === undefined ? 0 : now() - millisecondsOf(clock.wall())
  const before = now()
  const there = await databaseTime(database).catch(() => undefined)
  const lead = there === undefined ? undefined : ((before + now()) / 2 - there) / 1000
  return { wall: wall / 1000, database: lead }
}

/**
 * The checks of the service. `readiness`: database, migrations and document storage, each checked once a second at most; answers
 * within about two seconds, even if a check hangs. `outboxBacklog`: the counts of the outbox, read every ten seconds at most;
 * undefined if that fails or takes longer than two seconds. `unsealedSeconds`, `clockLeads`: the same for the age of the oldest
 * unsealed audit event, and for the clocks.
 */
export const serviceHealth = (
  { database, write, documents, documentPlace, outbox, auditTrail, clock }: Watched,
  onChange: OnHealthChange = () => undefined,
) => {
  const note = healthChanges(onChange)
  const ofDatabase = sharedCheck(databaseHealth(database, write), {
    keepMilliseconds: 1000,
    limitMilliseconds: limits.database,
    late: failed('timed_out', 'ETIMEDOUT'),
  })
  const ofDocuments = sharedCheck(() => documentsHealth(documents, documentPlace), {
    keepMilliseconds: 1000,
    limitMilliseconds: limits.documents,
    late: [{ component: documentStorage, state: 'degraded', code: 'timed_out', reason: 'ETIMEDOUT' }],
  })
  return {
    readiness: async (): Promise<Readiness> => {
      const found = (await Promise.all([ofDatabase(), ofDocuments()])).flat()
      found.forEach(note)
      return Object.fromEntries(
        found.map(({ component, reason: _reason, advice: _advice, ...state }) => [component, state]),
      )
    },
    outboxBacklog: sharedCheck<OutboxBacklog | undefined>(async () => {
      const backlog = await outbox.backlog(mostCounted)
      return backlog._tag === 'Right' ? backlog.right : undefined
    }, forGauges),
    unsealedSeconds: sharedCheck<number | undefined>(async () => {
      const oldest = await auditTrail.oldestUnsealed()
      if (oldest._tag === 'Left') return undefined
      const waits =
        oldest.right === undefined ? 0 : millisecondsOf(clock.now()) - millisecondsOf(oldest.right)
      return Math.max(0, waits / 1000)
    }, forGauges),
    clockLeads: sharedCheck<ClockLeads | undefined>(() => clockLeads(clock, database), forGauges),
  }
}
