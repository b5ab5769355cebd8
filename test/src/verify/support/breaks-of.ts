import { verify, type Break, type Counted, type VerifyScope } from '@account-import/adapter-sql'
import type { Opened } from '../../sql/support/databases.js'
import { newKey, ringOf } from '../../support/key-rings.js'

export type Verified = Readonly<{ breaks: readonly Break[]; looked: Readonly<Record<Counted, number>> }>

/** The key ring of verified databases with encryption. */
export const keyRing = ringOf(newKey())

/** Verifies a database to the end. */
export const verified = async (knex: Opened['knex'], scope: VerifyScope = {}): Promise<Verified> => {
  const looked = { suppliers: 0, imports: 0, accounts: 0, emails: 0, rows: 0 }
  const breaks: Break[] = []
  const count = (what: Counted, many: number): void => void (looked[what] += many)
  for await (const each of verify(knex, { ...scope, onVerified: count, keyRing })) breaks.push(each)
  return { breaks, looked }
}

/** The findings of `account-import verify`, a text for each break. */
export const breaksFound = async (
  knex: Opened['knex'],
  scope: VerifyScope = {},
): Promise<readonly string[]> => (await verified(knex, scope)).breaks.map((each) => JSON.stringify(each))
