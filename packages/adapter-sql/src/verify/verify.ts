import { type AccountKey, instantOf, type KeyRing } from '@account-import/core'
import type { Knex } from 'knex'
import type { Statements } from '../drivers/statements.js'
import type { AccountRow } from '../ports/accounts.js'
import { importColumns, payloadOf } from '../ports/import-rows.js'
import type { ItemRow } from '../ports/item-rows.js'
import { type DataKey, dataKeys, type DataKeys, DecryptionError, KeyRingError } from '../sql/crypto.js'
import { fromSqlInstant, importKeyOf, tables } from '../sql/rows.js'
import { inSnapshot, poolSession } from '../sql/session.js'
import type { Break } from './break-kinds.js'
import { type Counted, cursor, isWrittenLater, type Look, lowestNumber, type Source } from './cursor.js'
import {
  keyBreaks,
  missingUniqueKeys,
  registerBreaks,
  slotBreaks,
  suppliersIn,
  teamsIn,
  type VerifyScope,
} from './database-breaks.js'
import { checkAccount, findings, type Findings, type ItemCheck } from './document-breaks.js'
import {
  accountBreaks,
  emailBreaks,
  importBreaks,
  stagedDetails,
  type VerifiedEmail,
  type VerifiedImport,
} from './import-breaks.js'

/** Told of what was looked at, for counts and progress. */
export type OnVerified = (what: Counted, many: number) => void

const imports: Source = {
  table: tables.accountImports,
  columns:
    `${importColumns.join(', ')}, state, first_staged_at, staged_at, holds_slot, payload_removed_at, data_key, ` +
    'payload',
}
const accounts: Source = { table: tables.accounts, columns: '*' }
const emails: Source = {
  table: tables.customerEmails,
  columns: 'external_account_number, platform_account_number, state, due_at, claim_token, settled_at',
}
const items: Source = { table: tables.accountItems, columns: '*', ordinals: ['kind', 'ordinal'] }

/** What work gives, and `otherwise` where something was changed that is encrypted; not where a key is not there. */
const unlessChanged = async <A>(work: () => Promise<A>, otherwise: A): Promise<A> => {
  try {
    return await work()
  } catch (cause) {
    const isChanged =
      cause instanceof DecryptionError || (cause instanceof KeyRingError && cause.kind === 'unexpected')
    if (isChanged) return otherwise
    throw cause
  }
}

/** Stands for a text that cannot be decrypted: it is no JSON. */
const unreadable = ''

const decrypted = async (keys: DataKeys, row: VerifiedImport): Promise<VerifiedImport> => {
  const key: AccountKey = importKeyOf(row)
  const { payload, data_key } = row
  return payload === null
    ? row
    : { ...row, payload: await unlessChanged(() => payloadOf(keys, key, { payload, data_key }), unreadable) }
}

const nothing: ItemCheck = { visit: () => undefined, end: () => undefined }

/** Looks at an account, and gives what is to look at its items. */
const accountCheck = async (
  { dataKeys: keys, teams }: Look,
  row: VerifiedImport | undefined,
  account: AccountRow | undefined,
  found: Findings,
): Promise<ItemCheck> => {
  const staged =
    row === undefined || row.payload === null
      ? undefined
      : stagedDetails(row.payload, row, account && fromSqlInstant(account.created_at))
  if (typeof staged === 'string') found.add(staged, tables.accountImports)
  if (account === undefined)
    return { ...nothing, visit: () => found.add('item_without_account', tables.accountItems) }
  if (!teams.has(account.operations_team)) found.add('team_unknown', tables.accounts)
  const dataKey = await unlessChanged<DataKey | 'changed' | undefined>(
    () => keys.of(account.data_key),
    'changed',
  )
  if (dataKey !== 'changed')
    return checkAccount(account, dataKey, typeof staged === 'string' ? undefined : staged, found)
  // Compared with what was staged, all that is encrypted would seem to differ.
  found.add('details_unreadable', tables.accounts)
  return nothing
}

/**
 * Walks over imports, accounts, e-mails and items of a supplier together, in the order of the external account number. Each table
 * is read once, a page at a time; of one account what was staged is held whole.
 */
async function* walk(look: Look): AsyncGenerator<Break> {
  const isLater = await isWrittenLater(look, [imports, accounts, emails, items])
  const all = {
    imports: cursor<VerifiedImport>(look, imports),
    accounts: cursor<AccountRow>(look, accounts),
    emails: cursor<VerifiedEmail>(look, emails),
    items: cursor<ItemRow>(look, items),
  }
  const cursors = Object.values(all)
  const { organisation, import_supplier: importSupplier } = look.supplier
  for (let number = await lowestNumber(cursors); number !== undefined; number = await lowestNumber(cursors)) {
    if (isLater(number)) return
    const found = findings()
    const read: VerifiedImport[] = []
    const held: AccountRow[] = []
    await all.imports.each(number, (row) => read.push(row))
    await all.accounts.each(number, (row) => held.push(row))
    const row = read[0] && (await decrypted(look.dataKeys, read[0]))
    const kinds = [...(row === undefined ? [] : importBreaks(row, look.now)), ...accountBreaks(row, held)]
    let [mails, rows] = [0, 0]
    await all.emails.each(number, (email) => {
      mails += 1
      kinds.push(...emailBreaks(email, held))
    })
    const check = await accountCheck(look, row, held[0], found)
    await all.items.each(number, (item) => {
      rows += 1
      check.visit(item)
    })
    check.end()
    for (const [what, many] of [
      ['imports', read.length],
      ['accounts', held.length],
      ['emails', mails],
      ['rows', rows],
    ] as const)
      look.count(what, many)
    const platformAccountNumber = row?.platform_account_number ?? held[0]?.platform_account_number
    const about = { organisation, importSupplier, externalAccountNumber: number, platformAccountNumber }
    for (const kind of kinds) yield { kind, ...about }
    for (const finding of found.all()) yield { ...finding, ...about }
  }
}

const ignore = (): void => undefined

/** All breaks of one account, as they are in one moment. */
const lookAgain = (knex: Knex, look: Look, only: string): Promise<readonly Break[]> =>
  inSnapshot(knex, look, async (db) => {
    const breaks: Break[] = []
    const teams = await teamsIn(db)
    const again: Look = { ...look, db, only, now: instantOf(Date.now()), teams, count: ignore }
    for await (const each of walk(again)) breaks.push(each)
    return breaks
  })

/**
 * Walks over a supplier while servers may write. The tables are read at different moments, so what does not agree is
 * only a suspicion: it is read again in one moment, and told if it does not agree then either.
 */
async function* supplierBreaks(knex: Knex, look: Look): AsyncGenerator<Break> {
  yield* registerBreaks(look.db, look.supplier)
  let last: string | undefined
  for await (const { externalAccountNumber: number } of walk(look)) {
    if (number === undefined || number === last) continue
    last = number
    yield* await lookAgain(knex, look, number)
  }
  look.count('suppliers', 1)
}

/**
 * Compares what a database of this version holds: imports, staged data, accounts, their items, sums, and the outbox.
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
  const db: Statements = { raw: (sql, bindings) => session.query(async (held) => held.raw(sql, bindings)) }
  const { dialect } = session
  const missing = await missingUniqueKeys(db, dialect)
  yield* keyBreaks(db, missing)
  yield* slotBreaks(db, instantOf(Date.now()))
  const keyless = new Set(missing.flatMap(({ table, isPrimary }) => (isPrimary === true ? [table] : [])))
  const teams = await teamsIn(db)
  for (const supplier of await suppliersIn(db, scope))
    yield* supplierBreaks(knex, {
      db,
      dialect,
      dataKeys: session.dataKeys,
      supplier,
      now: instantOf(Date.now()),
      teams,
      keyless,
      count: onVerified,
    })
}
