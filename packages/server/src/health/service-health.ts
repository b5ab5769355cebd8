import type { Readiness } from '@account-import/adapter-http-koa'
import type { Documents, RateLimits } from '@account-import/core'
import type { Database } from '../container/sql-module.js'
import { databaseHealth, databaseLate } from './database-health.js'
import { documentsHealth, documentsLate } from './documents-health.js'
import { healthChanges, type OnHealthChange } from './health-changes.js'
import { sharedCheck } from './shared-check.js'

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
    late: databaseLate,
  })
  const ofDocuments = sharedCheck(() => documentsHealth(documents, documentPlace), {
    ...times,
    limitMilliseconds: limits.documents,
    late: documentsLate,
  })
  return async () => {
    const checks = await Promise.all([ofDatabase(), ofDocuments()])
    checks.forEach(note)
    return Object.assign({}, ...checks.map(({ components }) => components)) as Readiness
  }
}
