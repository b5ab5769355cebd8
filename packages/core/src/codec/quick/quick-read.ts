import type { Choice } from '../choice.js'
import type { Code } from '../code.js'
import type { DecimalCodec } from '../decimal.js'
import type { DecimalTextCodec } from '../decimal-text.js'
import type { Findings } from '../findings.js'
import type { Integer } from '../integer.js'
import { inheritsNothing } from '../json-object.js'
import { MAX_ITEMS } from '../list.js'
import { payloadLocation } from '../location.js'
import type { Refined } from '../refine.js'
import type { Part } from './part.js'
import { isPlainDate, isPlainDatetime } from './plain-date.js'
import { isPlainDecimal } from './plain-decimal.js'
import { isPlainEmail } from './plain-email.js'
import { isPlainObject } from './plain-object.js'
import { isPlainPath } from './plain-path.js'
import { isPlainKey, isPlainTerm, isPlainText } from './plain-text.js'

type JsonObject = Readonly<Record<string, unknown>>

/** What a quick reading of one payload goes by; `findings` are used up when something was found. */
type Reading = Readonly<{ findings: Findings; hasClosedLists: boolean; hasInternalDomains: boolean }>

/**
 * Whether the codec of the part reads the value as it is and finds nothing in it. If not, or if that would take
 * longer to tell, the value has to be read by the codec, with findings that are new.
 *
 * Makes no locations, and calls no codec for what is plain. What is not is left to the codec.
 */
export const readsQuickly = (part: Part, value: unknown, findings: Findings): boolean => {
  // What all objects have been given would look as if it were sent.
  for (const _ in Object.prototype) return false
  const { closedLists, internalEmailDomains } = findings.context.settings
  const reading = {
    findings,
    hasClosedLists: Object.keys(closedLists).length > 0,
    hasInternalDomains: internalEmailDomains.length > 0,
  }
  return accepts(part, value, reading)
}

const accepts = (part: Part, value: unknown, reading: Reading): boolean =>
  part.isScalar
    ? isPlain(part, value, reading) || readSilently(part, value, reading)
    : acceptsHolder(part, value, reading)

const acceptsHolder = (part: Part, value: unknown, reading: Reading): boolean => {
  if (part.way === 'struct') return acceptsFields(part, value, reading)
  if (part.way === 'list') return acceptsItems(part.parts[0] as Part, value, reading)
  return accepts(part.parts[0] as Part, value, reading) && (part.codec as Refined<unknown>).holds(value)
}

const anywhere = payloadLocation()

const readSilently = (part: Part, value: unknown, { findings }: Reading): boolean =>
  part.codec.read(value, anywhere, findings) === value && findings.isEmpty

/** Whether a value without parts is surely accepted without a word. */
const isPlain = (part: Part, value: unknown, reading: Reading): boolean => {
  switch (part.way) {
    case 'code':
      return isPlainTerm(value, part.max) && (!reading.hasClosedLists || isOpen(part.codec as Code, reading))
    case 'decimal':
      return typeof value === 'number'
        ? (part.codec as DecimalCodec).fits(value)
        : isPlainDecimal(value, (part.codec as DecimalCodec).size)
    case 'date':
      return isPlainDate(value)
    case 'text':
      return isPlainText(value, part.max)
    case 'term':
      return isPlainTerm(value, part.max)
    case 'key':
      return isPlainKey(value, part.max)
    case 'choice':
      return (part.codec as Choice<string>).has(value)
    case 'integer':
      return (part.codec as Integer).has(value)
    case 'datetime':
      return isPlainDatetime(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'decimal text':
      return isPlainDecimal(value, (part.codec as DecimalTextCodec<string>).size)
    case 'email':
      return !reading.hasInternalDomains && isPlainEmail(value)
    case 'free object':
      return isPlainObject(value)
    case 'document path':
      return isPlainPath(value, part.max)
    default:
      return false
  }
}

const isOpen = ({ listName }: Code, { findings }: Reading): boolean =>
  findings.context.settings.closedLists[listName] === undefined

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
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return false
  for (let index = 0; index < value.length; index++) if (!accepts(item, value[index], reading)) return false
  return true
}
