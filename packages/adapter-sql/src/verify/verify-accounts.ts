import type { AccountRow } from '../rows/accounts.js'
import { accountTables } from '../rows/account-tables.js'
import { importKeyOf } from '../rows/import-key.js'
import { fromSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { accountRows, type WrittenRows } from './account-rows.js'
import type { Break } from './break-kinds.js'
import { cursor, isWrittenLater, lowestNumber, type Cursor, type Source } from './cursor.js'
import { differingColumns } from './differing-columns.js'
import { inOrderOf, primaryKey } from './in-order-of.js'
import type { Look } from './look.js'
import { encryptedDetailsTable, partTables, type PartTable } from '../rows/part-tables.js'
import type { EncryptedDetails } from '../rows/reveal.js'
import { shownRows } from './shown-rows.js'
import { rowFindings, type RowFindings } from './row-findings.js'
import { stagedDetails } from './staged-details.js'
import { verifiedPayload } from './verified-payload.js'

/** An account, with the data that it was created from. */
type VerifiedAccount = AccountRow &
  Readonly<{ payload: string | null; payload_key: string | null; data_key: string | null }>

const key = ['platform_account_number'] as const

const accountSource = (look: Look): Source => ({
  columns: 't.*, i.payload AS payload, i.data_key AS payload_key',
  from:
    `${inOrderOf(look, tables.accounts, primaryKey)} LEFT JOIN ${tables.accountImports} AS i ON i.organisation = t.organisation ` +
    'AND i.import_supplier = t.import_supplier AND i.external_account_number = t.external_account_number',
  key,
})

const decrypted = async (
  { dataKeys }: Look,
  row: VerifiedAccount | undefined,
): Promise<VerifiedAccount | undefined> =>
  row && {
    ...row,
    payload: await verifiedPayload(dataKeys, importKeyOf(row), row.payload, row.payload_key),
  }

/** The rows that the account was created with. That there is no data, or that it is wrong, is found with its import. */
const writtenRows = (row: VerifiedAccount): WrittenRows => {
  const createdAt = fromSqlInstant(row.created_at)
  const details = row.payload === null ? undefined : stagedDetails(row.payload, row, createdAt)
  if (details === undefined || typeof details === 'string') return undefined
  const account = {
    key: importKeyOf(row),
    platformAccountNumber: row.platform_account_number,
    operationsTeam: row.operations_team,
    stagedVersion: row.staged_version,
    createdAt,
    details,
  }
  return new Map(accountTables(account).map(({ table, rows }) => [table, rows]))
}

/** What is wrong with the row of the account itself. */
const checkAccount = (
  row: VerifiedAccount,
  written: WrittenRows,
  { teams }: Look,
  findings: RowFindings,
): void => {
  const [expected] = written?.get(tables.accounts) ?? []
  const columns = expected === undefined ? [] : differingColumns(expected, row)
  if (columns.length > 0) findings.add('row_differs', tables.accounts, columns)
  if (!teams.has(row.operations_team)) findings.add('team_unknown', tables.accounts)
  if (row.payload === null) return
  const details = written === undefined ? stagedDetails(row.payload, row) : undefined
  if (typeof details === 'string') findings.add(details, tables.accountImports)
}

type AnyRow = Readonly<Record<string, unknown>>

type PartCursor = Readonly<{ part: PartTable; rows: Cursor<AnyRow> }>

const partSource =
  (look: Look) =>
  ({ table, ordinals }: PartTable): Source => ({
    columns: '*',
    from: inOrderOf(look, table, primaryKey),
    key: [...key, ...ordinals],
  })

/** What is wrong with the rows of one number, whose account is the one given; visits all of them. */
const findingsAbout = async (
  look: Look,
  account: VerifiedAccount | undefined,
  number: string,
  [details, ...parts]: readonly [PartCursor, ...PartCursor[]],
): Promise<RowFindings> => {
  const findings = rowFindings()
  const written = account === undefined ? undefined : writtenRows(account)
  const check = accountRows(written, findings)
  const encrypted: AnyRow[] = []
  let rows = 0
  const visit = ({ part }: PartCursor, row: AnyRow): void => {
    rows += 1
    if (account === undefined) findings.add('row_without_account', part.table)
    else check.visit(part, row)
  }
  await details.rows.each(number, (row) => {
    encrypted.push(row)
    visit(details, row)
  })
  const shown = await shownRows(look.dataKeys, account, encrypted as unknown as readonly EncryptedDetails[])
  for (const each of parts)
    await each.rows.each(number, (row) => visit(each, shown.show(each.part.table, row)))
  look.count('rows', rows)
  if (account === undefined) return findings
  check.end()
  checkAccount(shown.show(tables.accounts, account), written, look, findings)
  if (shown.areReadable()) return findings
  // Compared with what was staged, all that is hidden would seem to differ.
  const unreadable = rowFindings()
  unreadable.add('details_unreadable', tables.encryptedDetails)
  return unreadable
}

/**
 * Walks over accounts and all their rows together, in the order of the platform account number. Each table is read once,
 * a page at a time; of one account what was staged, and what is encrypted, is held whole.
 */
export async function* verifyAccounts(look: Look): AsyncGenerator<Break> {
  const sources = [encryptedDetailsTable, ...partTables].map(partSource(look))
  const isLater = await isWrittenLater(look, [accountSource(look), ...sources])
  const accounts = cursor<VerifiedAccount>(look, accountSource(look))
  const cursorOf = (part: PartTable): PartCursor => ({
    part,
    rows: cursor<AnyRow>(look, partSource(look)(part)),
  })
  const parts = [cursorOf(encryptedDetailsTable), ...partTables.map(cursorOf)] as const
  const cursors = [accounts, ...parts.map(({ rows }) => rows)]
  const { organisation, import_supplier: importSupplier } = look.supplier
  for (let number = await lowestNumber(cursors); number !== undefined; number = await lowestNumber(cursors)) {
    if (isLater(number)) return
    const found: VerifiedAccount[] = []
    await accounts.each(number, (row) => found.push(row))
    const account = await decrypted(look, found[0])
    const findings = await findingsAbout(look, account, number, parts)
    look.count('accounts', found.length)
    for (const finding of findings.all())
      yield {
        ...finding,
        organisation,
        importSupplier,
        externalAccountNumber: account?.external_account_number,
        platformAccountNumber: number,
      }
  }
}
