// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainTerm, isPlainText } from '../../codec/quick/plain-text.js'
import { childOf, holds, readSilently } from '../../codec/quick/by-part.js'
import { isPlainCode } from '../../codec/quick/by-settings.js'
import { isPlainInteger } from '../../codec/quick/plain-integer.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'

const areContractualMaxPower = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!(isPlainInteger(item, 0, 999999999) || readSilently(each, item, reading))) return false
  }
  return true
}

const names = ['tariff_code', 'effective_from', 'effective_to', 'cnae', 'contractual_max_power', 'annual_consumption', 'estimated_monthly_fee_in_cents', 'social_bonus_identifier', 'atr_type'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole agreement, with fields in table order and none unknown. */
export const isAgreement = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 2) return false
  const { tariff_code, effective_from, effective_to, cnae, contractual_max_power, annual_consumption, estimated_monthly_fee_in_cents, social_bonus_identifier, atr_type } = object as Sent
  return (
    count === 2 + (effective_to === undefined ? 0 : 1) + (cnae === undefined ? 0 : 1) + (contractual_max_power === undefined ? 0 : 1) + (annual_consumption === undefined ? 0 : 1) + (estimated_monthly_fee_in_cents === undefined ? 0 : 1) + (social_bonus_identifier === undefined ? 0 : 1) + (atr_type === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (isPlainCode(tariff_code, 255, 'tariff_code', reading) || readSilently(childOf(part, 0), tariff_code, reading)) &&
    (isPlainDate(effective_from) || readSilently(childOf(part, 1), effective_from, reading)) &&
    (effective_to === undefined || (isPlainDate(effective_to) || readSilently(childOf(part, 2), effective_to, reading))) &&
    (cnae === undefined || (isPlainTerm(cnae, 16) || readSilently(childOf(part, 3), cnae, reading))) &&
    (contractual_max_power === undefined || (areContractualMaxPower(contractual_max_power, childOf(childOf(part, 4), 0), reading) && holds(childOf(part, 4), contractual_max_power))) &&
    (annual_consumption === undefined || ((isPlainTerm(annual_consumption, 32) || readSilently(childOf(childOf(part, 5), 0), annual_consumption, reading)) && holds(childOf(part, 5), annual_consumption))) &&
    (estimated_monthly_fee_in_cents === undefined || (isPlainInteger(estimated_monthly_fee_in_cents, 0, 9999999999) || readSilently(childOf(part, 6), estimated_monthly_fee_in_cents, reading))) &&
    (social_bonus_identifier === undefined || (isPlainText(social_bonus_identifier, 255) || readSilently(childOf(part, 7), social_bonus_identifier, reading))) &&
    (atr_type === undefined || (isPlainCode(atr_type, 64, 'atr_type', reading) || readSilently(childOf(part, 8), atr_type, reading)))
  )
}
