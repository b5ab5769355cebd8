import { accountPayload, List, Refined, Struct, type Reader } from '@account-import/core/adapter-kit'

type Part = Reader<unknown> | undefined

const withoutRefinements = (codec: Part): Part =>
  codec instanceof Refined ? withoutRefinements(codec.base as Part) : codec

/** The codec of a field or item; nothing inside free objects and below unknown keys. */
const partOf = (codec: Part, key: string): Part => {
  const holder = withoutRefinements(codec)
  if (holder instanceof List) return holder.item as Part
  if (!(holder instanceof Struct)) return undefined
  const fields = holder.fields as Readonly<Record<string, { codec: Reader<unknown> }>>
  return Object.hasOwn(fields, key) ? fields[key]?.codec : undefined
}

const compareKeys = (codec: Part, value: unknown, left: string, right: string): number => {
  if (Array.isArray(value)) return Number(left) - Number(right)
  const holder = withoutRefinements(codec)
  const names = holder instanceof Struct ? Object.keys(holder.fields as object) : []
  const rank = (key: string): number => (names.includes(key) ? names.indexOf(key) : names.length)
  return rank(left) - rank(right) || (left < right ? -1 : 1)
}

const own = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Readonly<Record<string, unknown>>)[key]
    : undefined

const keysOf = (attr: string): readonly string[] => (attr === '' ? [] : attr.split('.'))

/** Which of two paths of an account comes first in document order: negative, 0 or positive. */
export const compareAttrs = (payload: unknown, left: string, right: string): number => {
  const [leftKeys, rightKeys] = [keysOf(left), keysOf(right)]
  let codec: Part = accountPayload
  let value = payload
  for (let at = 0; ; at++) {
    const [leftKey, rightKey] = [leftKeys[at], rightKeys[at]]
    if (leftKey === undefined || rightKey === undefined) return leftKeys.length - rightKeys.length
    if (leftKey !== rightKey) return compareKeys(codec, value, leftKey, rightKey)
    codec = partOf(codec, leftKey)
    value = own(value, leftKey)
  }
}

/** Whether a path leads to something in the payload, or to a key that an object in it lacks. */
export const resolves = (payload: unknown, attr: string): boolean => {
  const keys = keysOf(attr)
  let value = payload
  for (const [at, key] of keys.entries()) {
    if (typeof value !== 'object' || value === null) return false
    if (!Object.hasOwn(value, key)) return at === keys.length - 1 && !Array.isArray(value)
    value = own(value, key)
  }
  return true
}

/** What is left of a payload when unknown fields are dropped and fields put in table order. */
export const knownPart = (payload: unknown, codec: Part = accountPayload): unknown => {
  const reader = withoutRefinements(codec)
  if (reader instanceof List)
    return (payload as readonly unknown[]).map((item) => knownPart(item, reader.item as Part))
  if (!(reader instanceof Struct)) return payload
  const names = Object.keys(reader.fields as object).filter((name) => Object.hasOwn(payload as object, name))
  return Object.fromEntries(names.map((name) => [name, knownPart(own(payload, name), partOf(reader, name))]))
}
