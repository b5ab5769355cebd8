import {
  Choice,
  Code,
  Integer,
  Key,
  Text,
  type DecimalSize,
  type Reader,
} from '@account-import/core/adapter-kit'
import type { JsonSchema } from './json-schema.js'
import {
  datePattern,
  datetimePattern,
  decimalPattern,
  emailPattern,
  keyPattern,
  termPattern,
  textPattern,
} from './patterns.js'

/** The longest decimal text, in characters. */
const maxDecimalText = 64

const text = (codec: Text): JsonSchema => ({
  type: 'string',
  // Counted in code points, as here; that no text may exceed 64 KiB in UTF-8 cannot be said.
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
  ...decimalText(size),
  type: ['number', 'string'],
  exclusiveMaximum: 10 ** size.whole,
  ...(size.floor === 0 ? { minimum: 0 } : { exclusiveMinimum: -(10 ** size.whole) }),
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
