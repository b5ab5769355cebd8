import type { AccountNote } from '../domain/account-details.js'
import { type NewNote, noteContent } from '../domain/account-from-payload.js'
import { type AccountKey, accountKeyText } from '../domain/account-import.js'
import { type Account, type AddedItems, transactionsOf, withAdded } from '../domain/account.js'
import { accountForTransactions, type AddedTransaction } from '../domain/adding-transactions.js'
import type {
  AccountNotes,
  AccountPaymentInstructions,
  Accounts,
  AccountsPageRequest,
  AccountStatements,
  AccountTransactions,
  LockableAccounts,
  LockedAccount,
  StoredAccount,
  StoredPage,
} from '../ports/accounts.js'
import type { PaymentInstruction } from '../ports/payment-vendors.js'
import { portOf } from '../ports/port-failure.js'
import { type Instant, toWireDatetime } from '../values/instant.js'
import { isErased, type Memory, storedPageIn, type Tables } from './memory.js'

const existingAccount = (tables: Tables, key: AccountKey): Account => {
  const account = tables.accounts.get(accountKeyText(key))
  if (account === undefined) throw new Error('there is no account for the key')
  return account
}

/** Adds items of one kind to an account. */
const addTo = (tables: Tables, account: Account, added: Partial<AddedItems>): void => {
  const name = accountKeyText(account.key)
  tables.accounts.set(name, { ...account, details: withAdded(account.details, added) })
  tables.additions.set(name, (tables.additions.get(name) ?? 0) + 1)
}

/** The parts are joined by line feeds, which neither identifiers nor times can contain. */
const noteIdentity = (key: AccountKey, { note, isTimeGiven }: NewNote): string =>
  `${accountKeyText(key)}\n${isTimeGiven ? toWireDatetime(note.created_at) : ''}\n${noteContent(note)}`

/** Stores the identities of notes that an account is created with, which may include one note twice. */
const registerNotes = (tables: Tables, { key, details }: Account): void => {
  for (const note of details.notes)
    tables.noteIdentities.set(noteIdentity(key, { note, isTimeGiven: true }), true)
}

/** The identities of the account's notes: each note may have been created with the account, or added without a time. */
export const noteIdentitiesOf = ({ key, details }: Account): readonly string[] =>
  details.notes.flatMap((note) =>
    [true, false].map((isTimeGiven) => noteIdentity(key, { note, isTimeGiven })),
  )

const register = (tables: Tables, key: AccountKey, note: NewNote): void => {
  const identity = noteIdentity(key, note)
  if (tables.noteIdentities.get(identity)) throw new Error('the account has the note')
  tables.noteIdentities.set(identity, true)
}

const instantsByContent = (notes: readonly AccountNote[], contents: ReadonlySet<string>) => {
  const instants = new Map<string, Instant[]>()
  for (const note of notes) {
    const content = noteContent(note)
    if (!contents.has(content)) continue
    const known = instants.get(content)
    if (known === undefined) instants.set(content, [note.created_at])
    else known.push(note.created_at)
  }
  return instants
}

const accountNotesWithin = (tables: Tables): AccountNotes =>
  portOf('accountNotes', {
    withContents: async ({ key }, contents) =>
      instantsByContent(existingAccount(tables, key).details.notes, new Set(contents)),
    add: async ({ key }, notes) => {
      if (notes.length === 0) return
      const account = existingAccount(tables, key)
      for (const note of notes) register(tables, key, note)
      addTo(tables, account, { notes: notes.map(({ note }) => note) })
    },
  })

const has = (
  { details }: Account,
  { vendor, reference }: Pick<PaymentInstruction, 'vendor' | 'reference'>,
): boolean =>
  details.payment_instructions.some((each) => each.vendor === vendor && each.reference === reference)

const accountPaymentInstructionsWithin = (tables: Tables): AccountPaymentInstructions =>
  portOf('accountPaymentInstructions', {
    has: async ({ key }, instruction) => has(existingAccount(tables, key), instruction),
    add: async ({ key }, instruction) => {
      const account = existingAccount(tables, key)
      if (has(account, instruction)) throw new Error('the account has the payment instruction')
      addTo(tables, account, { payment_instructions: [instruction] })
    },
  })

const idsOf = (statements: readonly Readonly<{ statement_id: string }>[]): ReadonlySet<string> =>
  new Set(statements.map(({ statement_id }) => statement_id))

const accountStatementsWithin = (tables: Tables): AccountStatements =>
  portOf('accountStatements', {
    existingIds: async ({ key }, ids) => {
      const existing = idsOf(existingAccount(tables, key).details.statements)
      return new Set(ids.filter((id) => existing.has(id)))
    },
    add: async ({ key }, added) => {
      const account = existingAccount(tables, key)
      const statements = [...account.details.statements, ...added]
      if (idsOf(statements).size < statements.length) throw new Error('the account has the statement')
      addTo(tables, account, { statements: added })
    },
  })

const timesOf = ({ details }: Account, ids: ReadonlySet<string>): Map<string, number> => {
  const times = new Map<string, number>()
  for (const { transaction_id: id } of transactionsOf(details))
    if (ids.has(id)) times.set(id, (times.get(id) ?? 0) + 1)
  return times
}

/** The copies of an id are numbered without gaps. */
const refuseWrong = (account: Account, added: readonly AddedTransaction[]): void => {
  const times = timesOf(account, new Set(added.map(({ transaction }) => transaction.transaction_id)))
  for (const { ledger, transaction, copy } of added) {
    if (ledger !== undefined && account.details.ledgers[ledger] === undefined)
      throw new Error('the account has no such ledger')
    const next = times.get(transaction.transaction_id) ?? 0
    if (copy < next) throw new Error('the account has the transaction')
    times.set(transaction.transaction_id, copy + 1)
  }
}

const accountTransactionsWithin = (tables: Tables): AccountTransactions =>
  portOf('accountTransactions', {
    known: async ({ key }, ids) => {
      const account = existingAccount(tables, key)
      const timesAdded = timesOf(account, new Set(ids))
      return { ...accountForTransactions(account.details, account.createdAt), timesAdded }
    },
    add: async ({ key }, added) => {
      const account = existingAccount(tables, key)
      refuseWrong(account, added)
      addTo(tables, account, { transactions: added })
    },
  })

/** Stores an account that its import creates. */
export const insertAccount = (tables: Tables, account: Account): void => {
  const key = accountKeyText(account.key)
  const number = account.platformAccountNumber
  if (tables.accounts.get(key) !== undefined) throw new Error('an account exists for the key')
  if (tables.accountNumbers.get(number) !== undefined) throw new Error('the platform account number is taken')
  tables.accounts.set(key, account)
  tables.accountNumbers.set(number, key)
  registerNotes(tables, account)
}

/** Accounts on the given tables; pages read the committed state. */
const accountsOn = (memory: Memory, { tables }: Pick<Memory, 'tables'>) => ({
  find: async (key: AccountKey) => tables.accounts.get(accountKeyText(key)),
  page: async (request: AccountsPageRequest): Promise<StoredPage<StoredAccount>> =>
    storedPageIn(
      memory,
      request,
      ({ account, additions }) => account && { account, additions },
      ({ account }) => JSON.stringify(account.details).length,
    ),
})

export const inMemoryAccounts = (memory: Memory): Accounts => portOf('accounts', accountsOn(memory, memory))

/** Units of work run one after the other, so each has every account locked. */
const accountsWithin = (memory: Memory, tables: Tables): LockableAccounts =>
  portOf('accounts', {
    ...accountsOn(memory, { tables }),
    lock: async (key) => {
      const account = tables.accounts.get(accountKeyText(key))
      if (isErased(tables.imports.get(accountKeyText(key)))) return undefined
      return account && ({ key, platformAccountNumber: account.platformAccountNumber } as LockedAccount)
    },
  })

/** The stores of accounts and of their items, within a unit of work. */
export const accountStoresWithin = (memory: Memory, tables: Tables) => ({
  accounts: accountsWithin(memory, tables),
  accountNotes: accountNotesWithin(tables),
  accountPaymentInstructions: accountPaymentInstructionsWithin(tables),
  accountStatements: accountStatementsWithin(tables),
  accountTransactions: accountTransactionsWithin(tables),
})
