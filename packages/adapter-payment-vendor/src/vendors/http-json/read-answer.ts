import type { PaymentInstructionDetails } from '@account-import/core'
import { keepablePaymentDetails } from '@account-import/core/adapter-kit'
import { VendorFailure } from '../../guard/vendor-failure.js'
import type { AskedInstruction } from '../../payment-vendor.js'
import type { ClearAnswer } from '../../vendor-client.js'
import { expiryForm, yearMonth } from './expiry-form.js'
import type { AnswerRules, DetailPaths, FieldRule } from './field-mapping.js'
import { textAt } from './value-at.js'

const parsed = (body: string): object => {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    throw new VendorFailure('form')
  }
  if (typeof json !== 'object' || json === null) throw new VendorFailure('form')
  return json
}

const holds = (answer: object, rule: FieldRule | undefined): boolean => {
  const text = rule === undefined ? undefined : textAt(answer, rule.path)
  return text !== undefined && rule?.in.includes(text) === true
}

const isOfType = (answer: object, rule: AnswerRules['type'], type: string): boolean => {
  if (rule === undefined) return true
  const text = textAt(answer, rule.path)
  const accepted = Object.hasOwn(rule.of, type) ? rule.of[type] : undefined
  return text !== undefined && accepted?.includes(text) === true
}

const expiryOf = (at: (name: keyof DetailPaths) => string | undefined): string | undefined => {
  const whole = at('expiry')
  return whole === undefined
    ? yearMonth(at('expiry_year') ?? '', at('expiry_month') ?? '')
    : expiryForm(whole)
}

const detailsOf = (answer: object, paths: DetailPaths): PaymentInstructionDetails => {
  const at = (name: keyof DetailPaths): string | undefined => {
    const path = paths[name]
    return path === undefined ? undefined : textAt(answer, path)
  }
  return keepablePaymentDetails({
    brand: at('brand'),
    last4: at('last4'),
    expiry: expiryOf(at),
    method: at('method'),
    country: at('country'),
    customerId: at('customer_id'),
    mandateId: at('mandate_id'),
    status: at('status'),
  })
}

/** What an answer with the status 200 says. Throws a `VendorFailure` for one that is not about what was asked. */
export const readAnswer = (body: string, rules: AnswerRules, asked: AskedInstruction): ClearAnswer => {
  const answer = parsed(body)
  if (holds(answer, rules.not_found)) return { _tag: 'not_found' }
  if (rules.reference !== undefined && textAt(answer, rules.reference) !== asked.reference)
    throw new VendorFailure('form')
  if (!holds(answer, rules.usable) || !isOfType(answer, rules.type, asked.type)) return { _tag: 'not_usable' }
  return { _tag: 'verified', details: detailsOf(answer, rules.details ?? {}) }
}
