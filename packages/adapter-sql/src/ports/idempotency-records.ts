import type {
  AccountKey,
  AnswerClaim,
  AnswerClaimed,
  AnswerKey,
  HeldAnswer,
  IdempotencyRecords,
  KeptAnswer,
  KeyedWork,
} from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { type DataKey, type DataKeys, keptText, readText } from '../sql/crypto.js'
import { sqlPort } from '../sql/failures.js'
import {
  filledUp,
  grouped,
  importKeyValues,
  instant,
  jsonColumn,
  type NewRow,
  ofImport,
  placeholders,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'

type IdempotencyRecordRow = Readonly<{
  organisation: string
  request: string
  content: string
  claim_token: string
  claim_ends_at: string
  expires_at: string
  /** The work is done, under this claim or one before it. */
  is_done: 0 | 1
  /** The account that the response is about; NULL until the response is stored, and where it is about none. */
  import_supplier: string | null
  external_account_number: string | null
  /** The body is encrypted by it, unless it is NULL. */
  data_key: string | null
}> &
  (
    | Readonly<{ status: null; headers: null; body: null }>
    | Readonly<{ status: number; headers: string; body: string }>
  )

const answerHeaders = jsonColumn('idempotency_records.headers', t.record(t.string, t.string))

const answerClaimRow = (claim: AnswerClaim): NewRow<IdempotencyRecordRow> => ({
  ...claim.key,
  content: claim.content,
  claim_token: claim.token,
  claim_ends_at: instant.write(claim.endsAt),
  expires_at: instant.write(claim.expiresAt),
  is_done: 0,
  import_supplier: null,
  external_account_number: null,
  data_key: null,
  status: null,
  headers: null,
  body: null,
})

const ownerOf = ({ organisation, request }: AnswerKey) =>
  [tables.idempotencyRecords, organisation, request] as const

/** Undefined until a response is stored. Throws a `KeyRingError` or a `DecryptionError`. */
const keptAnswerOf = async (dataKeys: DataKeys, row: IdempotencyRecordRow): Promise<KeptAnswer | undefined> =>
  row.status === null
    ? undefined
    : {
        status: row.status,
        headers: answerHeaders.read(row.headers),
        body: readText(await dataKeys.of(row.data_key), ownerOf(row), row.body),
      }

const answersText = `SELECT * FROM ${tables.idempotencyRecords} WHERE ${ofImport} ORDER BY expires_at`

/** The stored responses about an account. */
export const answersOf = async (db: Db, key: AccountKey): Promise<readonly HeldAnswer[]> => {
  const rows = await db.select<IdempotencyRecordRow>(answersText, importKeyValues(key))
  const held = rows.map(async (row): Promise<readonly HeldAnswer[]> => {
    const answer = await keptAnswerOf(db.dataKeys, row)
    return answer === undefined ? [] : [{ ...answer, expiresAt: instant.read(row.expires_at) }]
  })
  return (await Promise.all(held)).flat()
}

const ofRequest = 'organisation = ? AND request = ?'

const findText = `SELECT * FROM ${tables.idempotencyRecords} WHERE ${ofRequest}`

const hasExpired = ({ expires_at }: IdempotencyRecordRow, { at }: AnswerClaim): boolean =>
  instant.read(expires_at) <= at

/** The outcome of a claim by the row; undefined where the claim may replace the row. */
const outcomeOf = async (
  dataKeys: DataKeys,
  row: IdempotencyRecordRow,
  claim: AnswerClaim,
): Promise<AnswerClaimed | undefined> => {
  const { at, content, token } = claim
  // A retry ran the insert again after it had succeeded.
  if (row.claim_token === token) return { _tag: 'claimed' }
  if (hasExpired(row, claim)) return undefined
  if (row.content !== content) return { _tag: 'other_content' }
  const answer = await keptAnswerOf(dataKeys, row)
  if (answer !== undefined) return { _tag: 'answered', answer }
  return instant.read(row.claim_ends_at) > at ? { _tag: 'in_progress' } : undefined
}

/** Replaces a row by the claim, if the row is unchanged: neither claimed again nor answered meanwhile. */
const takeOver = async (db: Db, row: IdempotencyRecordRow, claim: AnswerClaim): Promise<boolean> => {
  const { organisation, request, is_done, ...claimed } = answerClaimRow(claim)
  // A repeated request does not do finished work again.
  const fresh = hasExpired(row, claim) ? { ...claimed, is_done } : claimed
  const where = `${ofRequest} AND claim_token = ? AND (status IS NULL OR expires_at <= ?)`
  const bindings = [organisation, request, row.claim_token, instant.write(claim.at)]
  return db.updateOne(tables.idempotencyRecords, fresh, where, bindings)
}

/**
 * The key of the table accepts the first of several requests, and a conditional update of the row accepts one successor of an
 * ended claim. Each is a statement of its own, so nothing is locked in between on any node of a cluster. A first request costs
 * one insert.
 */
const claimAnswer = async ({ dataKeys, query }: Session, claim: AnswerClaim): Promise<AnswerClaimed> => {
  const { organisation, request } = claim.key
  const insert = (): Promise<boolean> =>
    query((db) => db.insertNew(tables.idempotencyRecords, [answerClaimRow(claim)]))
  for (;;) {
    if (await insert()) return { _tag: 'claimed' }
    const [row] = await query((db) => db.select<IdempotencyRecordRow>(findText, [organisation, request]))
    // The row was removed after the insert met it.
    if (row === undefined) continue
    const outcome = await outcomeOf(dataKeys, row, claim)
    if (outcome !== undefined) return outcome
    if (await query((db) => takeOver(db, row, claim))) return { _tag: 'claimed' }
  }
}

/**
 * Whether the account is erased; once it is allowed again, it may be staged again, and created. Locks its import, where there is
 * one, until the transaction ends. The conditions are not part of the statement, because a row that does not meet them would not
 * be locked.
 */
const isErased = async (db: Db, key: AccountKey): Promise<boolean> => {
  type ErasedRow = Readonly<
    { state: string } & Record<'account_created_at' | 'erased_at' | 'payload_hash', string | null>
  >
  const text = `SELECT state, account_created_at, erased_at, payload_hash FROM ${tables.accountImports} WHERE ${ofImport} ${db.dialect.forUpdate}`
  const [row] = await db.select<ErasedRow>(text, importKeyValues(key))
  if (row === undefined) return false
  // An undone import keeps the hash of its data until it is staged again.
  if (row.erased_at === null) return row.state === 'none' && row.payload_hash !== null
  return row.account_created_at === null
    ? row.state === 'skipped'
    : instant.read(row.account_created_at) <= instant.read(row.erased_at)
}

const ofClaim = `${ofRequest} AND claim_token = ? AND status IS NULL`

/** Claims in the transaction of the request's work: the row is locked until the commit. */
export const sqlKeyedWork = ({ inTransaction }: Session): KeyedWork =>
  sqlPort<KeyedWork>('keyedWork', {
    begin: inTransaction(async (db, { key, token }) => {
      const claim = [key.organisation, key.request, token]
      const select = `SELECT is_done FROM ${tables.idempotencyRecords} WHERE ${ofClaim} ${db.dialect.forUpdate}`
      const [row] = await db.select<Pick<IdempotencyRecordRow, 'is_done'>>(select, claim)
      if (row === undefined) return 'claim_lost'
      if (Number(row.is_done) === 1) return 'done'
      await db.updateOne(tables.idempotencyRecords, { is_done: 1 }, ofClaim, claim)
      return 'first'
    }),
  })

type Answered = Parameters<IdempotencyRecords['keep']>[0]

/** The body may repeat data of the request, so it is encrypted too. */
const write = async (
  db: Db,
  { key, token, answer, expiresAt, account }: Answered,
  dataKey: DataKey | undefined,
): Promise<'kept' | 'claim_lost'> => {
  const row = {
    status: answer.status,
    headers: answerHeaders.write(answer.headers),
    body: keptText(dataKey, ownerOf(key), answer.body),
    expires_at: instant.write(expiresAt),
    import_supplier: account?.importSupplier,
    external_account_number: account?.externalAccountNumber,
    data_key: dataKey?.column,
  }
  const claim = [key.organisation, key.request, token]
  return (await db.updateOne(tables.idempotencyRecords, row, ofClaim, claim)) ? 'kept' : 'claim_lost'
}

const forgetText = `DELETE FROM ${tables.idempotencyRecords} WHERE ${ofClaim}`

/**
 * Locks the import of the account first, as an erasure does: the erasure then removes the response, or came before, and the
 * response is not stored.
 */
const keep = async (
  { dataKeys, query, transaction }: Session,
  answered: Answered,
): Promise<'kept' | 'claim_lost' | 'account_erased'> => {
  const { key, token, account } = answered
  const dataKey = await dataKeys.make()
  if (account === undefined) return query((db) => write(db, answered, dataKey))
  return transaction(async (db) => {
    if (!(await isErased(db, { organisation: key.organisation, ...account })))
      return write(db, answered, dataKey)
    await db.change(forgetText, [key.organisation, key.request, token])
    return 'account_erased'
  })
}

export const sqlIdempotencyRecords = (session: Session): IdempotencyRecords => {
  const { query } = session
  return sqlPort<IdempotencyRecords>('idempotencyRecords', {
    claim: (claim) => claimAnswer(session, claim),
    keep: (answered) => keep(session, answered),
    release: async ({ at, key, token }) => {
      const row = { claim_ends_at: instant.write(at) }
      const claim = [key.organisation, key.request, token]
      await query((db) => db.updateOne(tables.idempotencyRecords, row, ofClaim, claim))
    },
    // Expired records are found by the index on `expires_at` and deleted by their keys, one organisation after the other. A row
    // that was claimed again meanwhile is kept. The keys are in order, so that concurrent calls wait for each other and do not
    // deadlock.
    forget: async (at, limit) => {
      const end = instant.write(at)
      const rows = await query((db) =>
        db.select<AnswerKey>(
          `SELECT organisation, request FROM ${db.dialect.inOrderOf(tables.idempotencyRecords, 'idempotency_records_by_end')} ` +
            `WHERE expires_at <= ? ORDER BY expires_at LIMIT ${limit}`,
          [end],
        ),
      )
      const inOrder = rows.toSorted(
        (a, b) =>
          compareCodePoints(a.organisation, b.organisation) || compareCodePoints(a.request, b.request),
      )
      let forgotten = 0
      for (const [organisation, records] of grouped(inOrder, (row) => row.organisation)) {
        const requests = filledUp(records.map(({ request }) => request))
        const text =
          `DELETE FROM ${tables.idempotencyRecords} WHERE organisation = ? AND request IN (${placeholders(requests.length)}) ` +
          'AND expires_at <= ?'
        const bindings = [organisation, ...requests, end]
        forgotten += await query((db) => db.change(text, bindings))
      }
      return forgotten
    },
  })
}
