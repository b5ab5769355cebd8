import { ofSameAccount } from '../ports/accounts.js'
import { ofSupplier, tables } from '../sql/rows.js'
import type { Finding, Walk } from './breaks.js'
import { areNull } from './import-rules.js'

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

/** A row of an account, whose number is `account`; null where there is none. An e-mail names the number itself. */
type Belonging = Readonly<{
  external_account_number: string
  kind?: string
  ordinal?: number
  platform_account_number?: string
  account: string | null
}> &
  Partial<Email>

/** The columns that say where an e-mail is. */
type Email = Readonly<{ state: string } & Record<'due_at' | 'claim_token' | 'settled_at', string | null>>

const emailColumns = ['state', 'due_at', 'claim_token', 'settled_at'] as const

/** A waiting e-mail is due at some time, and any other is settled: no relay would send it otherwise. */
const isWhole = ({
  state,
  due_at: due = null,
  claim_token: claim = null,
  settled_at: settled = null,
}: Partial<Email>): boolean =>
  state === 'waiting'
    ? due !== null && settled === null
    : ['sent', 'parked'].includes(state ?? '') && areNull(due, claim) && settled !== null

const accountText = `SELECT t.platform_account_number FROM ${tables.accountImports} AS t WHERE ${ofSameAccount}`

/** Finds the rows of a table whose account does not exist, or has another number, and e-mails whose columns contradict each other. */
const belongingBreaks = (
  table: string,
  order: readonly (keyof Belonging)[],
  named: readonly (keyof Belonging)[],
) =>
  async function* (walk: Walk): AsyncGenerator<Finding> {
    const from = walk.session.dialect.inOrderOf(`${table} AS i`, 'PRIMARY')
    const isOfEmails = table === tables.customerEmails
    const columns = [...order, ...named, ...(isOfEmails ? emailColumns : [])].join(', ')
    const text = `SELECT ${columns}, (${accountText}) AS account FROM ${from} WHERE ${ofSupplier}`
    for await (const rows of pagesOf<Belonging>(walk, text, order, 1000)) {
      if (isOfEmails) walk.onVerified('emails', rows.length)
      const lost = rows.filter(
        ({ account, platform_account_number: own = account }) => account === null || account !== own,
      )
      for (const externalAccountNumber of new Set(lost.map((row) => row.external_account_number)))
        yield {
          kind: 'reference_missing',
          table,
          columns: ['external_account_number', ...named],
          externalAccountNumber,
        }
      for (const row of isOfEmails ? rows : [])
        if (!isWhole(row)) {
          const { external_account_number: externalAccountNumber } = row
          yield { kind: 'columns_contradict', table, columns: emailColumns, externalAccountNumber }
        }
    }
  }

/** Additions without their account; it is named once for each page. */
export const additionBreaks = belongingBreaks(
  tables.accountItems,
  ['external_account_number', 'kind', 'ordinal'],
  [],
)

/** E-mails without their account, or about another platform account number. */
export const emailBreaks = belongingBreaks(
  tables.customerEmails,
  ['external_account_number'],
  ['platform_account_number'],
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
