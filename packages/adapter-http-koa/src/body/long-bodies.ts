import type { AccountPayload, PortFailure, SentPayload } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import {
  accountDocumentPaths,
  checkAccountPayload,
  type CheckContext,
  type Checked,
  externalAccountNumber,
  type ExtraFinding,
  importSupplierCode,
  readField,
  tooManyValues,
} from '@account-import/core/payloads'
import {
  jsonOf,
  type NotReadable,
  requestValuesLimit,
  type TooManyValues,
  type TransportRefusal,
} from '@account-import/http-contract'
import { longBodyBytes } from '../limits/body-pool.js'

/** The bytes of a long body or line; `isAccount`: its JSON is an account. `id`: a number that no other body of the process has. */
type Sent = Readonly<{ id: number; bytes: Uint8Array; isAccount: boolean }>

/** Why bytes are no JSON; or the payload, of an account only the fields that name it, and its documents. */
type Reading = Either<NotReadable | TooManyValues, Pick<SentPayload, 'payload' | 'documentPaths'>>

/** Accounts that a thread has read and not checked yet, by the ids of their bodies. */
const read = new Map<number, unknown>()

/** So few that they fit into the memory of a thread. */
const mostRead = 2

const keep = (id: number, payload: unknown): void => {
  const [oldest] = read.keys()
  if (oldest !== undefined && read.size >= mostRead) read.delete(oldest)
  read.set(id, payload)
}

/** Reads the bytes. An account stays here until it is checked, so that no other thread parses it. */
const readHere = ({ id, bytes, isAccount }: Sent): Reading => {
  const json = isAccount ? jsonOf(bytes) : jsonOf(bytes, requestValuesLimit)
  if (E.isLeft(json)) return json
  const { payload } = json.right
  if (!isAccount) return E.right({ payload })
  keep(id, payload)
  const names = {
    import_supplier: readField(importSupplierCode, payload, 'import_supplier'),
    external_account_number: readField(externalAccountNumber, payload, 'external_account_number'),
  }
  return E.right({ payload: names, documentPaths: accountDocumentPaths(payload) })
}

/** An account without a fault in its JSON, and what its validation depends on. */
type ToCheck = Readonly<{
  id: number
  bytes: Uint8Array
  context: CheckContext
  extra: readonly ExtraFinding[]
}>

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The findings of the account, by the bundled markets. Parses it again only if others were read meanwhile. */
const check = ({ id, bytes, context, extra }: ToCheck): Checked<AccountPayload> => {
  const payload = read.get(id) ?? (JSON.parse(textOf(bytes)) as unknown)
  read.delete(id)
  return checkAccountPayload(payload, context, extra)
}

/**
 * The work of a thread for long bodies, whose input and result can be sent between threads. The thread that has read an account
 * checks it without parsing it again.
 */
export const longBodyWork = { read: readHere, check }

export type LongBodyWork = typeof longBodyWork

/** The owner of work, and the signal that its client has disconnected. */
export type Turn = Readonly<{ organisation: string; key: string; gone: AbortSignal }>

/**
 * `longBodyWork` in other threads, in a fair queue by organisation and key. Rejects only with the reason of `gone`, if that aborts
 * before the work has begun.
 */
export type LongBodies = Readonly<{
  [Name in keyof LongBodyWork]: (
    input: Parameters<LongBodyWork[Name]>[0],
    turn: Turn,
  ) => Promise<Either<PortFailure, ReturnType<LongBodyWork[Name]>>>
}>

let bodies = 0

/** Reads bytes here, or long ones in another thread, if there is one; a thread checks the account that it has read. */
const reading = async (
  bytes: Uint8Array,
  isAccount: boolean,
  place: Place | undefined,
): Promise<Either<NotReadable | TooManyValues | PortFailure, SentPayload>> => {
  const { longBodies, turn } = place ?? {}
  if (longBodies === undefined || turn === undefined || bytes.length < longBodyBytes)
    return isAccount ? jsonOf(bytes) : jsonOf(bytes, requestValuesLimit)
  bodies += 1
  const id = bodies
  const answer = await longBodies.read({ id, bytes, isAccount }, turn())
  if (E.isLeft(answer)) return answer
  if (E.isLeft(answer.right) || !isAccount) return answer.right
  return E.right({
    ...answer.right.right,
    text: textOf(bytes),
    checkElsewhere: (context, extra) => longBodies.check({ id, bytes, context, extra }, turn()),
  })
}

/** Threads for long bodies, and the turn of a body in their queue; none where all bodies are short. */
type Place = Readonly<{ longBodies: LongBodies | undefined; turn: () => Turn }>

/**
 * Parses the JSON of an account. Another thread reads and validates a long one, if there is one: finding a fault, or validating thousands
 * of telephone numbers, takes up to a second. An account with too many values is not parsed, and has its names and that error.
 */
export const parsedAccount = async (
  bytes: Uint8Array,
  place: Place,
): Promise<Either<NotReadable | PortFailure, SentPayload>> => {
  const sent = await reading(bytes, true, place)
  if (E.isRight(sent)) return sent
  const { left } = sent
  if (left._tag !== 'TooManyValues') return E.left(left)
  const errors = tooManyValues(left.longest)
  return E.right({
    payload: left.names,
    checkElsewhere: async () => E.right(E.left({ errors, warnings: [] })),
  })
}

type RequestUnreadable = NotReadable | Extract<TransportRefusal, { _tag: 'RequestNotValid' }>

/** Parses the JSON of any other request. */
export const parsedRequest = async (
  bytes: Uint8Array,
  place?: Place,
): Promise<Either<RequestUnreadable | PortFailure, SentPayload>> => {
  const sent = await reading(bytes, false, place)
  return E.mapLeft((left: NotReadable | TooManyValues | PortFailure) =>
    left._tag === 'TooManyValues'
      ? ({ _tag: 'RequestNotValid', errors: tooManyValues(left.longest, requestValuesLimit) } as const)
      : left,
  )(sent)
}
