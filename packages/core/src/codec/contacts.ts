import type { ErrorCode } from '../catalogue/index.js'
import { isEmail, phoneNumberKind } from '../values/contacts.js'
import { FAILED, type Failed } from './codec.js'
import type { Findings, Location } from './findings.js'
import { Text } from './scalars.js'

const isTestEmail = (email: string): boolean => {
  const lower = email.toLowerCase()
  return (
    lower.startsWith('test@') ||
    lower.startsWith('xxx@') ||
    lower.endsWith('@test.com') ||
    lower.endsWith('@test.co.uk') ||
    testDomains.has(lower.slice(lower.lastIndexOf('.')))
  )
}

/** Whether the domain of the address is one of the domains or below one; `domains` are in lower case. */
const isInDomains = (email: string, domains: ReadonlySet<string>): boolean => {
  let domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  for (;;) {
    if (domains.has(domain)) return true
    const dot = domain.indexOf('.')
    if (dot < 0) return false
    domain = domain.slice(dot + 1)
  }
}

const testDomains: ReadonlySet<string> = new Set(['.xxx', '.xx', '.test', '.invalid', '.localhost'])

/** A cache of internal domains as sets in lower case; an entry ends with its settings. */
const domainSets = new WeakMap<readonly string[], ReadonlySet<string>>()

const domainSet = (domains: readonly string[]): ReadonlySet<string> => {
  const known = domainSets.get(domains)
  if (known !== undefined) return known
  const set = new Set(domains.map((domain) => domain.toLowerCase()))
  domainSets.set(domains, set)
  return set
}

class Email extends Text {
  override readonly _tag = 'Email'
  override readonly form = 'an e-mail address such as name@example.com'

  override codeOf(value: unknown): ErrorCode | undefined {
    return super.codeOf(value) ?? (isEmail(value as string) ? undefined : 'invalid')
  }

  override read(value: unknown, at: Location, findings: Findings): string | Failed {
    const read = super.read(value, at, findings)
    if (read === FAILED) return FAILED
    const { internalEmailDomains } = findings.context.settings
    if (isTestEmail(read)) findings.add(at, 'possible_test_email_address')
    if (internalEmailDomains.length > 0 && isInDomains(read, domainSet(internalEmailDomains)))
      findings.add(at, 'internal_email_address')
    return read
  }
}

/**
 * email: term(254) in the form of `isEmail`. Codes: as term, then `invalid`; also `possible_test_email_address` and
 * `internal_email_address`, with the severities in force.
 */
export const email = new Email('email', 254, false)

class Phone extends Text {
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
 * phone: term(32), validated by `phoneNumberKind`. Codes: as term, then `invalid_phone_number`; also `doubtful_phone_number`,
 * with the severity in force, for a doubtful number and for a `mobile` that is no mobile number.
 */
export const phone = (kind: 'mobile' | 'landline'): Phone => new Phone(kind)
