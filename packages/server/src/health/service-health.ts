import { randomUUID } from 'node:crypto'
import type { ComponentState, HealthCode, Readiness } from '@account-import/adapter-http-koa'
import { DocumentStorageError } from '@account-import/adapter-object-storage'
import { assertTakesWrites, migrationStatus } from '@account-import/adapter-sql'
import { type Documents, instantOf, type RateLimits } from '@account-import/core'
import { withinTime } from '@account-import/core/adapter-kit'
import type { Database } from '../container/sql-module.js'
import { databaseError, databaseErrorCode } from '../start-error.js'

/** A component as it was found, and for the log why it does not work. */
type Found = ComponentState &
  Readonly<{
    component: string
    /** As the system or driver named it; no address and no secret. */
    reason?: string
    /** The fault, in a sentence for whoever has to mend it; a path or the name of a user, no secret. */
    advice?: string
  }>

type SharedCheckOptions<A> = Readonly<{
  /** For how long an answer is given again, milliseconds. */
  keepMilliseconds: number
  /** How long a caller waits at most, milliseconds. */
  limitMilliseconds: number
  /** After which a check that has not ended is taken for lost, and another may begin, milliseconds. */
  lostMilliseconds: number
  /** The answer while a check takes longer than the limit. */
  late: A
}>

type Run<A> = Readonly<{ value: Promise<A>; since: number }>

/**
 * A check that many may ask for: one runs at a time, and what it finds is answered to all for a while. While a check
 * hangs, no other one begins; callers wait for the limit at most, and once that has passed not at all. If a check
 * rejects, so do the calls that wait for it.
 */
export const sharedCheck = <A>(
  check: () => Promise<A>,
  options: SharedCheckOptions<A>,
): (() => Promise<A>) => {
  const { keepMilliseconds, limitMilliseconds, lostMilliseconds, late } = options
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

const writtenMilliseconds = 5000
const hour = 3_600_000

/**
 * Writes one row, which no other process writes: servers of a cluster never clash by it. It is a use of a limit that nobody
 * has, so it is forgotten as all of these are, and needs no table of its own. One that succeeds holds for five seconds.
 */
const writing = (rateLimits: RateLimits): (() => Promise<void>) => {
  const subject = `health:${randomUUID()}`
  let wroteAt = -Infinity
  return async () => {
    if (performance.now() - wroteAt < writtenMilliseconds) return
    const begins = Math.floor(Date.now() / hour) * hour
    const window = { beginsAt: instantOf(begins), expiresAt: instantOf(begins + 2 * hour) }
    const used = await rateLimits.use({ subject, ...window, amount: 1 })()
    if (used._tag === 'Left') throw used.left.cause
    wroteAt = performance.now()
  }
}

const failure = (cause: unknown): readonly Found[] => {
  const reason = databaseErrorCode(cause)
  const code = codes.find(([pattern]) => pattern.test(reason))?.[1] ?? 'database_unavailable'
  return failed(code, reason, databaseError(cause).message)
}

/** Whether the database answers, has the tables of this version, and takes what is written, which is tried. */
const databaseHealth = (database: Database, rateLimits: RateLimits): (() => Promise<readonly Found[]>) => {
  const write = writing(rateLimits)
  return async () => {
    try {
      await assertTakesWrites(database)
      const { pending } = await migrationStatus(database)
      const works: Found = { component: 'database', state: 'ok' }
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
}

const documentStorage = 'document_storage'

/** Whether the document storage works. Without it the service lacks only its check of documents: it is never `failed`. */
const documentsHealth = async (documents: Documents, place: string): Promise<readonly Found[]> => {
  const ready = await documents.ready()()
  if (ready._tag === 'Right') return [{ component: documentStorage, state: 'ok' }]
  const { kind, cause } = ready.left
  const reason = cause instanceof DocumentStorageError ? cause.code : 'no code'
  const code = kind === 'unavailable' ? 'document_storage_unavailable' : 'document_storage_refused'
  const advice = `${place} cannot be used (${reason})`
  return [{ component: documentStorage, state: 'degraded', code, reason, advice }]
}

/** A component whose state is not what it was at the last check. */
export type HealthChange = Pick<Found, 'component' | 'state' | 'reason' | 'advice'> &
  Readonly<{ code?: HealthCode }>

export type OnHealthChange = (change: HealthChange) => void

/** Reports only changes between checks; a component that works from the beginning is no change. */
const healthChanges = (onChange: OnHealthChange): ((found: Found) => void) => {
  const known = new Map<string, string>()
  return (found) => {
    const text = found.state === 'ok' ? 'ok' : `${found.state} ${found.code}`
    const before = known.get(found.component) ?? 'ok'
    known.set(found.component, text)
    if (before !== text) onChange(found)
  }
}

const times = { keepMilliseconds: 1000, lostMilliseconds: 30_000 }

/** Milliseconds. Less for documents, which cannot make the service not ready: they must not delay the answer. */
const limits = { database: 2000, documents: 800 }

type Watched = Readonly<{
  database: Database
  rateLimits: RateLimits
  documents: Documents
  /** Where they lie, for people. */
  documentPlace: string
}>

/**
 * How database, migrations and document storage are. Answers within some two seconds, whatever hangs; however many ask,
 * each of them is looked at once a second at most.
 */
export const serviceHealth = (
  { database, rateLimits, documents, documentPlace }: Watched,
  onChange: OnHealthChange = () => undefined,
): (() => Promise<Readiness>) => {
  const note = healthChanges(onChange)
  const ofDatabase = sharedCheck(databaseHealth(database, rateLimits), {
    ...times,
    limitMilliseconds: limits.database,
    late: failed('timed_out', 'ETIMEDOUT'),
  })
  const ofDocuments = sharedCheck(() => documentsHealth(documents, documentPlace), {
    ...times,
    limitMilliseconds: limits.documents,
    late: [{ component: documentStorage, state: 'degraded', code: 'timed_out', reason: 'ETIMEDOUT' }],
  })
  return async () => {
    const found = (await Promise.all([ofDatabase(), ofDocuments()])).flat()
    found.forEach(note)
    return Object.fromEntries(
      found.map(({ component, reason: _reason, advice: _advice, ...state }) => [component, state]),
    )
  }
}
