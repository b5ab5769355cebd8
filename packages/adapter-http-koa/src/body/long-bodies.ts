import type { AccountPayload, PortFailure, SentPayload } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import {
  checkAccountPayload,
  type CheckContext,
  type Checked,
  externalAccountNumber,
  type ExtraFinding,
  hasTooManyValues,
  importSupplierCode,
  plainContext,
  readField,
} from '@account-import/core/payloads'
import { jsonOf, type NotReadable } from '@account-import/http-contract'
import { longBodyBytes } from '../limits/body-places.js'

/** The bytes of a long body or line; `isAccount`: its JSON is an account. */
type Sent = Readonly<{ bytes: Uint8Array; isAccount: boolean }>

/**
 * Why bytes are no JSON; or nothing; or the fields that name an account with too many values, and the findings about it: parsing it
 * again would take too long.
 */
export type Reading = Either<
  NotReadable,
  Readonly<{ names: object; checked: Checked<AccountPayload> }> | undefined
>

/** Reads the bytes, so that another thread only has to parse JSON without a fault. */
const read = ({ bytes, isAccount }: Sent): Reading => {
  const json = jsonOf(bytes)
  if (E.isLeft(json)) return json
  const { payload } = json.right
  if (!isAccount || !hasTooManyValues(payload)) return E.right(undefined)
  const names = {
    import_supplier: readField(importSupplierCode, payload, 'import_supplier'),
    external_account_number: readField(externalAccountNumber, payload, 'external_account_number'),
  }
  return E.right({ names, checked: checkAccountPayload(payload, plainContext) })
}

/** An account without a fault in its JSON, and what its validation depends on. */
type ToCheck = Readonly<{ bytes: Uint8Array; context: CheckContext; extra: readonly ExtraFinding[] }>

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The findings of the account, by the bundled markets. */
const check = ({ bytes, context, extra }: ToCheck): Checked<AccountPayload> =>
  checkAccountPayload(JSON.parse(textOf(bytes)), context, extra)

/** The work of a thread for long bodies: pure functions, whose input and result can be sent between threads. */
export const longBodyWork = { read, check }

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

/**
 * Parses JSON. Reads long bytes, and validates a long account, in another thread, if there is one: valid JSON of an account is
 * parsed here in some 50 ms, but finding a fault, or validating thousands of telephone numbers, takes up to a second.
 */
export const parsed = async (
  sent: Sent,
  longBodies: LongBodies | undefined,
  turn: () => Turn,
): Promise<Either<NotReadable | PortFailure, SentPayload>> => {
  const { bytes, isAccount } = sent
  if (longBodies === undefined || bytes.length < longBodyBytes) return jsonOf(bytes)
  const reading = await longBodies.read(sent, turn())
  if (E.isLeft(reading)) return reading
  if (E.isLeft(reading.right)) return reading.right
  const tooLarge = reading.right.right
  if (tooLarge !== undefined)
    return E.right({ payload: tooLarge.names, checkElsewhere: async () => E.right(tooLarge.checked) })
  const text = textOf(bytes)
  return E.right({
    payload: JSON.parse(text) as unknown,
    text,
    ...(isAccount && {
      checkElsewhere: (context, extra) => longBodies.check({ bytes, context, extra }, turn()),
    }),
  })
}
