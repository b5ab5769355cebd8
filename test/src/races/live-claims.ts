import type { connectSql } from '@account-import/adapter-sql'
import { setTimeout } from 'node:timers/promises'

type Knex = ReturnType<typeof connectSql>

const text =
  'SELECT COUNT(*) AS live FROM account_imports ' +
  'WHERE claim_token IS NOT NULL AND platform_account_number IS NULL AND claim_expires_at > ?'

/** How many accounts are in processing now, as the database sees it. */
const liveClaims = async (knex: Knex): Promise<number> => {
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '')
  const [rows] = (await knex.raw(text, [now])) as [readonly { live: number }[]]
  return rows[0]?.live ?? Number.NaN
}

/** Counts live claims again and again until stopped; gives how often each number was seen. */
export const sampleLiveClaims = (knex: Knex): (() => Promise<ReadonlyMap<number, number>>) => {
  const seen = new Map<number, number>()
  let going = true
  const sampling = (async () => {
    while (going) {
      const live = await liveClaims(knex)
      seen.set(live, (seen.get(live) ?? 0) + 1)
      await setTimeout(1)
    }
  })()
  return async () => {
    going = false
    await sampling
    return seen
  }
}
