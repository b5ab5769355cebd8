import { instantOf, type KeyRing } from '@account-import/core'
import type { Knex } from 'knex'
import { dataKeys } from '../encryption/data-keys.js'
import { poolSession } from '../session/session.js'
import { inSnapshot } from '../session/snapshot.js'
import type { Statements } from '../session/statements.js'
import type { Break } from './break-kinds.js'
import type { Counted, Look, SupplierKey } from './look.js'
import { latestClaimEnd } from './latest-claim-end.js'
import { registerBreaks, slotBreaks, teamsIn } from './register-breaks.js'
import { suppliersIn, type VerifyScope } from './suppliers-in.js'
import { keyBreaks, lackingIndexes, missingUniqueKeys } from './unique-keys.js'
import { verifyAccounts } from './verify-accounts.js'
import { verifyImports } from './verify-imports.js'

/** Told of what was looked at, for counts and progress. */
export type OnVerified = (what: Counted, many: number) => void

type Walk = (look: Look) => AsyncGenerator<Break>

const ignore = (): void => undefined

/** All breaks of one import or account, as they are in one moment. */
const lookAgain = (knex: Knex, look: Look, walk: Walk, only: string): Promise<readonly Break[]> =>
  inSnapshot(knex, look.dialect, async (db) => {
    const breaks: Break[] = []
    const again: Look = {
      ...look,
      db,
      only,
      now: instantOf(Date.now()),
      teams: await teamsIn(db),
      count: ignore,
    }
    for await (const each of walk(again)) breaks.push(each)
    return breaks
  })

/**
 * Walks over a supplier while servers may write. The tables are read at different moments, so what does not agree is
 * only a suspicion: it is read again in one moment, and told if it does not agree then either.
 */
async function* confirmed(
  knex: Knex,
  look: Look,
  walk: Walk,
  numberOf: (suspected: Break) => string | undefined,
): AsyncGenerator<Break> {
  let last: string | undefined
  for await (const suspected of walk(look)) {
    const number = numberOf(suspected)
    if (number === undefined || number === last) continue
    last = number
    yield* await lookAgain(knex, look, walk, number)
  }
}

async function* supplierBreaks(knex: Knex, look: Look): AsyncGenerator<Break> {
  yield* registerBreaks(look.db, look.supplier)
  yield* confirmed(knex, look, verifyImports, (found) => found.externalAccountNumber)
  yield* confirmed(knex, look, verifyAccounts, (found) => found.platformAccountNumber)
  look.count('suppliers', 1)
}

/**
 * Compares what a database of this version holds: imports, staged data, accounts, their rows, sums, and the outbox.
 * Gives every two things that do not agree, as they are found, supplier by supplier; holds a few MiB, however many accounts
 * there are. May run beside servers that write. Changes nothing. What is
 * encrypted is decrypted by the key ring. Rejects with the driver's error, or that of a key that is missing.
 */
export async function* verify(
  knex: Knex,
  scope: VerifyScope = {},
  onVerified: OnVerified = ignore,
  keyRing?: KeyRing,
): AsyncGenerator<Break> {
  const session = poolSession(knex, dataKeys(keyRing), ignore)
  const db: Statements = { raw: (sql, bindings) => session.directly(async (held) => held.raw(sql, bindings)) }
  const { dialect } = session
  const now = instantOf(Date.now())
  const missing = await missingUniqueKeys(db, dialect)
  yield* keyBreaks(db, missing)
  yield* slotBreaks(db, latestClaimEnd(now))
  const lacking = lackingIndexes(missing)
  const teams = await teamsIn(db)
  const lookAt = (supplier: SupplierKey): Look => ({
    db,
    dialect,
    dataKeys: session.dataKeys,
    supplier,
    now: instantOf(Date.now()),
    teams,
    lacking,
    count: onVerified,
  })
  for (const supplier of await suppliersIn(db, scope)) yield* supplierBreaks(knex, lookAt(supplier))
}
