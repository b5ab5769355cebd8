import { Codec, List, Refined, Struct, type Fields, type Reader } from '@account-import/core/adapter-kit'
import { endpoints } from '@account-import/http-contract'

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
  for (const { body } of Object.values(endpoints)) if (body instanceof Codec) collect(body, found)
  return [...found]
}
