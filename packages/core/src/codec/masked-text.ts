import { maskCardNumbers } from '../values/card-number.js'
import { FAILED, type Failed } from './failed.js'
import type { Findings } from './findings.js'
import type { Location } from './location.js'
import { Text } from './text.js'

class MaskedText extends Text {
  override readonly _tag = 'MaskedText'

  override read(value: unknown, at: Location, findings: Findings): string | Failed {
    const read = super.read(value, at, findings)
    if (read === FAILED) return FAILED
    const masked = maskCardNumbers(read)
    if (masked === read) return read
    findings.add(at, 'card_number_masked')
    // A masked digit takes more bytes than the digit did.
    return super.read(masked, at, findings)
  }
}

/**
 * masked text(n): text(n) that is read with all but the last four digits of each card number as `•`. Codes: as text;
 * besides these `card_number_masked`.
 */
export const maskedText = (max: number): Text => new MaskedText(`masked text(${max})`, max, true)
