import { Codec, type Fields, List, type Reader, Refined, Struct } from '@account-import/core/payloads'
import { requestBodies } from '@account-import/http-contract/openapi'

/** A codec, if there is one. */
export type Part = Reader<unknown> | undefined

export const withoutRefinements = (codec: Part): Part =>
  codec instanceof Refined ? withoutRefinements(codec.base as Part) : codec

/** The codec of a field or item; nothing inside free objects and below unknown keys. */
export const partOf = (codec: Part, key: string): Part => {
  const holder = withoutRefinements(codec)
  if (holder instanceof List) return holder.item as Part
  if (!(holder instanceof Struct)) return undefined
  const fields = holder.fields as Readonly<Record<string, { codec: Reader<unknown> }>>
  return Object.hasOwn(fields, key) ? fields[key]?.codec : undefined
}

const below = (codec: Reader<unknown>): readonly Reader<unknown>[] => {
  if (codec instanceof Struct)
    return Object.values((codec as Struct<Fields>).fields).map((field) => field.codec)
  if (codec instanceof List) return [(codec as List<unknown>).item]
  return codec instanceof Refined ? [(codec as Refined<unknown>).base] : []
}

const collect = (codec: Reader<unknown>, found: Set<Codec<unknown>>): void => {
  if (!(codec instanceof Codec) || found.has(codec)) return
  found.add(codec)
  for (const part of below(codec)) collect(part, found)
}

/** Every codec that some request is read by: those of whole bodies and all that they are made of. */
export const everyCodec = (): readonly Codec<unknown>[] => {
  const found = new Set<Codec<unknown>>()
  for (const { codec } of Object.values(requestBodies)) collect(codec, found)
  return [...found]
}
