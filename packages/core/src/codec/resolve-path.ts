import { childPath, type Path } from './findings.js'
import { List, type Reader, Refined, Struct } from './index.js'
import type { Fields } from './struct.js'

/** The path that leads by these keys through a payload of the codec, with the ranks of its steps. */
export const resolvePath = (codec: Reader<unknown>, keys: readonly (string | number)[]): Path | undefined => {
  let at: Reader<unknown> | undefined = codec
  let path: Path | undefined
  for (const key of keys) {
    const holder: Reader<unknown> | undefined = withoutRefinements(at)
    path = childPath(path, key, rankIn(holder, key))
    at = partOf(holder, key)
  }
  return path
}

const withoutRefinements = (codec: Reader<unknown> | undefined): Reader<unknown> | undefined =>
  codec instanceof Refined ? withoutRefinements(codec.base) : codec

const rankIn = (holder: Reader<unknown> | undefined, key: string | number): number => {
  if (typeof key === 'number') return key
  return holder instanceof Struct ? holder.rankOf(key) : 0
}

const partOf = (holder: Reader<unknown> | undefined, key: string | number): Reader<unknown> | undefined => {
  if (holder instanceof List) return holder.item
  if (!(holder instanceof Struct)) return undefined
  const { fields } = holder as Struct<Fields>
  return Object.hasOwn(fields, key) ? fields[key]?.codec : undefined
}
