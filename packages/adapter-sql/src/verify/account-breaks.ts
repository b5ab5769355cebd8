import { isDeepStrictEqual } from 'node:util'
import {
  type AccountDetails,
  type AccountNote,
  type AccountPayload,
  type Instant,
  instantOf,
} from '@account-import/core'
import {
  type AccountDocument,
  accountFromPayload,
  partsOf,
  type PlacedTransaction,
} from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { payloadOf, type ReadImportRow } from '../ports/import-rows.js'
import {
  type AccountRow,
  contentIn,
  createdItems,
  documentIn,
  documentText,
  type Item,
  itemOf,
  type ItemRow,
  itemText,
  keptIdentity,
  noteItem,
} from '../ports/account-rows.js'
import { type DataKey, DecryptionError, isEncrypted, KeyRingError } from '../sql/crypto.js'
import { grouped, importKeyOf, type ImportKeyRow, instant, jsonColumn, StoredJsonError } from '../sql/rows.js'
import type { Db } from '../sql/session.js'
import { type Break, type BreakKind, breakOf } from './break-kinds.js'

/** An import with the columns that `verify` reads. */
type VerifiedImport = ReadImportRow &
  Readonly<
    Record<'first_staged_at' | 'staged_at' | 'payload_removed_at' | 'payload' | 'data_key', string | null>
  > &
  Readonly<{ state: string }>

/** An e-mail, whose columns may contradict each other. */
type VerifiedEmail = ImportKeyRow &
  Readonly<Record<'platform_account_number' | 'state', string>> &
  Readonly<Record<'due_at' | 'claim_token' | 'settled_at', string | null>>

/** All rows with one external account number: at most one import, account and e-mail, unless a unique key is missing. */
export type AccountRows = Readonly<{
  number: string
  imports: readonly VerifiedImport[]
  accounts: readonly AccountRow[]
  emails: readonly VerifiedEmail[]
  items: readonly ItemRow[]
}>

/** The rows to check, and the data that they are compared with. */
export type Walk = Readonly<{
  db: Db
  /** The owner of the rows: every table of accounts and imports begins its keys with it. */
  supplier: Readonly<{ organisation: string; import_supplier: string }>
  /** Restricts the check to this external account number. */
  only?: string
  /** Tables without their primary keys, which no query may name. */
  keyless: ReadonlySet<string>
  teams: ReadonlySet<string>
  now: Instant
}>

/** The kind of a break; false where there is none. */
type Kind = BreakKind | false

const areNull = (...values: readonly unknown[]): boolean => values.every((value) => value === null)

const isPartial = (...values: readonly unknown[]): boolean => values.includes(null) && !areNull(...values)

const isCreated = (row: VerifiedImport): boolean => row.platform_account_number !== null

const stateOf = (row: VerifiedImport): 'created' | 'skipped' | 'staged' | 'none' => {
  if (isCreated(row)) return 'created'
  if (row.skipped) return 'skipped'
  return row.staged_version > 0 ? 'staged' : 'none'
}

const hour = 3_600_000
const differenceOfClocks = hour / 10

/** The latest end of any claim until now: claims last an hour at most, and clocks may differ by six minutes. */
export const latestClaimEnd = (now: Instant): string =>
  instant.write(instantOf(Date.parse(now) + hour + differenceOfClocks))

/** A day ago: no process works on an account for so long. */
const longAgo = (now: Instant): string => instant.write(instantOf(Date.parse(now) - 24 * hour))

const claimBreak = (row: VerifiedImport, now: Instant): Kind => {
  const { claim_token: token, claim_expires_at: end } = row
  if (isPartial(token, end)) return 'claim_incomplete'
  if (end === null) return false
  if (stateOf(row) !== 'staged') return 'claim_misplaced'
  if (end > latestClaimEnd(now)) return 'claim_never_ends'
  return end < longAgo(now) && 'claim_abandoned'
}

/** Contradictions in the row of an import; its payload is checked with the account. */
const importBreaks = (row: VerifiedImport, now: Instant): readonly Kind[] => {
  const { payload, payload_removed_at: removedAt, latest_failure_code: failure } = row
  const isStaged = row.staged_version > 0
  const hasTimes = row.first_staged_at !== null && row.staged_at !== null
  const isNotStaged = areNull(payload, row.first_staged_at, row.staged_at)
  const isRemovedRightly = removedAt === null || (payload === null && isCreated(row))
  return [
    (row.state !== stateOf(row) || (isCreated(row) && Boolean(row.skipped))) && 'import_state_wrong',
    isStaged && (!hasTimes || areNull(payload, removedAt)) && 'staged_data_missing',
    !(isStaged ? isRemovedRightly : isNotStaged) && 'staged_data_unexpected',
    claimBreak(row, now),
    (isPartial(failure, row.latest_failure_at) || (isCreated(row) && failure !== null)) &&
      'failure_incomplete',
    isPartial(row.platform_account_number, row.account_created_at, row.created_version) &&
      'creation_incomplete',
  ]
}

/** Contradictions between an import and its accounts. */
const accountBreak = (row: VerifiedImport | undefined, accounts: readonly AccountRow[]): Kind => {
  if (accounts.length === 0) return row !== undefined && isCreated(row) && 'completed_without_account'
  if (row === undefined) return 'account_without_import'
  if (!isCreated(row)) return 'account_of_unfinished_import'
  const named = accounts.find((each) => each.platform_account_number === row.platform_account_number)
  if (named === undefined) return 'account_number_differs'
  const { created_at: createdAt, staged_version: version } = named
  const isSame =
    row.account_created_at === createdAt && row.created_version === version && row.staged_version === version
  return !isSame && 'creation_differs'
}

const isWhole = ({ state, due_at, claim_token, settled_at }: VerifiedEmail): boolean =>
  state === 'waiting'
    ? due_at !== null && settled_at === null
    : ['sent', 'parked'].includes(state) && areNull(due_at, claim_token) && settled_at !== null

/** Contradictions in an e-mail, and between it and the accounts of its import. */
const emailBreaks = (email: VerifiedEmail, accounts: readonly AccountRow[]): readonly Kind[] => {
  const isNamed = accounts.some((each) => each.platform_account_number === email.platform_account_number)
  return [
    !isWhole(email) && 'email_state_wrong',
    accounts.length === 0 && 'email_without_account',
    accounts.length > 0 && !isNamed && 'email_number_differs',
  ]
}

/** Records a break of an account: its kind, the columns that differ, and the number of rows. */
type Report = (kind: BreakKind, columns?: readonly string[], rows?: number) => undefined

/** Undefined for an error about changed ciphertext or JSON; throws any other. */
const ifChanged = (cause: unknown): undefined => {
  const isChanged =
    cause instanceof DecryptionError ||
    cause instanceof StoredJsonError ||
    (cause instanceof KeyRingError && cause.kind === 'unexpected')
  if (!isChanged) throw cause
}

/** Undefined where the text was changed after it was written. */
const readable = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch (cause) {
    return cause instanceof TypeError ? undefined : ifChanged(cause)
  }
}

/** An account whose row, document and items are checked. */
type Check = Readonly<{
  account: AccountRow
  /** Undefined where nothing is encrypted. */
  dataKey: DataKey | undefined
  /** The details that the account was created from; undefined where they are unknown. */
  staged: AccountDetails | undefined
  report: Report
}>

type Fields = Readonly<Record<string, unknown>>

/**
 * Compares the document of an account with the staged data, and returns the number of ledgers. The texts are equal, unless a
 * later version writes the fields in another order.
 */
const checkDocument = ({ account, dataKey, report }: Check, staged: AccountDocument | undefined): number => {
  const isSame =
    staged !== undefined && readable(() => documentText(dataKey, account)) === JSON.stringify(staged)
  const document = isSame ? staged : readable(() => documentIn(dataKey, account))
  if (document === undefined) report('details_unreadable')
  else if (staged !== undefined && !isSame) {
    const [one, other]: readonly [Fields, Fields] = [staged, document]
    const names = Object.keys({ ...one, ...other })
    const columns = names.filter((name) => !isDeepStrictEqual(one[name], other[name]))
    if (columns.length > 0) report('document_differs', columns)
  }
  return Array.isArray(document?.ledgers) ? document.ledgers.length : 0
}

/** An amount in JSON is a text, and not a number. */
const money = /^"-?\d+\.\d\d"$/

/** The item of a row, as this version writes it; undefined where the row contains something else. */
const itemIn = ({ dataKey }: Check, row: ItemRow): Item | undefined => {
  const content = contentIn(dataKey, row)
  switch (row.kind) {
    case 'transaction': {
      const item = itemOf('transaction', content as PlacedTransaction, Number(row.copy))
      return money.test(JSON.stringify(item.content.transaction.amount)) ? item : undefined
    }
    case 'statement':
      return itemOf(row.kind, content as Item<'statement'>['content'])
    case 'note': {
      const item = noteItem({ note: content as AccountNote, isTimeGiven: row.copy !== 0 })
      return row.copy === null ? { ...item, copy: null } : item
    }
    case 'payment_instruction':
      return itemOf(row.kind, content as Item<'payment_instruction'>['content'])
  }
}

/** Compares identity and copy of a row with those of its item. */
const checkIdentity = ({ dataKey, report }: Check, row: ItemRow, item: Item): void => {
  const identity = keptIdentity(isEncrypted(row.content) ? dataKey : undefined, item.kind, item.identity)
  const copy = row.copy === null ? null : Number(row.copy)
  if (row.identity !== identity || copy !== item.copy) report('identity_differs', [row.kind])
}

/** Compares a row with the staged item of its ordinal. Returns the item in the row, if there is one. */
const checkStaged = (check: Check, row: ItemRow, staged: Item): Item | undefined => {
  const isSame = readable(() => itemText(check.dataKey, row)) === JSON.stringify(staged.content)
  const held = isSame ? staged : readable(() => itemIn(check, row))
  if (held === undefined) return check.report('item_unreadable', [row.kind])
  if (!isDeepStrictEqual(held.content, staged.content)) check.report('item_differs', [row.kind])
  checkIdentity(check, row, staged)
  return held
}

/** Checks a row that was added after the creation. `ledgers`: the number of ledgers of the account. */
const checkAdded = (check: Check, row: ItemRow, ledgers: number): void => {
  const item = readable(() => itemIn(check, row))
  if (item === undefined) return check.report('item_unreadable', [row.kind])
  checkIdentity(check, row, item)
  if (item.kind !== 'transaction' || check.account.erased_at !== null) return
  const { ledger, period } = item.content as PlacedTransaction
  const isPlaced = ledger === undefined ? ledgers === 0 : ledger < ledgers
  if (!isPlaced || (period !== 'current' && check.staged !== undefined))
    check.report('item_unexpected', [row.kind])
}

/** The number of ledgers whose sums differ. `changes`: the stored items with 1, and the staged items in their places with -1. */
const changedSums = (changes: readonly (readonly [item: Item, sign: bigint])[]): number => {
  const sums = new Map<number | undefined, bigint>()
  for (const [{ kind, content }, sign] of changes) {
    if (kind !== 'transaction') continue
    const { ledger, transaction } = content as PlacedTransaction
    sums.set(ledger, (sums.get(ledger) ?? 0n) + sign * BigInt(transaction.amount.replace('.', '')))
  }
  return [...sums.values()].filter((sum) => sum !== 0n).length
}

/** Whether the value is one of `count` numbers from 0 on; false for NaN. */
const isCounted = (value: number, count: number): boolean => value >= 0 && value < count

/** The number of transactions whose copies are not numbered from 0 on. */
const wrongCopies = (rows: readonly ItemRow[]): number => {
  const ofIdentity = grouped(rows, ({ identity }) => identity)
  return rows.filter(({ identity, copy }) => !isCounted(Number(copy), ofIdentity.get(identity)?.length ?? 0))
    .length
}

/** Compares an account and its items with the staged data, and the items with each other. */
const checkAccount = (check: Check, items: readonly ItemRow[]): void => {
  const parts = check.staged && partsOf(check.staged)
  const ledgers = checkDocument(check, parts?.document)
  const staged = parts === undefined ? [] : createdItems(parts.items)
  const rowsOf = grouped(items, ({ kind }) => kind)
  const stagedOf = grouped(staged, ({ kind }) => kind)
  const changes: [Item, bigint][] = []
  for (const kind of new Set([...rowsOf.keys(), ...stagedOf.keys()])) {
    const rows = rowsOf.get(kind) ?? []
    const places = new Map(rows.map((row) => [row.ordinal, row]))
    check.report('ordinal_twice', [kind], rows.length - places.size)
    check.report('ordinal_gap', [kind], rows.filter((row) => !isCounted(row.ordinal, places.size)).length)
    const expected = stagedOf.get(kind) ?? []
    for (const [ordinal, item] of expected.entries()) {
      const row = places.get(ordinal)
      const held = row === undefined ? check.report('item_missing', [kind]) : checkStaged(check, row, item)
      if (held !== item) changes.push([item, -1n])
      if (held !== item && held !== undefined) changes.push([held, 1n])
    }
    for (const row of rows) if (expected[row.ordinal] === undefined) checkAdded(check, row, ledgers)
  }
  check.report('sum_differs', [], changedSums(changes))
  check.report('copies_wrong', ['copy'], wrongCopies(rowsOf.get('transaction') ?? []))
}

/** All breaks of an account, by kind. */
type Found = Map<BreakKind, Readonly<{ columns: readonly string[]; rows: number }>>

const reportTo =
  (found: Found): Report =>
  (kind, columns = [], rows = 1) => {
    const known = found.get(kind) ?? { columns: [], rows: 0 }
    if (rows > 0)
      found.set(kind, { columns: [...new Set([...known.columns, ...columns])], rows: known.rows + rows })
    return undefined
  }

const payloads = jsonColumn('account_imports.payload', t.UnknownRecord)

/**
 * The details of an account that was created at `createdAt` from the staged data; undefined where there is none, or it is faulty.
 * Staging has validated the data, so any JSON of an account is accepted.
 */
const stagedDetails = async ({ dataKeys }: Db, row: VerifiedImport, createdAt: Instant, report: Report) => {
  const { payload, data_key } = row
  if (payload === null) return undefined
  const text = await payloadOf(dataKeys, importKeyOf(row), { payload, data_key }).catch(ifChanged)
  const account = readable(() => payloads.read(text ?? ''))
  if (account === undefined) return report('staged_data_unreadable')
  const isSame =
    account['import_supplier'] === row.import_supplier &&
    account['external_account_number'] === row.external_account_number
  if (!isSame) return report('staged_data_of_another')
  const details = readable(() => accountFromPayload(account as unknown as AccountPayload, createdAt))
  return details ?? report('staged_data_unreadable')
}

/** The breaks among all rows with one external account number. */
export const breaksOf = async (rows: AccountRows, walk: Walk): Promise<readonly Break[]> => {
  const { accounts, emails, items } = rows
  const [[row], [account]] = [rows.imports, accounts]
  const found: Found = new Map()
  const report = reportTo(found)
  const kinds: readonly Kind[] = [
    ...(row === undefined ? [] : importBreaks(row, walk.now)),
    accountBreak(row, accounts),
    accounts.length > 1 && 'several_accounts',
    ...emails.flatMap((email) => emailBreaks(email, accounts)),
  ]
  for (const kind of kinds) if (kind !== false) report(kind)
  const createdAt = account === undefined ? walk.now : instant.read(account.created_at)
  const staged = row && (await stagedDetails(walk.db, row, createdAt, report))
  if (account === undefined) report('item_without_account', [], items.length)
  else {
    if (!walk.teams.has(account.operations_team)) report('team_unknown')
    const dataKey = await walk.db.dataKeys.of(account.data_key).catch(ifChanged)
    // Without its data key, every encrypted text would be reported as different.
    if (account.data_key !== null && dataKey === undefined) report('details_unreadable')
    else checkAccount({ account, dataKey, staged, report }, items)
  }
  const { organisation, import_supplier: importSupplier } = walk.supplier
  const platformAccountNumber = row?.platform_account_number ?? account?.platform_account_number
  const about = { organisation, importSupplier, externalAccountNumber: rows.number, platformAccountNumber }
  return [...found].map(([kind, { columns, rows: many }]) =>
    breakOf(kind, { ...about, ...(columns.length > 0 && { columns }), rows: many }),
  )
}
