import {
  builtInSettings,
  type AccountPayload,
  type FieldError,
  type LocalDate,
  type RuleSettings,
} from '@account-import/core'
import { E } from '@account-import/core/fp'
import { accountPayload, type CheckContext, type Codec, type Reader } from '@account-import/core/payloads'
import { check, required, struct } from '@account-import/core/testing'

/** Accounts of tests have no supply point unless their subject is one, so the rule about that is off. */
export const contextWith = (settings: Partial<RuleSettings> = {}, defaultCountry = 'ES'): CheckContext => ({
  settings: {
    ...builtInSettings,
    ...settings,
    severities: { account_without_supply_points: 'off', ...settings.severities },
  },
  defaultCountry,
  today: '2025-09-01' as LocalDate,
})

/** The findings of a check: entries as `attr code`, in their order, and the value if there was no error. */
export type Found<A> = Readonly<{
  errors: readonly string[]
  warnings: readonly string[]
  details: readonly FieldError[]
  value: A | undefined
}>

const inShort = ({ attr, code }: FieldError): string => `${attr} ${code}`

export const find = <A>(codec: Codec<A>, payload: unknown, context = contextWith()): Found<A> => {
  const checked = check(codec, payload, context)
  const value = E.isRight(checked) ? checked.right.value : undefined
  const errors = E.isLeft(checked) ? checked.left.errors : []
  const warnings = E.isLeft(checked) ? checked.left.warnings : checked.right.warnings
  return {
    errors: errors.map(inShort),
    warnings: warnings.map(inShort),
    details: [...errors, ...warnings],
    value,
  }
}

/** The codes that a codec reports for one value, errors first. */
export const codesOf = (
  codec: Reader<unknown>,
  value: unknown,
  context = contextWith(),
): readonly string[] => {
  const { errors, warnings } = find(struct('holder', { it: required(codec) }), { it: value }, context)
  return [...errors, ...warnings].map((entry) => entry.replace(/^it /, ''))
}

/** The least that is accepted, with further fields. */
export const accountWith = (fields: object): object => ({
  import_supplier: 'LEVANTE',
  external_account_number: 'A-1',
  ...fields,
})

export const findInAccount = (fields: object, settings: Partial<RuleSettings> = {}): Found<AccountPayload> =>
  find(accountPayload, accountWith(fields), contextWith(settings))
