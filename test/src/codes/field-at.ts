import { List, Refined, Struct, type Reader } from '@account-import/core/adapter-kit'

/** Requests beside the account have fields at these paths; their codecs are not part of the account's. */
const otherRequests =
  /^(limit|vendor|reference|import_supplier_code|transactions\.N\..+|statements\.N\.issued_date)$/

const inside = (codec: Reader<unknown>): Reader<unknown> =>
  codec instanceof Refined ? inside(codec.base) : codec

/** Whether a path, with N for an index, leads to a field of a payload or of another request. */
export const fieldAt = (payload: Reader<unknown>, path: string): boolean => {
  let at: Reader<unknown> | undefined = payload
  for (const key of path.split('.')) {
    const codec: Reader<unknown> | undefined = at === undefined ? undefined : inside(at)
    if (codec instanceof List && key === 'N') at = codec.item as Reader<unknown>
    else if (codec instanceof Struct)
      at = (codec.fields as Record<string, { codec: Reader<unknown> }>)[key]?.codec
    else at = undefined
  }
  return at !== undefined || otherRequests.test(path)
}
