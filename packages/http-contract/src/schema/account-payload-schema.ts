import { accountPayload, type Reader } from '@account-import/core/adapter-kit'
import { codecSchema } from './codec-schema.js'
import type { JsonSchema } from './json-schema.js'

/** A JSON Schema of draft 2020-12 for a codec that stands by itself. */
const standalone = (codec: Reader<unknown>): JsonSchema => {
  const known = new Map<string, JsonSchema>()
  const root = codecSchema(codec, { known, refTo: (name) => ({ $ref: `#/$defs/${name}` }) })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: codec.name,
    ...root,
    $defs: Object.fromEntries(known),
  }
}

/**
 * The account payload as a JSON Schema of draft 2020-12, read from the running codecs: the shape of every field by
 * itself, as strictly as JSON Schema can say it. What it cannot say (64 KiB of UTF-8, halves of
 * character pairs, digits of JSON numbers, telephone numbers, document paths, rules over several fields) only the service validates.
 */
export const accountPayloadSchema: JsonSchema = standalone(accountPayload)
