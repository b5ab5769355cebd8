import { parentPort } from 'node:worker_threads'
import type { AccountPayload, SentPayload } from '@account-import/core'
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
} from '@account-import/core/payloads'
import {
  jsonOf,
  type NotReadable,
  requestValuesLimit,
  type TooManyValues,
} from '@account-import/http-contract'

/** Why bytes are no JSON; or the payload, of an account only what is needed beside its text. */
type Reading = Either<NotReadable | TooManyValues, SentPayload>

const read = (bytes: Uint8Array, isAccount: boolean): Reading => {
  const json = isAccount ? jsonOf(bytes) : jsonOf(bytes, requestValuesLimit)
  if (E.isLeft(json)) return json
  const { payload, text } = json.right
  if (!isAccount) return E.right({ payload })
  const names = {
    import_supplier: readField(importSupplierCode, payload, 'import_supplier'),
    external_account_number: readField(externalAccountNumber, payload, 'external_account_number'),
  }
  return E.right({ payload: names, text, documentPaths: accountDocumentPaths(payload) })
}

/** The findings of the account of a text that was read, by the bundled markets. */
const check = (
  text: string,
  context: CheckContext,
  extra: readonly ExtraFinding[],
): Checked<AccountPayload> => checkAccountPayload(JSON.parse(text), context, extra)

export type Work = Readonly<{ read: typeof read; check: typeof check }>

/** A function of the thread, and its arguments. */
export type Asked = {
  [Name in keyof Work]: Readonly<{ name: Name; given: Parameters<Work[Name]> }>
}[keyof Work]

/** The result of the function, or the name of its error. */
export type Done = Readonly<{ result: ReturnType<Work[keyof Work]> }> | Readonly<{ failure: string }>

const done = (asked: Asked): Done => {
  try {
    return { result: asked.name === 'read' ? read(...asked.given) : check(...asked.given) }
  } catch (cause) {
    return { failure: cause instanceof Error ? cause.name : typeof cause }
  }
}

parentPort?.on('message', (asked: Asked) => parentPort?.postMessage(done(asked)))
