import { Choice } from '../choice.js'
import { Code } from '../code.js'
import { date } from '../date.js'
import { datetime } from '../datetime.js'
import { boolean } from '../boolean.js'
import { DecimalCodec } from '../decimal.js'
import { DecimalTextCodec } from '../decimal-text.js'
import { documentPath } from '../document-path.js'
import { email } from '../email.js'
import type { Fields } from '../field.js'
import { freeObject } from '../free-object.js'
import { Integer } from '../integer.js'
import { Key } from '../key.js'
import { List } from '../list.js'
import { Phone } from '../phone.js'
import type { Reader } from '../reader.js'
import { Refined } from '../refine.js'
import { Struct } from '../struct.js'
import { Text } from '../text.js'
import type { Part, Way } from './part.js'
import { SURELY_FITS } from './plain-text.js'

/** Parts by their codecs; most codecs are made once, when the program starts. */
const known = new WeakMap<Reader<unknown>, Part>()

/** What `readsQuickly` works by for a codec. A codec that is not known here is read by its own `read`. */
export const partOf = (codec: Reader<unknown>): Part => {
  const part = known.get(codec)
  if (part !== undefined) return part
  const made = newPart(codec)
  known.set(codec, made)
  return made
}

/** By the very class: what a class below it reads differently is not known here. */
const newPart = (codec: Reader<unknown>): Part => {
  const { constructor } = codec
  if (constructor === Struct) return structPart(codec as Struct<Fields>)
  if (constructor === List) return partWith('list', codec, [partOf((codec as List<unknown>).item)])
  if (constructor === Refined) return partWith('refined', codec, [partOf((codec as Refined<unknown>).base)])
  return partWith(wayOf(codec), codec, [])
}

const structPart = (codec: Struct<Fields>): Part => {
  const fields = Object.values(codec.fields)
  return {
    way: 'struct',
    isScalar: false,
    codec,
    max: 0,
    names: Object.keys(codec.fields),
    isRequired: fields.map(({ isRequired }) => isRequired),
    parts: fields.map((field) => partOf(field.codec)),
  }
}

const partWith = (way: Way, codec: Reader<unknown>, parts: readonly Part[]): Part => ({
  way,
  isScalar: parts.length === 0,
  codec,
  max: codec instanceof Text ? Math.min(codec.max, SURELY_FITS) : 0,
  names: [],
  isRequired: [],
  parts,
})

/** Codecs that there is one of. */
const waysOfSingletons = new Map<Reader<unknown>, Way>([
  [boolean, 'boolean'],
  [date, 'date'],
  [datetime, 'datetime'],
  [documentPath, 'document path'],
  [email, 'email'],
  [freeObject, 'free object'],
])

const waysOfClasses = new Map<unknown, Way>([
  [Code, 'code'],
  [Key, 'key'],
  [Choice, 'choice'],
  [Integer, 'integer'],
  [DecimalCodec, 'decimal'],
  [DecimalTextCodec, 'decimal text'],
  [Phone, 'phone'],
])

const wayOf = (codec: Reader<unknown>): Way => {
  if (codec.constructor === Text) return (codec as Text).mayBeBlank ? 'text' : 'term'
  return waysOfClasses.get(codec.constructor) ?? waysOfSingletons.get(codec) ?? 'slow'
}
