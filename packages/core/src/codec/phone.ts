import { phoneNumberKind } from '../values/phone-number.js'
import { FAILED, type Failed } from './failed.js'
import type { Findings } from './findings.js'
import type { Location } from './location.js'
import { Text } from './text.js'

export class Phone extends Text {
  override readonly _tag = 'Phone'
  override readonly form = 'a phone number in quotes such as "+34 960 00 01 23"'
  readonly kind: 'mobile' | 'landline'

  constructor(kind: 'mobile' | 'landline') {
    super(`phone (${kind})`, 32, false)
    this.kind = kind
  }

  override read(value: unknown, at: Location, findings: Findings): string | Failed {
    const read = super.read(value, at, findings)
    if (read === FAILED) return FAILED
    const found = phoneNumberKind(read, findings.context.defaultCountry)
    if (found === 'impossible') {
      findings.add(at, 'invalid_phone_number')
      return FAILED
    }
    if (found === 'doubtful' || (found === 'other' && this.kind === 'mobile'))
      findings.add(at, 'doubtful_phone_number')
    return read
  }
}

/**
 * phone: term(32), validated by `phoneNumberKind`. Codes: as term, then `invalid_phone_number`; besides these
 * `doubtful_phone_number`, with the severity in force, also for a mobile number that cannot be one.
 */
export const phone = (kind: 'mobile' | 'landline'): Phone => new Phone(kind)
