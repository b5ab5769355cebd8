import type { ErrorCode } from '@account-import/core'
import {
  accountPayload,
  Choice,
  Code,
  type DecimalSize,
  type Fields,
  Integer,
  Key,
  List,
  MAX_ITEMS,
  meaningOf,
  type Reader,
  Refined,
  Struct,
  Text,
} from '@account-import/core/payloads'
import { withMeanings } from './answer-fields.js'

/** A JSON Schema of draft 2020-12, as far as this package writes them. */
export type JsonSchema = Readonly<{ [keyword: string]: unknown }>

/** Schemas by name, and the reference to a name. */
export type Definitions = Readonly<{
  refTo: (name: string) => JsonSchema
  byName: Map<string, JsonSchema>
}>

/** `supply address entry` becomes `SupplyAddressEntry`. */
const definitionName = (name: string): string =>
  name.replace(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase())

// These patterns mean the same in every engine: ECMAScript's with the flag u or without, RE2, and those of Python, Java and Rust.
// Hence no assertions but ^ and $, no properties such as \p{L}, no \d, no escapes of characters beyond \x7F. Only the service
// refuses lone surrogates, which UTF-8 cannot encode. A text has one pattern for the whole of it: generators of clients read no more.

const textPattern: JsonSchema = { pattern: String.raw`^[^\x00]*$` }

/** term(n): a text with a character other than white space, which follows white space alone. */
const termPattern: JsonSchema = { pattern: String.raw`^\s*[^\s\x00][^\x00]*$` }

/** key(n): a term without control characters. */
const keyPattern: JsonSchema = {
  pattern: String.raw`^[^\S\x00-\x1F\x7F]*[^\s\x00-\x1F\x7F][^\x00-\x1F\x7F]*$`,
}

const year = '(?:19|[2-9][0-9])[0-9][0-9]'
const leapYear = '(?:(?:19|[2-9][0-9])(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[3579][26])00)'
const dayOfYear =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])'
const day = `(?:${year}-(?:${dayOfYear})|${leapYear}-02-29)`

/** date: a real day from 1900-01-01 to 9999-12-31. */
const datePattern: JsonSchema = { pattern: `^${day}$` }

/** datetime: a time of such a day, in UTC. */
const datetimePattern: JsonSchema = {
  pattern: `^${day}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$`,
}

/** Decimal syntax with at most `whole` and `decimals` digits; trailing zeros of the fraction do not count. */
const decimalPattern = ({ whole, decimals, floor }: DecimalSize): JsonSchema => {
  const unsigned = String.raw`(?:0|[1-9][0-9]{0,${whole - 1}})(?:\.[0-9]{1,${decimals}}0*)?`
  return { pattern: floor === 0 ? String.raw`^(?:-0(?:\.0+)?|${unsigned})$` : `^-?${unsigned}$` }
}

const local = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
/** ASCII letters and digits, and all characters beyond ASCII. */
const inLabel = '[^\\x00-/:-@\\[-`{-\\x7F]'
const orHyphen = '[^\\x00-,./:-@\\[-`{-\\x7F]'
const label = `${inLabel}(?:${orHyphen}{0,61}${inLabel})?`
/** ASCII letters, and all characters beyond ASCII. */
const letter = '[^\\x00-@\\[-`{-\\x7F]'
/** It has two characters, and is no number. */
const lastLabel = `(?:${letter}${orHyphen}{0,61}${inLabel}|[0-9]+(?:${letter}|[^0-9\\x00-,./:-@\\[-\`{-\\x7F]${orHyphen}{0,60}${inLabel}))`

/**
 * email: see docs/reference/types.md. The pattern takes every character beyond ASCII for a letter or digit. Only the service counts
 * the characters of the part before the sign, and of a last label that begins with a digit.
 */
const emailPattern: JsonSchema = {
  pattern: String.raw`^${local}(?:\.${local})*@(?:${label}\.)+${lastLabel}$`,
}

const maxDecimalText = 64

const text = (codec: Text): JsonSchema => ({
  type: 'string',
  // Counted in code points, as in the codec. JSON Schema cannot express the limit of 64 KiB in UTF-8.
  maxLength: codec.max,
  ...(codec instanceof Key ? keyPattern : codec.mayBeBlank ? textPattern : termPattern),
})

const descriptions: Readonly<Record<string, string>> = {
  MaskedText: 'Free text. All but the last four digits of card numbers are replaced.',
  DocumentPath: 'A document path, relative to and inside the document root of the supplier.',
  Phone: 'A telephone number: national, or with + and the country code.',
}

const textSchema = (codec: Text): JsonSchema => {
  if (codec instanceof Code)
    return {
      ...text(codec),
      description: `Open list ${codec.listName}; the operator may close it for a supplier.`,
    }
  if (codec._tag === 'Email') return { ...text(codec), ...emailPattern }
  const description = descriptions[codec._tag]
  return description === undefined ? text(codec) : { ...text(codec), description }
}

const decimalText = (size: DecimalSize): JsonSchema => ({
  type: 'string',
  maxLength: maxDecimalText,
  ...decimalPattern(size),
})

const decimal = (size: DecimalSize): JsonSchema => ({
  anyOf: [
    {
      type: 'number',
      exclusiveMaximum: 10 ** size.whole,
      ...(size.floor === 0 ? { minimum: 0 } : { exclusiveMinimum: -(10 ** size.whole) }),
    },
    decimalText(size),
  ],
  description: `At most ${size.whole} whole digits and ${size.decimals} decimals; a JSON number has at most 15 digits.`,
})

/** Codecs whose schema depends on nothing but their tag. */
const byTag: Readonly<Record<string, (codec: Reader<unknown>) => JsonSchema>> = {
  Boolean: () => ({ type: 'boolean' }),
  Date: () => ({ type: 'string', ...datePattern, description: 'A real day, YYYY-MM-DD.' }),
  Datetime: () => ({
    type: 'string',
    ...datetimePattern,
    description: 'UTC, YYYY-MM-DDTHH:MM:SSZ.',
  }),
  Decimal: (codec) => decimal(sizeOf(codec)),
  DecimalText: (codec) => decimalText(sizeOf(codec)),
  FreeObject: () => ({ type: 'object', additionalProperties: true, description: 'Any JSON.' }),
}

const sizeOf = (codec: Reader<unknown>): DecimalSize =>
  (codec as Reader<unknown> & { size: DecimalSize }).size

/** The schema of a value without parts, undefined for any other codec. */
export const scalarSchema = (codec: Reader<unknown>): JsonSchema | undefined => {
  if (codec instanceof Choice) return { type: 'string', enum: codec.members }
  if (codec instanceof Integer) return { type: 'integer', minimum: codec.min, maximum: codec.max }
  return codec instanceof Text ? textSchema(codec) : byTag[codec._tag]?.(codec)
}

/** The properties of io-ts types from which schemas of answers are made. */
type Node = Readonly<{
  name: string
  _tag?: string
  keys?: Readonly<Record<string, unknown>>
  types?: readonly Node[]
  type?: Node
  props?: Readonly<Record<string, Node>>
}>

const properties = (props: Readonly<Record<string, Node>> = {}): JsonSchema =>
  withMeanings(Object.fromEntries(Object.entries(props).map(([name, type]) => [name, typeSchema(type)])))

const object = (props: Readonly<Record<string, Node>> = {}): JsonSchema => ({
  type: 'object',
  properties: properties(props),
  ...(Object.keys(props).length > 0 && { required: Object.keys(props) }),
})

const together = (schemas: readonly JsonSchema[]): JsonSchema => ({
  type: 'object',
  properties: Object.assign({}, ...schemas.map(({ properties: each }) => each)) as JsonSchema,
  required: schemas.flatMap(({ required = [] }) => required as readonly string[]),
})

const schemas: Readonly<Record<string, (type: Node) => JsonSchema>> = {
  StringType: () => ({ type: 'string' }),
  // Numbers of answers are counts, places and statuses, except those that repeat a number of the request, which may be a text too.
  NumberType: () => ({ type: 'integer' }),
  BooleanType: () => ({ type: 'boolean' }),
  NullType: () => ({ type: 'null' }),
  AnyDictionaryType: () => ({ type: 'object', additionalProperties: true }),
  KeyofType: ({ keys = {} }) => ({ type: 'string', enum: Object.keys(keys) }),
  ReadonlyArrayType: ({ type }) => ({ type: 'array', items: type === undefined ? {} : typeSchema(type) }),
  // A named schema is among the components of the document.
  ReadonlyType: ({ name }) => ({ $ref: `#/components/schemas/${name}` }),
  UnionType: ({ types = [] }) => {
    const isRepeated = types.some(({ _tag }) => _tag === 'StringType')
    const memberOf = (type: Node): JsonSchema =>
      isRepeated && type._tag === 'NumberType' ? { type: 'number' } : typeSchema(type)
    return { anyOf: types.map(memberOf) }
  },
  InterfaceType: ({ props }) => object(props),
  PartialType: ({ props }) => ({ type: 'object', properties: properties(props) }),
  IntersectionType: ({ types = [] }) => together(types.map(typeSchema)),
}

/** The JSON Schema of the body of an answer, read from its io-ts type. Throws for a type without a schema. */
export const typeSchema = (type: Node): JsonSchema => {
  const schema = schemas[type._tag ?? '']?.(type)
  if (schema === undefined) throw new Error(`No JSON Schema for the type ${type.name}`)
  return schema
}

/** Rules over one field that JSON Schema can express, without those that only warn. */
const constraints: Partial<Record<ErrorCode, JsonSchema>> = {
  contractual_max_power_needs_six_values: { minItems: 6, maxItems: 6 },
}

/** The schema of a field: its meaning, then the form of its values, and an example. */
const fieldSchema = (struct: Struct<Fields>, name: string, schema: JsonSchema): JsonSchema => {
  const { text, example } = meaningOf(struct, name)
  const { description: form } = schema
  const description = typeof form === 'string' ? `${text} ${form}` : text
  return { ...schema, description, ...(example !== undefined && { examples: [example] }) }
}

const structSchema = (struct: Struct<Fields>, definitions: Definitions): JsonSchema => {
  const fields = Object.entries(struct.fields)
  const required = fields.filter(([, { isRequired }]) => isRequired).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, { codec }]) => [name, fieldSchema(struct, name, codecSchema(codec, definitions))]),
    ),
    ...(required.length > 0 && { required }),
    // Unknown fields are accepted, dropped and reported as a warning.
    additionalProperties: true,
  }
}

const referTo = (struct: Struct<Fields>, definitions: Definitions): JsonSchema => {
  const name = definitionName(struct.name)
  if (!definitions.byName.has(name)) {
    // Reserves the name first, so that definitions are in the order in which the codec refers to them.
    definitions.byName.set(name, {})
    definitions.byName.set(name, structSchema(struct, definitions))
  }
  return definitions.refTo(name)
}

/** The schema of the values that a codec accepts; adds objects to the definitions. Throws for a codec without a schema. */
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

/** A complete JSON Schema of draft 2020-12 for a codec. */
const standalone = (codec: Reader<unknown>): JsonSchema => {
  const byName = new Map<string, JsonSchema>()
  const root = codecSchema(codec, { byName, refTo: (name) => ({ $ref: `#/$defs/${name}` }) })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: codec.name,
    ...root,
    $defs: Object.fromEntries(byName),
  }
}

/**
 * The account payload as a JSON Schema of draft 2020-12, derived from the codecs. It constrains each field alone, as strictly as
 * JSON Schema can express. Only the service validates the limit of 64 KiB of UTF-8, lone surrogates, digits of JSON numbers,
 * telephone numbers, document paths, and rules over several fields.
 */
export const accountPayloadSchema: JsonSchema = standalone(accountPayload)
