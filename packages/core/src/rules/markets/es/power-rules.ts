import type { TypeOf } from 'io-ts'
import type { Failed } from '../../../codec/failed.js'
import type { agreement } from '../../../payloads/agreement.js'
import type { KeyPath } from '../../key-path.js'
import { isRead, type Readable } from '../../readable.js'
import type { RuleFindings } from '../../rule-findings.js'
import { powerConditionOf } from './atr-tariff.js'
import type { EsCode } from './codes.js'

type Agreement = Readable<TypeOf<typeof agreement>>

/** The most power in each period under the access tariff 2.0TD, in watts. */
const powerLimit = 15_000

const periods = 6

const sixValues = (power: readonly (number | Failed)[] | Failed | undefined): readonly number[] | undefined =>
  isRead(power) && power.length === periods && areRead(power) ? power : undefined

const areRead = (power: readonly (number | Failed)[]): power is readonly number[] => {
  for (const watts of power) if (!isRead(watts)) return false
  return true
}

const isOverLimit = (power: readonly number[]): boolean => {
  for (const watts of power) if (watts > powerLimit) return true
  return false
}

const isAscending = (power: readonly number[]): boolean => {
  let before = 0
  for (const watts of power) {
    if (watts < before) return false
    before = watts
  }
  return true
}

/** The rules over the contracted power of an electricity agreement, by the tariff in force when it begins. */
export const powerRules = (
  { effective_from, contractual_max_power }: Agreement,
  tariffOn: (day: string) => string | undefined,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  const power = sixValues(contractual_max_power)
  if (power === undefined || !isRead(effective_from)) return
  const condition = powerConditionOf(tariffOn(effective_from) ?? '')
  if (condition === 'limited' && isOverLimit(power))
    findings.add('contractual_max_power_over_tariff_limit', at, 'contractual_max_power')
  if (condition === 'ascending' && !isAscending(power))
    findings.add('contractual_max_power_not_ascending', at, 'contractual_max_power')
}
