import type { ErrorCode } from '@account-import/core'
import { List, MAX_ITEMS, Refined, Struct, type Fields, type Reader } from '@account-import/core/adapter-kit'
import { definitionName, type Definitions, type JsonSchema } from './json-schema.js'
import { scalarSchema } from './scalar-schema.js'

/** Rules over one field that JSON Schema can state; those that only warn are not among them. */
const constraints: Partial<Record<ErrorCode, JsonSchema>> = {
  contractual_max_power_needs_six_values: { minItems: 6, maxItems: 6 },
}

const structSchema = (struct: Struct<Fields>, definitions: Definitions): JsonSchema => {
  const fields = Object.entries(struct.fields)
  const required = fields.filter(([, { isRequired }]) => isRequired).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, { codec }]) => [name, codecSchema(codec, definitions)]),
    ),
    ...(required.length > 0 && { required }),
    // Unknown fields are accepted, dropped and reported as a warning.
    additionalProperties: true,
  }
}

const referTo = (struct: Struct<Fields>, definitions: Definitions): JsonSchema => {
  const name = definitionName(struct.name)
  if (!definitions.known.has(name)) {
    // Taken before it is filled, so that the definitions stay in the order in which they are met.
    definitions.known.set(name, {})
    definitions.known.set(name, structSchema(struct, definitions))
  }
  return definitions.refTo(name)
}

/** The shape that a running codec accepts; objects go into the definitions. Throws for a codec without a schema. */
export const codecSchema = (codec: Reader<unknown>, definitions: Definitions): JsonSchema => {
  if (codec instanceof Struct) return referTo(codec as Struct<Fields>, definitions)
  if (codec instanceof Refined)
    return { ...codecSchema(codec.base as Reader<unknown>, definitions), ...constraints[codec.code] }
  if (codec instanceof List)
    return {
      type: 'array',
      items: codecSchema(codec.item as Reader<unknown>, definitions),
      maxItems: MAX_ITEMS,
    }
  const schema = scalarSchema(codec)
  if (schema === undefined) throw new Error(`No JSON Schema for the codec ${codec.name}`)
  return schema
}
