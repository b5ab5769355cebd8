import { builtInSettings, type LocalDate } from '@account-import/core'
import { checkAccountPayload, type CheckContext } from '@account-import/core/adapter-kit'

/** A way to validate an account that was parsed. */
export type Validator = Readonly<{ name: string; validate(payload: unknown): unknown }>

const context: CheckContext = {
  settings: builtInSettings,
  defaultCountry: 'ES',
  today: '2025-09-01' as LocalDate,
}

/** Validation as the service does it, with the settings of a new supplier. */
export const ours: Validator = {
  name: 'validation',
  validate: (payload) => checkAccountPayload(payload, context),
}
