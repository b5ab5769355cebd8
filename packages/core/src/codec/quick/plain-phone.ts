import type { CheckContext } from '../check-context.js'
import type { Phone } from '../phone.js'
import { judgePhoneNumber } from '../../values/phone-number.js'

/** ASCII digits in groups, maybe after a plus sign; such text has nothing that a text may not have. */
const form = /^\+?[0-9][- 0-9]*$/

/** Whether a value is a phone number that fits its kind, by the judgement of numbers itself. */
export const isPlainPhone = (
  value: unknown,
  { kind, max }: Phone,
  { defaultCountry }: CheckContext,
): boolean => {
  if (typeof value !== 'string' || value.length > max || !form.test(value)) return false
  const judgement = judgePhoneNumber(value, defaultCountry)
  return judgement === 'mobile' || (judgement === 'other' && kind === 'landline')
}
