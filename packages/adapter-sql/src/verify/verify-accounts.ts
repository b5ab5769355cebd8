import type { AccountRow } from '../rows/accounts.js'
import { accountTables } from '../rows/account-tables.js'
import { fromSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { accountRows, type WrittenRows } from './account-rows.js'
import type { Break } from './break-kinds.js'
import { cursor, isWrittenLater, lowestNumber, type Source } from './cursor.js'
import { differingColumns } from './differing-columns.js'
import { inKeyOrder } from './in-key-order.js'
import type { Look } from './look.js'
import { partTables } from './part-tables.js'
import { rowFindings, type RowFindings } from './row-findings.js'
import { stagedDetails } from './staged-details.js'

/** An account, with the data that it was created from. */
type VerifiedAccount = AccountRow & Readonly<{ payload: string | null }>

const key = ['platform_account_number'] as const

const accountSource = (look: Look): Source => ({
  columns: 't.*, i.payload AS payload',
  from:
    `${inKeyOrder(look, tables.accounts)} LEFT JOIN ${tables.accountImports} AS i ON i.organisation = t.organisation ` +
    'AND i.import_supplier = t.import_supplier AND i.external_account_number = t.external_account_number',
  key,
})

/** The rows that the account was created with. That there is no data, or that it is wrong, is found with its import. */
const writtenRows = (row: VerifiedAccount): WrittenRows => {
  const createdAt = fromSqlInstant(row.created_at)
  const details = row.payload === null ? undefined : stagedDetails(row.payload, row, createdAt)
  if (details === undefined || typeof details === 'string') return undefined
  const account = {
    key: {
      organisation: row.organisation,
      importSupplier: row.import_supplier,
      externalAccountNumber: row.external_account_number,
    },
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

/**
 * Walks over accounts and all their rows together, in the order of the platform account number. Each table is read once,
 * a page at a time; of one account only what was staged is held whole.
 */
export async function* verifyAccounts(look: Look): AsyncGenerator<Break> {
  const partSource = ({ table, ordinals }: (typeof partTables)[number]): Source => ({
    columns: '*',
    from: inKeyOrder(look, table),
    key: [...key, ...ordinals],
  })
  const isLater = await isWrittenLater(look, [accountSource(look), ...partTables.map(partSource)])
  const accounts = cursor<VerifiedAccount>(look, accountSource(look))
  const parts = partTables.map((part) => ({
    part,
    rows: cursor<Readonly<Record<string, unknown>>>(look, partSource(part)),
  }))
  const cursors = [accounts, ...parts.map(({ rows }) => rows)]
  const { organisation, import_supplier: importSupplier } = look.supplier
  for (let number = await lowestNumber(cursors); number !== undefined; number = await lowestNumber(cursors)) {
    if (isLater(number)) return
    const findings = rowFindings()
    const found: VerifiedAccount[] = []
    await accounts.each(number, (row) => found.push(row))
    const [account] = found
    const written = account === undefined ? undefined : writtenRows(account)
    const check = accountRows(written, findings)
    let rows = 0
    for (const { part, rows: partRows } of parts)
      await partRows.each(number, (row) => {
        rows += 1
        if (account === undefined) findings.add('row_without_account', part.table)
        else check.visit(part, row)
      })
    if (account !== undefined) {
      check.end()
      checkAccount(account, written, look, findings)
      look.count('accounts', found.length)
    }
    look.count('rows', rows)
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
