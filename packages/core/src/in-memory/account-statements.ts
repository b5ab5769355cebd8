import { accountKeyText } from '../domain/account-key.js'
import type { AccountStatements } from '../ports/account-statements.js'
import { portCall } from '../ports/port-failure.js'
import { existingAccount } from './existing-account.js'
import type { Tables } from './memory.js'

const call = portCall('accountStatements')

const idsOf = (statements: readonly Readonly<{ statement_id: string }>[]): ReadonlySet<string> =>
  new Set(statements.map(({ statement_id }) => statement_id))

export const accountStatementsWithin = (tables: Tables): AccountStatements => ({
  existingIds: ({ key }, ids) =>
    call('existingIds', async () => {
      const existing = idsOf(existingAccount(tables, key).details.statements)
      return new Set(ids.filter((id) => existing.has(id)))
    }),
  add: ({ key }, added) =>
    call('add', async () => {
      const account = existingAccount(tables, key)
      const statements = [...account.details.statements, ...added]
      if (idsOf(statements).size < statements.length) throw new Error('the account has the statement')
      tables.accounts.set(accountKeyText(key), { ...account, details: { ...account.details, statements } })
    }),
})
