import { ofSameAccount } from '../ports/accounts.js'
import { ofSupplier, tables } from '../sql/rows.js'
import type { Finding, Walk } from './breaks.js'

/** Rows of the supplier in the order of their keys, page by page. */
async function* pagesOf<Row extends object>(
  { session, owner }: Walk,
  text: string,
  order: readonly (keyof Row & string)[],
  limit: number,
): AsyncGenerator<readonly Row[]> {
  const bindings = [owner.organisation, owner.import_supplier]
  for (let last: Row | undefined; ;) {
    const after = last && order.map((column) => last?.[column] as string | number)
    const rows = await session.query((db) => db.page<Row>(text, bindings, { order, after, limit }))
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)
  }
}

type Belonging = Readonly<{
  external_account_number: string
  kind: string
  ordinal: number
  has_account: 0 | 1
}>

/** Finds the rows of a table whose account does not exist. `condition`: of the import of that account. */
const belongingBreaks = (table: string, order: readonly (keyof Belonging)[], condition: string) =>
  async function* (walk: Walk): AsyncGenerator<Finding> {
    const from = walk.session.dialect.inOrderOf(`${table} AS i`, 'PRIMARY')
    const text =
      `SELECT ${order.join(', ')}, CASE WHEN EXISTS (SELECT 1 FROM ${tables.accountImports} AS t WHERE ${ofSameAccount} ` +
      `AND ${condition}) THEN 1 ELSE 0 END AS has_account FROM ${from} WHERE ${ofSupplier}`
    for await (const rows of pagesOf<Belonging>(walk, text, order, 1000)) {
      if (table === tables.customerEmails) walk.onVerified('emails', rows.length)
      const lost = rows.flatMap((row) => (row.has_account ? [] : row.external_account_number))
      for (const externalAccountNumber of new Set(lost))
        yield {
          kind: 'reference_missing',
          table,
          columns: ['external_account_number'],
          externalAccountNumber,
        }
    }
  }

/** Additions without their account; it is named once for each page. */
export const additionBreaks = belongingBreaks(
  tables.accountItems,
  ['external_account_number', 'kind', 'ordinal'],
  't.platform_account_number IS NOT NULL',
)

/** E-mails without their account, or about another platform account number. */
export const emailBreaks = belongingBreaks(
  tables.customerEmails,
  ['external_account_number'],
  't.platform_account_number = i.platform_account_number',
)

type Run = Readonly<{ id: string; created_accounts: number; undone_accounts: number; accounts: number }>

/** Finds finished runs with fewer accounts than they created and nobody has undone. A page counts the accounts of eight runs. */
export async function* runBreaks(walk: Walk): AsyncGenerator<Finding> {
  const table = tables.importRuns
  const imports = walk.session.dialect.foundBy(`${tables.accountImports} AS t`, 'account_imports_created')
  const text =
    `SELECT id, created_accounts, undone_accounts, (SELECT COUNT(*) FROM ${imports} ` +
    'WHERE t.organisation = r.organisation AND t.import_supplier = r.import_supplier AND t.created_in_run = r.id) AS accounts ' +
    `FROM ${table} AS r WHERE ${ofSupplier} AND created_accounts IS NOT NULL`
  for await (const runs of pagesOf<Run>(walk, text, ['id'], 8))
    for (const { id, accounts, created_accounts: created, undone_accounts: undone } of runs)
      if (Number(accounts) + undone < created)
        yield { kind: 'count_differs', table, columns: ['created_accounts'], importRun: id }
}
