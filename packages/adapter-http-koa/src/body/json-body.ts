import type { PortFailure, SentPayload } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { tooManyValues } from '@account-import/core/payloads'
import {
  jsonOf,
  type NotReadable,
  requestValuesLimit,
  type TooManyValues,
  type TransportRefusal,
} from '@account-import/http-contract'
import { longBodyBytes } from '../limits/body-pool.js'

type Unreadable = NotReadable | PortFailure

/**
 * Reads the bytes of a long body where that delays no other request. Of an account it may read only what `SentPayload` needs beside
 * the text. Rejects only with the reason of `gone`.
 */
export type ReadLong = (
  bytes: Uint8Array,
  isAccount: boolean,
  gone: AbortSignal,
) => Promise<Either<NotReadable | PortFailure | TooManyValues, SentPayload>>

/** `readLong`: absent where this thread reads all bodies. */
export type Reader = Readonly<{ readLong?: ReadLong | undefined; gone: () => AbortSignal }>

const read = async (
  bytes: Uint8Array,
  isAccount: boolean,
  reader: Reader | undefined,
): ReturnType<ReadLong> =>
  reader?.readLong === undefined || bytes.length < longBodyBytes
    ? isAccount
      ? jsonOf(bytes)
      : jsonOf(bytes, requestValuesLimit)
    : reader.readLong(bytes, isAccount, reader.gone())

/** Parses the JSON of an account. One with too many values is not parsed, and has its names and that error. */
export const parsedAccount = async (
  bytes: Uint8Array,
  reader: Reader,
): Promise<Either<Unreadable, SentPayload>> => {
  const sent = await read(bytes, true, reader)
  if (E.isRight(sent)) return sent
  const { left } = sent
  return left._tag === 'TooManyValues'
    ? E.right({ payload: left.names, errors: tooManyValues(left.longest) })
    : E.left(left)
}

type RequestUnreadable = Unreadable | Extract<TransportRefusal, { _tag: 'RequestNotValid' }>

/** Parses the JSON of any other request. */
export const parsedRequest = async (
  bytes: Uint8Array,
  reader?: Reader,
): Promise<Either<RequestUnreadable, SentPayload>> =>
  E.mapLeft((left: Unreadable | TooManyValues): RequestUnreadable =>
    left._tag === 'TooManyValues'
      ? { _tag: 'RequestNotValid', errors: tooManyValues(left.longest, requestValuesLimit) }
      : left,
  )(await read(bytes, false, reader))
