import type {
  AccountDetails,
  AccountNote,
  AccountPayload,
  Instant,
  PlacedTransaction,
} from '@account-import/core'
import { instantOf } from '@account-import/core'
import { accountFormat, accountFromPayload, transactionsOf } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import {
  contentIn,
  isInPayload,
  type Item,
  itemOf,
  type ItemRow,
  keptIdentity,
  noteItem,
} from '../ports/added-items.js'
import type { AccountRow } from '../ports/accounts.js'
import { payloadOf, type ReadImportRow } from '../ports/import-rows.js'
import { type DataKey, DecryptionError, isEncrypted, KeyRingError, sha256 } from '../sql/crypto.js'
import { grouped, importKeyOf, type ImportKeyRow, instant, jsonColumn, StoredJsonError } from '../sql/rows.js'
import type { Db } from '../sql/session.js'
import { type Break, type BreakKind, breakOf } from './break-kinds.js'

/** Columns that a created import has, and any other import lacks. */
type CreationColumns = Pick<
  AccountRow,
  'platform_account_number' | 'account_created_at' | 'created_version' | 'created_format' | 'operations_team'
>

type Nullable<Columns> = { readonly [Column in keyof Columns]: Columns[Column] | null }

/** An import with the columns that `verify` reads. */
type VerifiedImport = ReadImportRow &
  Nullable<CreationColumns> &
  Pick<AccountRow, 'additions' | 'created_in_run' | 'data_key' | 'payload' | 'remains'> &
  Readonly<
    Record<
      | 'first_staged_at'
      | 'staged_at'
      | 'payload_removed_at'
      | 'erased_at'
      | 'import_run'
      | 'validated_under'
      | 'payload_hash',
      string | null
    >
  > &
  Readonly<{ state: string }>

/** An e-mail, whose columns may contradict each other. */
type VerifiedEmail = ImportKeyRow &
  Readonly<Record<'platform_account_number' | 'state', string>> &
  Readonly<Record<'due_at' | 'claim_token' | 'settled_at', string | null>>

/** All rows with one external account number: at most one import and one e-mail, unless a unique key is missing. */
export type AccountRows = Readonly<{
  number: string
  imports: readonly VerifiedImport[]
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
  /** The ids of the supplier's import runs. */
  runs: ReadonlySet<string>
  now: Instant
}>

/** The kind of a break; false where there is none. */
type Kind = BreakKind | false

const areNull = (...values: readonly unknown[]): boolean => values.every((value) => value === null)

const isPartial = (...values: readonly unknown[]): boolean => values.includes(null) && !areNull(...values)

export const isCreated = (row: VerifiedImport): boolean => row.platform_account_number !== null

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

/** Contradictions between staged data and the columns about it. */
const stagedBreaks = (row: VerifiedImport): readonly Kind[] => {
  const { payload, payload_removed_at: removedAt } = row
  const isStaged = row.staged_version > 0
  const hasTimes = row.first_staged_at !== null && row.staged_at !== null
  const isNotStaged = areNull(payload, row.first_staged_at, row.staged_at)
  const isRemovedRightly = removedAt === null || (payload === null && isCreated(row))
  return [
    isStaged && (!hasTimes || areNull(payload, removedAt)) && 'staged_data_missing',
    !(isStaged ? isRemovedRightly : isNotStaged) && 'staged_data_unexpected',
    !isStaged && row.validated_under !== null && 'judgement_unexpected',
  ]
}

const isKnown = (format: number | null): format is number =>
  format !== null && format >= 1 && format <= accountFormat

/** Contradictions in the columns of an account. An erasure that removes the payload stores what remains. */
const creationBreaks = (row: VerifiedImport): readonly Kind[] => {
  const { account_created_at: createdAt, created_format: format, erased_at: erasedAt, remains } = row
  const isWhole = !isPartial(
    row.platform_account_number,
    createdAt,
    row.created_version,
    format,
    row.operations_team,
  )
  const isErased = createdAt !== null && erasedAt !== null && erasedAt >= createdAt && row.payload === null
  return [
    !(isWhole && (isCreated(row) || (row.created_in_run === null && row.additions === 0))) &&
      'creation_incomplete',
    row.created_version !== null && row.created_version !== row.staged_version && 'creation_differs',
    format !== null && !isKnown(format) && 'format_unknown',
    remains !== null && !isErased && 'remains_unexpected',
    remains === null && isErased && row.payload_removed_at === erasedAt && 'remains_missing',
    remains !== null && readable(() => remainsColumn.read(remains)) === undefined && 'remains_unreadable',
  ]
}

/** Contradictions in the row of an import; its payload is checked with the items. */
const importBreaks = (row: VerifiedImport, { now, runs, teams }: Walk): readonly Kind[] => {
  const { latest_failure_code: failure, operations_team: team } = row
  return [
    (row.state !== stateOf(row) || (isCreated(row) && Boolean(row.skipped))) && 'import_state_wrong',
    ...stagedBreaks(row),
    claimBreak(row, now),
    (isPartial(failure, row.latest_failure_at) || (isCreated(row) && failure !== null)) &&
      'failure_incomplete',
    ...creationBreaks(row),
    team !== null && !teams.has(team) && 'team_unknown',
    [row.import_run, row.created_in_run].some((run) => run !== null && !runs.has(run)) && 'run_unknown',
  ]
}

const isWhole = ({ state, due_at, claim_token, settled_at }: VerifiedEmail): boolean =>
  state === 'waiting'
    ? due_at !== null && settled_at === null
    : ['sent', 'parked'].includes(state) && areNull(due_at, claim_token) && settled_at !== null

/** Contradictions in an e-mail, and between it and the account. */
const emailBreaks = (email: VerifiedEmail, row: VerifiedImport | undefined): readonly Kind[] => {
  const number = row?.platform_account_number ?? undefined
  return [
    !isWhole(email) && 'email_state_wrong',
    number === undefined && 'email_without_account',
    number !== undefined && email.platform_account_number !== number && 'email_number_differs',
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

const payloads = jsonColumn('account_imports.payload', t.UnknownRecord)
const remainsColumn = jsonColumn('account_imports.remains', t.UnknownRecord)

/**
 * The staged data of a row, compared with its hash; undefined where there is none, or it is faulty. Staging has validated the data,
 * so any JSON of the account is accepted.
 */
const stagedPayload = async (
  { dataKeys }: Db,
  row: VerifiedImport,
  report: Report,
): Promise<AccountPayload | undefined> => {
  const { payload, data_key } = row
  if (payload === null) return undefined
  const text = await payloadOf(dataKeys, importKeyOf(row), { payload, data_key }).catch(ifChanged)
  if (text !== undefined && sha256(text) !== row.payload_hash) report('staged_data_differs')
  const account = readable(() => payloads.read(text ?? ''))
  if (account === undefined) return report('staged_data_unreadable')
  const isSame =
    account['import_supplier'] === row.import_supplier &&
    account['external_account_number'] === row.external_account_number
  return isSame ? (account as unknown as AccountPayload) : report('staged_data_of_another')
}

/** An amount in JSON is a text, and not a number. */
const money = /^"-?\d+\.\d\d"$/

/** The item of a row, as this version writes it; undefined where the row contains something else. */
const itemIn = (dataKey: DataKey | undefined, row: ItemRow): Item | undefined => {
  const content = contentIn(dataKey, row)
  switch (row.kind) {
    case 'transaction': {
      const item = itemOf('transaction', content as PlacedTransaction, Number(row.copy))
      return money.test(JSON.stringify(item.content.transaction.amount)) ? item : undefined
    }
    case 'statement':
      return itemOf(row.kind, content as Item<'statement'>['content'])
    case 'note':
      return noteItem({ note: content as AccountNote, isTimeGiven: Number(row.copy) !== 0 })
    case 'payment_instruction':
      return itemOf(row.kind, content as Item<'payment_instruction'>['content'])
  }
}

/** An account whose items are checked: `details` are those that it was created with. */
type Check = Readonly<{ details: AccountDetails; dataKey: DataKey | undefined; report: Report }>

const isPlaced = ({ ledgers }: AccountDetails, { ledger }: PlacedTransaction): boolean =>
  ledger === undefined ? ledgers.length === 0 : ledger < ledgers.length

/** Checks the content of an item, and compares its identity and copy with those of the row. */
const checkItem = (
  { details, dataKey, report }: Check,
  row: ItemRow,
  isOwn: ReturnType<typeof isInPayload>,
): void => {
  const item = readable(() => itemIn(dataKey, row))
  if (item === undefined) return report('item_unreadable', [row.kind])
  const identity = keptIdentity(isEncrypted(row.content) ? dataKey : undefined, item.kind, item.identity)
  if (row.identity !== identity || Number(row.copy) !== item.copy) report('identity_differs', [row.kind])
  if (item.kind !== 'transaction') {
    if (isOwn(item)) report('item_repeated', [row.kind])
  } else if (!isPlaced(details, item.content as PlacedTransaction)) report('item_unexpected', [row.kind])
}

/** Whether the value is one of `count` numbers from `first` on; false for NaN. */
const isCounted = (value: number, count: number, first = 0): boolean =>
  value >= first && value < first + count

/** The number of transactions whose copies are not numbered after those of the payload, without gaps. */
const wrongCopies = (details: AccountDetails, rows: readonly ItemRow[]): number => {
  const own = grouped(transactionsOf(details), ({ transaction_id }) => transaction_id)
  const ofIdentity = grouped(rows, ({ identity }) => identity)
  return rows.filter(
    ({ identity, copy }) =>
      !isCounted(Number(copy), ofIdentity.get(identity)?.length ?? 0, own.get(identity)?.length),
  ).length
}

const checkItems = (check: Check, items: readonly ItemRow[]): void => {
  for (const [kind, rows] of grouped(items, (row) => row.kind)) {
    const places = new Set(rows.map((row) => row.ordinal))
    check.report('ordinal_twice', [kind], rows.length - places.size)
    check.report('ordinal_gap', [kind], rows.filter((row) => !isCounted(row.ordinal, places.size)).length)
    const isOwn = isInPayload(check.details, kind)
    for (const row of rows) checkItem(check, row, isOwn)
    if (kind === 'transaction') check.report('copies_wrong', ['copy'], wrongCopies(check.details, rows))
  }
}

/** Checks the payload of an import, and the items that were added to its account. */
const checkAccount = async (
  db: Db,
  row: VerifiedImport,
  items: readonly ItemRow[],
  report: Report,
): Promise<void> => {
  const dataKey = await db.dataKeys.of(row.data_key).catch(ifChanged)
  // Without its data key, every encrypted text would be reported as different.
  if (row.data_key !== null && dataKey === undefined) return report('staged_data_unreadable')
  const payload = await stagedPayload(db, row, report)
  const { account_created_at: createdAt, additions, created_format: format } = row
  if (createdAt === null) return report('item_without_account', [], items.length)
  if (row.payload === null) return report('item_unexpected', [], items.length)
  if (additions > items.length || (additions === 0 && items.length > 0)) report('additions_differ')
  if (items.length === 0 || payload === undefined || !isKnown(format)) return
  const details = readable(() => accountFromPayload(payload, instant.read(createdAt), format))
  if (details === undefined) return report('staged_data_unreadable')
  checkItems({ details, dataKey, report }, items)
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

/** The breaks among all rows with one external account number. */
export const breaksOf = async (rows: AccountRows, walk: Walk): Promise<readonly Break[]> => {
  const { imports, emails, items } = rows
  const [row] = imports
  const found: Found = new Map()
  const report = reportTo(found)
  const kinds: readonly Kind[] = [
    ...(row === undefined ? [] : importBreaks(row, walk)),
    imports.length > 1 && 'several_imports',
    ...emails.flatMap((email) => emailBreaks(email, row)),
  ]
  for (const kind of kinds) if (kind !== false) report(kind)
  if (row === undefined) report('item_without_account', [], items.length)
  else await checkAccount(walk.db, row, items, report)
  const { organisation, import_supplier: importSupplier } = walk.supplier
  const platformAccountNumber = row?.platform_account_number ?? undefined
  const about = { organisation, importSupplier, externalAccountNumber: rows.number, platformAccountNumber }
  return [...found].map(([kind, { columns, rows: many }]) =>
    breakOf(kind, { ...about, ...(columns.length > 0 && { columns }), rows: many }),
  )
}
