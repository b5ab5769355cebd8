// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainText } from '../../codec/quick/plain-text.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { isPlainAddress, isPlainCode, isPlainNumber } from '../../codec/quick/by-settings.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'
import { isUserDetail } from './user-detail.js'

const areAccountRoles = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!(isPlainCode(item, 64, 'account_roles', reading) || readSilently(each, item, reading))) return false
  }
  return true
}

const areUserDetails = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isUserDetail(item, each, reading)) return false
  }
  return true
}

const names = ['account_roles', 'user_details', 'given_name', 'family_name', 'email', 'mobile', 'landline'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole customer, with fields in table order and none unknown. */
export const isCustomer = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 0) return false
  const { account_roles, user_details, given_name, family_name, email, mobile, landline } = object as Sent
  return (
    count === 0 + (account_roles === undefined ? 0 : 1) + (user_details === undefined ? 0 : 1) + (given_name === undefined ? 0 : 1) + (family_name === undefined ? 0 : 1) + (email === undefined ? 0 : 1) + (mobile === undefined ? 0 : 1) + (landline === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (account_roles === undefined || areAccountRoles(account_roles, childOf(part, 0), reading)) &&
    (user_details === undefined || areUserDetails(user_details, childOf(part, 1), reading)) &&
    (given_name === undefined || (isPlainText(given_name, 255) || readSilently(childOf(part, 2), given_name, reading))) &&
    (family_name === undefined || (isPlainText(family_name, 255) || readSilently(childOf(part, 3), family_name, reading))) &&
    (email === undefined || (isPlainAddress(email, reading) || readSilently(childOf(part, 4), email, reading))) &&
    (mobile === undefined || (isPlainNumber(mobile, childOf(part, 5), reading) || readSilently(childOf(part, 5), mobile, reading))) &&
    (landline === undefined || (isPlainNumber(landline, childOf(part, 6), reading) || readSilently(childOf(part, 6), landline, reading)))
  )
}
