import type { Account } from '../domain/account.js'
import type { AccountImport, Claim } from '../domain/account-import.js'
import type { AuditEntry, SealedEntry } from '../domain/audit-entry.js'
import type { CustomerEmail } from '../domain/customer-email.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import type { Instant } from '../values/instant.js'
import { createSortedNumbers, type SortedNumbers } from './sorted-numbers.js'
import { createOverlay, createTable, type Overlay, type Table } from './table.js'

/** An import with its staged data, `undefined` while nothing was staged, and when it was staged first. */
export type ImportRow = Omit<AccountImport, 'claim'> &
  Readonly<{
    payload: string | undefined
    payloadHash: string | undefined
    firstStagedAt: Instant | undefined
    stagedAt: Instant | undefined
    payloadRemovedAt: Instant | undefined
    erasedAt: Instant | undefined
  }>

/** The rows that take part in units of work, by account key unless said otherwise. */
export type Tables = Readonly<{
  imports: Table<ImportRow>
  claims: Table<Claim>
  accounts: Table<Account>
  /** The account that has each platform account number. */
  accountNumbers: Table<string>
  emails: Table<CustomerEmail>
  /** The account of each e-mail, by the id of the e-mail. */
  emailIds: Table<string>
  /** By what is unique among the notes of an account: `noteIdentity`. */
  noteIdentities: Table<true>
  /** Keyed requests that were done, by organisation and request. */
  doneRequests: Table<true>
  /** Entries of the record that wait to be sealed, in the order in which they came. */
  unsealed: Table<Readonly<{ id: string; entry: AuditEntry }>>
  /** By organisation and number. */
  sealed: Table<SealedEntry>
}>

/** The rows, for many readers and one writer after the other. */
export type Memory = Readonly<{
  /** What is committed. */
  tables: Tables
  /** Runs the change alone on tables of its own, which are committed only where `commit` says so. */
  exclusive<A>(change: (tables: Tables) => Promise<A>, commit: (result: A) => boolean): Promise<A>
  /** Runs a change outside of a unit of work, in a turn of its own; if it throws, nothing of it is kept. */
  change<A>(work: (tables: Tables) => A): Promise<A>
  /** The SHA-256 of a text, as `Secrets` gives it. */
  hash(text: string): Promise<string>
  /** Suppliers by their codes; they take part in no unit of work. */
  suppliers: Map<string, ImportSupplier>
  /** The numbers of one supplier, in order. */
  numbers(organisation: string, importSupplier: string): SortedNumbers
}>

const createIndex = (): Memory['numbers'] => {
  const bySupplier = new Map<string, SortedNumbers>()
  return (organisation, importSupplier) => {
    const key = `${organisation}\u0000${importSupplier}`
    const known = bySupplier.get(key) ?? createSortedNumbers()
    bySupplier.set(key, known)
    return known
  }
}

type Overlays = {
  readonly [Name in keyof Tables]: Tables[Name] extends Table<infer Row> ? Overlay<Row> : never
}

const overlaysOn = (tables: Tables): Overlays => ({
  imports: createOverlay(tables.imports),
  claims: createOverlay(tables.claims),
  accounts: createOverlay(tables.accounts),
  accountNumbers: createOverlay(tables.accountNumbers),
  emails: createOverlay(tables.emails),
  emailIds: createOverlay(tables.emailIds),
  noteIdentities: createOverlay(tables.noteIdentities),
  doneRequests: createOverlay(tables.doneRequests),
  unsealed: createOverlay(tables.unsealed),
  sealed: createOverlay(tables.sealed),
})

export const createMemory = (hash: Memory['hash']): Memory => {
  const numbers = createIndex()
  const tables: Tables = {
    imports: createTable(({ key }) =>
      numbers(key.organisation, key.importSupplier).add(key.externalAccountNumber),
    ),
    claims: createTable(),
    accounts: createTable(),
    accountNumbers: createTable(),
    emails: createTable(),
    emailIds: createTable(),
    noteIdentities: createTable(),
    doneRequests: createTable(),
    unsealed: createTable(),
    sealed: createTable(),
  }
  let last: Promise<unknown> = Promise.resolve()
  const exclusive: Memory['exclusive'] = (change, commit) => {
    const turn = last.then(async () => {
      const own = overlaysOn(tables)
      const result = await change(own)
      if (commit(result)) for (const each of Object.values(own)) each.commit()
      return result
    })
    // The next writer goes on even if this one failed, which its own caller is told.
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    tables,
    hash,
    suppliers: new Map(),
    numbers,
    exclusive,
    change: (work) =>
      exclusive(
        async (own) => work(own),
        () => true,
      ),
  }
}
