import { builtInSettings, type FieldError, type LocalDate, type RuleSettings } from '@account-import/core'
import { checkAccountPayload, E } from '@account-import/core/adapter-kit'

/** The day on which the cases are validated. */
export const today = '2025-09-01'

/** Entries as `attr code`, in their order. */
export type Validated = Readonly<{ errors: readonly string[]; warnings: readonly string[] }>

const inShort = ({ attr, code }: FieldError): string => `${attr} ${code}`

/** What validation finds in a payload on a day. */
export const validatePayload = (
  payload: unknown,
  settings: Partial<RuleSettings> = {},
  day = today,
): Validated => {
  const checked = checkAccountPayload(payload, {
    settings: { ...builtInSettings, ...settings },
    defaultCountry: 'ES',
    today: day as LocalDate,
  })
  return {
    errors: E.isLeft(checked) ? checked.left.errors.map(inShort) : [],
    warnings: (E.isLeft(checked) ? checked.left : checked.right).warnings.map(inShort),
  }
}

/** The same for an account with these fields; it has an unknown occupier unless they say who its customers are. */
export const validate = (fields: object, settings: Partial<RuleSettings> = {}): Validated =>
  validatePayload(
    {
      import_supplier: 'LEVANTE',
      external_account_number: 'A-1',
      ...('customers' in fields || 'unknown_occupier' in fields ? {} : { unknown_occupier: true }),
      ...fields,
    },
    settings,
  )

/**
 * One rule: payloads in which it fires, at which paths and beside which other entries; and payloads in which it does
 * not, with the entries that are there instead. Everything else in them is in order. A path or an entry that begins with
 * a dot goes on from `under`.
 */
export type RuleCases = Readonly<{
  code: string
  under?: string
  isWarning?: true
  fires: readonly (readonly [why: string, fields: object, at: string | readonly string[], others?: Entries])[]
  silent: readonly (readonly [why: string, fields: object, others?: Entries])[]
}>

type Entries = readonly string[]
