import type { ErrorCode } from '../catalogue/index.js'
import { Codec, FAILED, type Failed } from './codec.js'
import { jsonNumberCode } from './decimals.js'
import { type Findings, Location } from './findings.js'
import { MAX_ITEMS } from './list.js'
import { MAX_BYTES, text } from './scalars.js'
import { isJsonObject, isShownKey } from './struct.js'

/** As deep as JSON may nest in a request (docs/reference/api.md#what-happens-to-a-payload). */
const MAX_LEVELS = 32

const anyText = text(MAX_BYTES)

const scalarCode = (value: unknown): ErrorCode | undefined => {
  if (typeof value === 'string') return anyText.codeOf(value)
  if (typeof value === 'number') return jsonNumberCode(value)
  return typeof value === 'boolean' || value === null ? undefined : 'invalid'
}

class FreeObject extends Codec<Readonly<Record<string, unknown>>> {
  readonly _tag = 'FreeObject'

  override read(
    value: unknown,
    at: Location,
    findings: Findings,
  ): Readonly<Record<string, unknown>> | Failed {
    if (isJsonObject(value)) {
      this.readObject(value, at, findings, [])
      return value
    }
    findings.add(at, value === null ? 'null' : 'not_a_dict')
    return FAILED
  }

  /**
   * `holders`: the containers around the value. One that stands among its own holders contains itself, which ends
   * the descent.
   */
  private readAny(value: unknown, at: Location, findings: Findings, holders: unknown[]): void {
    const isList = Array.isArray(value)
    if (!isList && !isJsonObject(value)) {
      const code = scalarCode(value)
      if (code !== undefined)
        findings.add(at, code, {
          max: MAX_BYTES,
          form: 'a text, true, false, null or a number without exponent',
        })
    } else if (holders.length >= MAX_LEVELS || holders.includes(value))
      findings.add(at, 'invalid', { form: `JSON of at most ${MAX_LEVELS} levels` })
    else if (isList) this.readList(value, at, findings, holders)
    else this.readObject(value, at, findings, holders)
  }

  private readObject(
    object: Readonly<Record<string, unknown>>,
    at: Location,
    findings: Findings,
    holders: unknown[],
  ): void {
    const keys = Object.keys(object)
    if (keys.length === 0) return
    const here = new Location(at)
    holders.push(object)
    for (const key of keys) {
      if (object[key] === undefined) continue
      here.key = isShownKey(key) ? key : undefined
      this.readAny(object[key], here, findings, holders)
    }
    holders.pop()
  }

  private readList(items: readonly unknown[], at: Location, findings: Findings, holders: unknown[]): void {
    if (items.length > MAX_ITEMS) {
      findings.add(at, 'max_length', { max: MAX_ITEMS })
      return
    }
    if (items.length === 0) return
    const here = new Location(at)
    holders.push(items)
    for (let index = 0; index < items.length; index++) {
      here.key = index
      here.rank = index
      this.readAny(items[index], here, findings, holders)
    }
    holders.pop()
  }
}

/**
 * free object: any content, null too, kept as it is. Codes: `null`, `not_a_dict`; inside, at the
 * inner path, those of text(65536) and of JSON numbers, and `max_length` at a list of over 10 000 items. Content that no
 * JSON can hold (functions, cycles, more than 32 levels) is `invalid`.
 */
export const freeObject = new FreeObject('free object')
