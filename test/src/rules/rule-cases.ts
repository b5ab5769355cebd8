import { addressCases } from './address-cases.js'
import { agreementCases } from './agreement-cases.js'
import { amountCases } from './amount-cases.js'
import { balanceCases } from './balance-cases.js'
import { dateCases } from './date-cases.js'
import { duplicateCases } from './duplicate-cases.js'
import { intervalCases } from './interval-cases.js'
import { noteCases } from './note-cases.js'
import { presenceCases } from './presence-cases.js'
import type { RuleCases } from './support.js'

/** The cases of all rules over several fields. */
export const ruleCases: readonly RuleCases[] = [
  ...addressCases,
  ...agreementCases,
  ...amountCases,
  ...balanceCases,
  ...dateCases,
  ...duplicateCases,
  ...intervalCases,
  ...noteCases,
  ...presenceCases,
]
