import {
  type AccountImport,
  type AccountKey,
  accountKeyText,
  type Claim,
  type StagedWarnings,
} from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import type { SealedBlock, SealedEvent, StoredEvent } from '../domain/audit-entry.js'
import type { CustomerEmail } from '../domain/customer-email.js'
import type { ImportRun, OpenFailure, Reached, RunFailure } from '../domain/import-run.js'
import type { Webhook, WebhookDelivery } from '../domain/webhook.js'
import { type AccountsPageRequest, type StoredPage, storedPageOf } from '../ports/accounts.js'
import type { AnswerClaim, AnsweredAccount, KeptAnswer } from '../ports/idempotency-records.js'
import { compareCodePoints } from '../values/compare.js'
import type { Instant } from '../values/instant.js'

const firstAfter = (numbers: readonly string[], after: string): number => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareCodePoints(numbers[middle] ?? '', after) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The account numbers of one supplier in order. They are sorted on reading, which is cheap when few are new. */
const createSortedNumbers = () => {
  const numbers: string[] = []
  let inOrder = true
  return {
    add: (number: string): void => {
      const last = numbers.at(-1)
      if (last !== undefined && compareCodePoints(last, number) > 0) inOrder = false
      numbers.push(number)
    },
    /** The numbers after `after`; all if it is `undefined`. */
    *after(after: string | undefined): Generator<string> {
      if (!inOrder) numbers.sort(compareCodePoints)
      inOrder = true
      const start = after === undefined ? 0 : firstAfter(numbers, after)
      for (let index = start; index < numbers.length; index++) yield numbers[index] ?? ''
    },
  }
}

/** Rows by key. */
export interface Table<Row> {
  get(key: string): Row | undefined
  set(key: string, row: Row): void
  delete(key: string): void
  rows(): Iterable<Row>
}

/** A table of committed rows. `onNew` is called with each row whose key is new. */
const createTable = <Row>(onNew: (row: Row) => void = () => undefined): Table<Row> => {
  const rows = new Map<string, Row>()
  return {
    get: (key) => rows.get(key),
    set: (key, row) => {
      if (!rows.has(key)) onNew(row)
      rows.set(key, row)
    },
    delete: (key) => void rows.delete(key),
    rows: () => rows.values(),
  }
}

/** A table of changes over another one, which gets them on `commit`. */
type Overlay<Row> = Table<Row> & Readonly<{ commit(): void }>

const createOverlay = <Row>(beneath: Table<Row>): Overlay<Row> => {
  const changes = new Map<string, Row | undefined>()
  const merged = function* (): Generator<Row> {
    const replaced = new Set<Row | undefined>()
    for (const [key, row] of changes) {
      replaced.add(beneath.get(key))
      if (row !== undefined) yield row
    }
    for (const row of beneath.rows()) if (!replaced.has(row)) yield row
  }
  return {
    get: (key) => (changes.has(key) ? changes.get(key) : beneath.get(key)),
    set: (key, row) => void changes.set(key, row),
    delete: (key) => void changes.set(key, undefined),
    rows: merged,
    commit: () => {
      for (const [key, row] of changes) {
        if (row === undefined) beneath.delete(key)
        else beneath.set(key, row)
      }
    },
  }
}

/** An import with its staged data, `undefined` while nothing was staged. */
export type ImportRow = Omit<AccountImport, 'claim'> &
  Readonly<{
    payload: string | undefined
    payloadHash: string | undefined
    firstStagedAt: Instant | undefined
    stagedAt: Instant | undefined
    /** The run that staged it. */
    importRun: string | undefined
    /** As in `Staging`. */
    validatedUnder: string | undefined
    warnings?: StagedWarnings | undefined
    payloadRemovedAt: Instant | undefined
    erasedAt: Instant | undefined
  }>

/** Whether it was erased, and neither unskipped nor created since. */
export const isErased = (row: ImportRow | undefined): boolean => {
  if (row?.erasedAt === undefined) return false
  return row.created === undefined ? row.skipped : row.erasedAt >= row.created.createdAt
}

/** An idempotency record: a claim, and its answer if there is one. */
export type AnswerRow = Pick<AnswerClaim, 'key' | 'content' | 'token' | 'endsAt' | 'expiresAt'> &
  Readonly<{ answer: KeptAnswer | undefined; account?: AnsweredAccount | undefined }>

export type OpenRow = Readonly<{ key: AccountKey; failure: OpenFailure; recorded: Reached }>

/** The rows that take part in units of work, by account key unless another key is given. */
export type Tables = Readonly<{
  imports: Table<ImportRow>
  claims: Table<Claim>
  accounts: Table<Account>
  /** The number of additions since the account was created; absent for 0. */
  additions: Table<number>
  /** The account that has each platform account number. */
  accountNumbers: Table<string>
  emails: Table<CustomerEmail>
  /** The account of each e-mail, by the id of the e-mail. */
  emailIds: Table<string>
  /** By `noteIdentity`, which is unique among the notes of an account. */
  noteIdentities: Table<true>
  /** Marks of done requests with an idempotency key, by organisation and request. */
  doneRequests: Table<true>
  /** Unsealed audit events, by their ids. */
  unsealed: Table<StoredEvent>
  /** By organisation and id. */
  sealed: Table<SealedEvent>
  /** By organisation and number. */
  blocks: Table<SealedBlock>
}>

/** The rows, for many readers and one writer after the other. */
export type Memory = Readonly<{
  /** The committed state. */
  tables: Tables
  /** Runs the change exclusively on tables of its own, which are committed only if `commit` returns true. */
  exclusive<A>(change: (tables: Tables) => Promise<A>, commit: (result: A) => boolean): Promise<A>
  /** Whether the tables are those of a unit of work. */
  isUnit: boolean
  /** Runs a change outside of a unit of work, exclusively; if it throws, it is rolled back. */
  change<A>(work: (tables: Tables) => A): Promise<A>
  /** The SHA-256 of a text by `Secrets`. */
  hash(text: string): Promise<string>
  /** Import runs by their ids, and the failures of each by their places. They take part in no unit of work. */
  runs: Map<string, ImportRun>
  runFailures: Map<string, Map<string, RunFailure>>
  /** By account key and line (`OpenPlace`). They take part in no unit of work. */
  openFailures: Map<string, OpenRow>
  /** By organisation and request; only the marks of done requests take part in units of work. */
  answers: Map<string, AnswerRow>
  /** By their ids. */
  webhooks: Map<string, Webhook>
  /** By webhook and id. */
  deliveries: Map<string, WebhookDelivery>
  /** The numbers of one supplier, in order. */
  numbers(organisation: string, importSupplier: string): ReturnType<typeof createSortedNumbers>
}>

const createIndex = (): Memory['numbers'] => {
  const bySupplier = new Map<string, ReturnType<typeof createSortedNumbers>>()
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

const overlaysOn = (tables: Tables): Overlays =>
  Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, createOverlay(table as Table<unknown>)]),
  ) as Overlays

/** Runs the work on changes of its own, which reach the tables unless it throws. */
export const changedAlone = <A>(tables: Tables, work: (own: Tables) => A): A => {
  const own = overlaysOn(tables)
  const result = work(own)
  for (const each of Object.values(own)) each.commit()
  return result
}

export const createMemory = (hash: Memory['hash']): Memory => {
  const numbers = createIndex()
  const tables: Tables = {
    imports: createTable(({ key }) =>
      numbers(key.organisation, key.importSupplier).add(key.externalAccountNumber),
    ),
    claims: createTable(),
    accounts: createTable(),
    additions: createTable(),
    accountNumbers: createTable(),
    emails: createTable(),
    emailIds: createTable(),
    noteIdentities: createTable(),
    doneRequests: createTable(),
    unsealed: createTable(),
    sealed: createTable(),
    blocks: createTable(),
  }
  let last: Promise<unknown> = Promise.resolve()
  const exclusive: Memory['exclusive'] = (change, commit) => {
    const turn = last.then(async () => {
      const own = overlaysOn(tables)
      const result = await change(own)
      if (commit(result)) for (const each of Object.values(own)) each.commit()
      return result
    })
    // The next writer runs even if this one failed; only its own caller gets the failure.
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    tables,
    isUnit: false,
    hash,
    runs: new Map(),
    runFailures: new Map(),
    openFailures: new Map(),
    answers: new Map(),
    webhooks: new Map(),
    deliveries: new Map(),
    numbers,
    exclusive,
    change: (work) =>
      exclusive(
        async (own) => work(own),
        () => true,
      ),
  }
}

/** The imports and accounts of a supplier after a number, in the order of their numbers. */
export function* rowsOf(
  { tables, numbers }: Memory,
  { organisation, importSupplier }: Omit<AccountKey, 'externalAccountNumber'>,
  after?: string,
) {
  for (const externalAccountNumber of numbers(organisation, importSupplier).after(after)) {
    const name = accountKeyText({ organisation, importSupplier, externalAccountNumber })
    const additions = tables.additions.get(name) ?? 0
    yield {
      externalAccountNumber,
      row: tables.imports.get(name),
      account: tables.accounts.get(name),
      additions,
    }
  }
}

type SupplierRow = ReturnType<typeof rowsOf> extends Generator<infer Row> ? Row : never

/** A page of the items that `itemOf` makes of the rows of a supplier; rows without an item are left out. */
export const pageIn = <Item>(
  memory: Memory,
  {
    after,
    limit,
    ...supplier
  }: Omit<AccountKey, 'externalAccountNumber'> & Readonly<{ after: string | undefined; limit: number }>,
  itemOf: (row: SupplierRow) => Item | undefined,
): readonly Item[] => {
  const items: Item[] = []
  for (const row of rowsOf(memory, supplier, after)) {
    const item = itemOf(row)
    if (item !== undefined) items.push(item)
    if (items.length === limit) break
  }
  return items
}

/** As `pageIn`, for items with long texts: `bytesOf` is the length of the text of an item. */
export const storedPageIn = <Item>(
  memory: Memory,
  request: AccountsPageRequest,
  itemOf: (row: SupplierRow) => Item | undefined,
  bytesOf: (item: Item) => number,
): StoredPage<Item> =>
  storedPageOf(pageIn(memory, { ...request, limit: request.limit + 1 }, itemOf), request.limit, bytesOf)
