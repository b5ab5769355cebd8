import type { SentPayload } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import { nestingLimit } from '../limits.js'
import type { TransportRefusal } from '../problems/transport-refusal.js'
import { jsonFault } from './json-fault.js'
import { countMembers } from './count-members.js'
import { holdsMembers } from './holds-members.js'

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

const parsed = (text: string): Readonly<{ payload: unknown }> | undefined => {
  try {
    return { payload: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/**
 * The JSON value that the bytes hold, and its text: UTF-8 without fault, not too deep, then parsed once. The value has all that
 * the text has: a key that stands twice in one object is a fault, so that nothing is kept that nobody has looked at.
 */
export const jsonOf = (bytes: Uint8Array): Either<NotReadable, Required<SentPayload>> => {
  const text = textOf(bytes)
  if (text === undefined) return E.left({ _tag: 'NotUtf8' })
  const members = countMembers(bytes, nestingLimit)
  if (members === undefined) return E.left({ _tag: 'PayloadTooDeep' })
  const read = parsed(text)
  if (read !== undefined && holdsMembers(read.payload, members)) return E.right({ ...read, text })
  const at = jsonFault(text)
  return E.left({ _tag: 'NotJson', ...(at && { at }) })
}
