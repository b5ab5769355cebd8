import type { SentPayload } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import { nestingLimit } from '../limits.js'
import type { TransportRefusal } from '../problems/transport-refusal.js'
import { jsonFault } from './json-fault.js'
import { deeperThan } from './deeper-than.js'

/** Why bytes are no JSON value that may be validated. */
export type NotReadable = Extract<TransportRefusal, { _tag: 'NotUtf8' | 'NotJson' | 'PayloadTooDeep' }>

const utf8 = new TextDecoder('utf-8', { fatal: true })

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const parsed = (text: string): Either<NotReadable, Required<SentPayload>> => {
  try {
    return E.right({ payload: JSON.parse(text) as unknown, text })
  } catch {
    const at = jsonFault(text)
    return E.left({ _tag: 'NotJson', ...(at && { at }) })
  }
}

/** The JSON value that the bytes hold, and its text: UTF-8 without fault, not too deep, then parsed once. */
export const jsonOf = (bytes: Uint8Array): Either<NotReadable, Required<SentPayload>> => {
  const text = textOf(bytes)
  if (text === undefined) return E.left({ _tag: 'NotUtf8' })
  return deeperThan(bytes, nestingLimit) ? E.left({ _tag: 'PayloadTooDeep' }) : parsed(text)
}
