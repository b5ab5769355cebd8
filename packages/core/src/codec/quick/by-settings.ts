import type { OpenList } from '../open-lists.js'
import type { Phone } from '../phone.js'
import type { Part } from './part.js'
import { isPlainEmail } from './plain-email.js'
import { isPlainPhone } from './plain-phone.js'
import { isPlainTerm } from './plain-text.js'
import type { Reading } from './reading.js'

/** Whether a value surely is a code of a list that the supplier's settings leave open. */
export const isPlainCode = (value: unknown, max: number, listName: OpenList, reading: Reading): boolean =>
  isPlainTerm(value, max) &&
  (!reading.hasClosedLists || reading.findings.context.settings.closedLists[listName] === undefined)

/** Whether a value surely is an e-mail address that nothing is said of. */
export const isPlainAddress = (value: unknown, { hasInternalDomains }: Reading): boolean =>
  !hasInternalDomains && isPlainEmail(value)

/** Whether a value surely is a phone number of the kind of the part. */
export const isPlainNumber = (value: unknown, part: Part, { findings }: Reading): boolean =>
  isPlainPhone(value, part.codec as Phone, findings.context)
