import { accountPayload, List, meaningOf, Refined, Struct } from '../../packages/core/dist/payloads-entry.js'
import { requestBodies } from '../../packages/http-contract/dist/openapi/index.js'

/** The payloads in which a code can be reported; a path is searched in the account first. */
const payloads = [accountPayload, ...Object.values(requestBodies).map(({ codec }) => codec)]

const structOf = (codec) => {
  if (codec instanceof Struct) return codec
  if (codec instanceof Refined) return structOf(codec.base)
  return codec instanceof List ? structOf(codec.item) : undefined
}

/** The meaning of the last field of a path in a payload; undefined where the payload has no such field. */
const meaningIn = (payload, names) => {
  let codec = payload
  let found
  for (const name of names) {
    const struct = structOf(codec)
    if (struct === undefined || !Object.hasOwn(struct.fields, name)) return undefined
    // Only tables of payloads have meanings; bodies of a login or the like have none.
    found = struct.meanings === '' ? undefined : meaningOf(struct, name)
    codec = struct.fields[name].codec
  }
  return found
}

/** The meaning of the field at a path with N for an index, and an example of its value; undefined for other words. */
const meaningAt = (path) => {
  if (!/^[a-z0-9_]+(\.[a-z0-9_]+|\.N)*$/.test(path)) return undefined
  const names = path.split('.').filter((name) => name !== 'N')
  return payloads.map((payload) => meaningIn(payload, names)).find((meaning) => meaning !== undefined)
}

/** The fields that a code is reported at, with their meanings; without places that are no single field. */
export const meaningsOf = (places) =>
  places.flatMap((at) => {
    const meaning = meaningAt(at)
    return meaning === undefined ? [] : [{ at, ...meaning }]
  })
