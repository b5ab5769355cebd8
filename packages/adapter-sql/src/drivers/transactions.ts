import { DatabaseError } from './database-error.js'
import type { ClientQuery } from './knex-clients.js'

/** A connection, with its open transaction. `endedBy`: the error with which the database ended it early. */
export type InTransaction = { openTransaction?: { endedBy?: DatabaseError } | undefined }

/** How a database sends the statements of a transaction. */
type Sending = Readonly<{
  /** Statements that would end the transaction. */
  ending: RegExp
  send(query: ClientQuery): Promise<ClientQuery>
  /** Whether the transaction is open after a statement was answered, or failed. */
  isOpenAfter(outcome: ClientQuery | DatabaseError): boolean | Promise<boolean>
}>

const begins = /^(?:BEGIN|START TRANSACTION)\b/
const ends = /^(?:COMMIT|ROLLBACK)\b(?! TO)/

/** Matches a statement that begins with one of the words, after any comments. */
export const statementOf = (words: string): RegExp =>
  new RegExp(String.raw`^(?:\s|/\*.*?\*/|(?:--|#)[^\n]*\n)*(?:${words})\b`, 'is')

const refused = (message: string): DatabaseError =>
  new DatabaseError({ code: 'DATABASE_TRANSACTION_ENDED', message })

/** Ends a transaction. One that the database has ended before its end cannot be committed: rejects with the error of then. */
const end = async (
  connection: InTransaction,
  query: ClientQuery,
  send: Sending['send'],
): Promise<ClientQuery> => {
  const endedBy = connection.openTransaction?.endedBy
  connection.openTransaction = undefined
  if (endedBy === undefined || query.sql.startsWith('ROLLBACK')) return send(query)
  await send({ sql: 'ROLLBACK' }).catch(() => undefined)
  throw endedBy
}

/**
 * Sends a statement. After one that ended the transaction, such as the loser of a deadlock, the database would store each later
 * statement alone: nothing more is sent then, and the COMMIT fails with the same error, whoever caught it meanwhile. Statements of
 * a program, which have a `method`, may not end a transaction.
 */
export const sendInTransaction = async (
  connection: InTransaction,
  query: ClientQuery,
  { ending, send, isOpenAfter }: Sending,
): Promise<ClientQuery> => {
  const isOfProgram = query.method !== undefined
  if (!isOfProgram && begins.test(query.sql)) {
    connection.openTransaction = undefined
    const begun = await send(query)
    connection.openTransaction = {}
    return begun
  }
  const { openTransaction: transaction } = connection
  if (transaction === undefined) return send(query)
  if (!isOfProgram && ends.test(query.sql)) return end(connection, query, send)
  if (transaction.endedBy !== undefined) throw transaction.endedBy
  if (isOfProgram && ending.test(query.sql))
    throw refused('a statement that would end the transaction is not sent')
  try {
    const answered = await send(query)
    if (!(await isOpenAfter(answered))) throw refused('a statement has ended the transaction')
    return answered
  } catch (cause) {
    const error = DatabaseError.of(cause)
    if (!(await isOpenAfter(error))) transaction.endedBy = error
    throw error
  }
}
