import type { Code } from '../code.js'
import type { DecimalCodec } from '../decimal.js'
import type { Findings } from '../findings.js'
import type { Integer } from '../integer.js'
import { inheritsNothing } from '../json-object.js'
import { childOf, holds, isMember, readSilently, sizeOf } from './by-part.js'
import { isPlainAddress, isPlainCode, isPlainNumber } from './by-settings.js'
import { isShortList } from './holders.js'
import type { Part } from './part.js'
import { isPlainDate, isPlainDatetime } from './plain-date.js'
import { isPlainDecimal } from './plain-decimal.js'
import { isPlainObject } from './plain-object.js'
import { isPlainPath } from './plain-path.js'
import { isPlainKey, isPlainTerm, isPlainText } from './plain-text.js'
import { readingFor, type Reading } from './reading.js'

type JsonObject = Readonly<Record<string, unknown>>

/** Says of a value whether the codec of the part surely accepts it as it is; `reading` takes what codecs find. */
export type Acceptor = (value: unknown, part: Part, reading: Reading) => boolean

/**
 * Whether the codec of the part reads the value as it is and finds nothing in it. If not, or if that would take
 * longer to tell, the value has to be read by the codec, with findings that are new.
 *
 * Makes no locations, and calls no codec for what is plain. What is not is left to the codec. `acceptor`: code
 * that was made for this codec; without it the parts are walked.
 */
export const readsQuickly = (
  part: Part,
  value: unknown,
  findings: Findings,
  acceptor: Acceptor = walk,
): boolean => {
  // What all objects have been given would look as if it were sent.
  for (const _ in Object.prototype) return false
  return acceptor(value, part, readingFor(findings))
}

const walk: Acceptor = (value, part, reading) => accepts(part, value, reading)

const accepts = (part: Part, value: unknown, reading: Reading): boolean =>
  part.isScalar
    ? isPlain(part, value, reading) || readSilently(part, value, reading)
    : acceptsHolder(part, value, reading)

const acceptsHolder = (part: Part, value: unknown, reading: Reading): boolean => {
  if (part.way === 'struct') return acceptsFields(part, value, reading)
  if (part.way === 'list') return acceptsItems(childOf(part, 0), value, reading)
  return accepts(childOf(part, 0), value, reading) && holds(part, value)
}

/** Whether a value without parts is surely accepted without a word. */
const isPlain = (part: Part, value: unknown, reading: Reading): boolean => {
  switch (part.way) {
    case 'code':
      return isPlainCode(value, part.max, (part.codec as Code).listName, reading)
    case 'decimal':
      return typeof value === 'number'
        ? (part.codec as DecimalCodec).fits(value)
        : isPlainDecimal(value, sizeOf(part))
    case 'date':
      return isPlainDate(value)
    case 'text':
      return isPlainText(value, part.max)
    case 'term':
      return isPlainTerm(value, part.max)
    case 'key':
      return isPlainKey(value, part.max)
    case 'choice':
      return isMember(part, value)
    case 'integer':
      return (part.codec as Integer).has(value)
    case 'datetime':
      return isPlainDatetime(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'decimal text':
      return isPlainDecimal(value, sizeOf(part))
    case 'email':
      return isPlainAddress(value, reading)
    case 'free object':
      return isPlainObject(value)
    case 'document path':
      return isPlainPath(value, part.max)
    case 'phone':
      return isPlainNumber(value, part, reading)
    default:
      return false
  }
}

const acceptsFields = (part: Part, value: unknown, reading: Reading): boolean => {
  if (typeof value !== 'object' || value === null || !inheritsNothing(value)) return false
  const { names, parts, isRequired } = part
  let next = 0
  for (const name in value) {
    const sent = (value as JsonObject)[name]
    while (next < names.length && names[next] !== name) {
      if (isRequired[next] === true) return false
      next++
    }
    if (next === names.length) return false
    if (!accepts(parts[next] as Part, sent, reading)) return false
    next++
  }
  for (; next < names.length; next++) if (isRequired[next] === true) return false
  return true
}

const acceptsItems = (item: Part, value: unknown, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  for (let index = 0; index < value.length; index++) if (!accepts(item, value[index], reading)) return false
  return true
}
