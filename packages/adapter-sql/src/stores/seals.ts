import type { SealCheck } from '@account-import/core'
import { createHmac } from 'node:crypto'
import { sha256 } from '../rows/unsealed-line.js'

/** How the text of an entry is sealed, and whether a seal is that of a text. */
export type Seals = Readonly<{ sealOf(text: string): string; check(text: string, seal: string): SealCheck }>

const idLength = 16

/** The same wherever the key is read, and no help in finding the key. */
const idOf = (key: string): string =>
  createHmac('sha256', key).update('audit key').digest('base64url').slice(0, idLength)

const keyedForm = new RegExp(`^([\\w-]{${idLength}}):[\\w-]{43}$`)

const checked = (isIntact: boolean): SealCheck => ({ _tag: isIntact ? 'intact' : 'changed' })

/**
 * Seals with the first of the keys, by `<id of the key>:<HMAC-SHA-256 in base64url>`, and knows the seals of all of them; without
 * any by a SHA-256 in hexadecimal.
 */
export const sealsWith = (keys: readonly string[]): Seals => {
  const known = new Map(keys.map((key) => [idOf(key), key]))
  const keyed = (id: string, key: string, text: string): string =>
    `${id}:${createHmac('sha256', key).update(text).digest('base64url')}`
  const [current] = known
  return {
    sealOf: (text) => (current === undefined ? sha256(text) : keyed(...current, text)),
    check: (text, seal) => {
      const id = keyedForm.exec(seal)?.[1]
      if (id === undefined) return checked(keys.length === 0 && sha256(text) === seal)
      const key = known.get(id)
      return key === undefined ? { _tag: 'key_missing', key: id } : checked(keyed(id, key, text) === seal)
    },
  }
}
