import { accountRuleCodes } from './account-rule-codes.js'
import { documentCheckCodes } from './document-check-codes.js'
import type { CatalogueEntry } from './entry.js'
import { environmentCodes } from './environment-codes.js'
import { fixedRuleCodes } from './fixed-rule-codes.js'
import { formatRuleCodes } from './format-rule-codes.js'
import { genericCodes } from './generic-codes.js'
import { moneyRuleCodes } from './money-rule-codes.js'
import { marketCodes } from '../rules/markets/codes.js'
import { transportCodes } from './transport-codes.js'

export type { CatalogueEntry, CodeClass, CodePlace } from './entry.js'

const entries = {
  ...genericCodes,
  ...fixedRuleCodes,
  ...accountRuleCodes,
  ...moneyRuleCodes,
  ...marketCodes,
  ...formatRuleCodes,
  ...documentCheckCodes,
  ...environmentCodes,
  ...transportCodes,
}

/** Every code that the service answers with; stable over time, only the texts may change. */
export type ErrorCode = keyof typeof entries

/** The published catalogue of codes, in the order of section 10. */
export const catalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = entries

/** What fills the placeholders of a text: a limit of the rule itself, never a value of the payload. */
export type Limits = Readonly<{ max?: number | string; min?: number | string; allowed?: string }>

/** The text of a code. A placeholder for which no limit is given stays as it is. */
export const detailOf = (code: ErrorCode, limits: Limits = {}): string =>
  catalogue[code].detail.replace(/\{(max|min|allowed)\}/g, (placeholder, name: keyof Limits) =>
    String(limits[name] ?? placeholder),
  )

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(catalogue, text)

/** Whether a supplier's settings may choose the severity of the code. */
export const isChangeable = (code: ErrorCode): boolean => catalogue[code].changeable
