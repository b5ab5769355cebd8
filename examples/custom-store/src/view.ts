import type {
  Account,
  AccountImport,
  AnswerClaim,
  AnsweredAccount,
  ApiKeyRecord,
  CustomerEmail,
  ImportSupplier,
  ImportRun,
  Instant,
  KeptAnswer,
  OperationsTeam,
  Organisation,
  RefreshTokenFamily,
  RunFailure,
  SealedBlock,
  SealedEvent,
  StoredEvent,
  Lease,
  Webhook,
  WebhookDelivery,
} from '@account-import/core'
import type { Standstill } from '@account-import/core/adapter-kit'

/** The rows of each table, by a key of text. All of it is JSON. */
export type Rows = Readonly<{
  organisations: Organisation
  suppliers: ImportSupplier
  /** Each with the organisations that it is bound to. */
  teams: OperationsTeam
  apiKeys: ApiKeyRecord
  refreshTokens: RefreshTokenFamily
  /** The time until which the end of a family of refresh tokens is stored. */
  endedFamilies: Instant
  /** With the staged payload, which is empty while there is none, and the times of staging, removal and erasure. */
  imports: AccountImport &
    Readonly<{
      payload: string
      payloadHash?: string
      firstStagedAt?: Instant
      stagedAt?: Instant
      importRun?: string | undefined
      payloadRemovedAt?: Instant
      erasedAt?: Instant
    }>
  runs: ImportRun
  /** The standstill of each run that was reported last. */
  told: Standstill
  webhooks: Webhook
  /** Deliveries that wait for webhooks, by the webhook and the id. */
  deliveries: WebhookDelivery
  /** Accounts that were refused in runs, by the run and the place. */
  failures: RunFailure & Readonly<{ run: string }>
  accounts: Account
  /** The number of additions to an account since it was created. */
  additions: number
  /** The account of each platform account number. */
  numbers: string
  /** The unique key among the notes of an account: `noteIdentity`. */
  notes: true
  emails: CustomerEmail
  /** The account of each e-mail, by its id. */
  emailIds: string
  /** Claims on requests with an idempotency key, and their stored responses. */
  answers: Omit<AnswerClaim, 'at'> &
    Readonly<{ isDone?: boolean; answer?: KeptAnswer; account?: AnsweredAccount }>
  /** The leases of jobs that one server does for all. */
  leases: Pick<Lease, 'token' | 'endsAt'>
  /** Entries of the audit log that wait to be sealed. */
  unsealed: StoredEvent
  /** The networks from which keys were used. */
  networks: true
  /** By organisation and id. */
  sealed: SealedEvent
  /** By organisation and number. */
  blocks: SealedBlock
}>

export type Table = keyof Rows

/** A row that was put, or `null` where it was removed. */
export type Change = readonly [table: Table, key: string, row: Rows[Table] | null]

/** The committed rows, with uncommitted changes on top of them. */
export class View {
  readonly #beneath: View | undefined
  readonly #own = new Map<Table, Map<string, Rows[Table] | null>>()

  constructor(beneath?: View) {
    this.#beneath = beneath
  }

  get<T extends Table>(table: T, key: string): Rows[T] | undefined {
    const own = this.#own.get(table)?.get(key) as Rows[T] | null | undefined
    if (own !== undefined) return own ?? undefined
    return this.#beneath?.get(table, key)
  }

  put<T extends Table>(table: T, key: string, row: Rows[T] | null): void {
    const own = this.#own.get(table) ?? new Map<string, Rows[Table] | null>()
    this.#own.set(table, own.set(key, row))
  }

  /** Puts a row with a new key; throws for an existing one. */
  insert<T extends Table>(table: T, key: string, row: Rows[T]): void {
    if (this.get(table, key) !== undefined) throw new Error(`there is such a row of ${table}`)
    this.put(table, key, row)
  }

  rows<T extends Table>(table: T): Rows[T][] {
    const keys = new Set(this.#keys(table))
    return [...keys].flatMap((key) => this.get(table, key) ?? [])
  }

  *#keys(table: Table): Iterable<string> {
    if (this.#beneath !== undefined) yield* this.#beneath.#keys(table)
    yield* this.#own.get(table)?.keys() ?? []
  }

  changes(): readonly Change[] {
    return [...this.#own].flatMap(([table, rows]) => [...rows].map(([key, row]): Change => [table, key, row]))
  }

  take(changes: readonly Change[]): void {
    for (const [table, key, row] of changes) this.put(table, key, row)
  }
}
