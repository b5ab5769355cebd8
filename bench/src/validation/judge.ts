import { builtInSettings, type LocalDate } from '@account-import/core'
import { checkAccountPayload, type CheckContext } from '@account-import/core/adapter-kit'

/** A way to judge an account that was parsed. */
export type Judge = Readonly<{ name: string; judge(payload: unknown): unknown }>

const context: CheckContext = {
  settings: builtInSettings,
  defaultCountry: 'ES',
  today: '2025-09-01' as LocalDate,
}

/** Validation as the service does it, with the settings of a new supplier. */
export const ours: Judge = { name: 'validation', judge: (payload) => checkAccountPayload(payload, context) }
