import type { SupplyType } from '../../../payloads/supply-type.js'
import { plainForm } from './plain-form.js'

/** `R1` to `R9` as ('R', 1, 9). */
const numbered = (prefix: string, first: number, last: number, digits = 1): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => prefix + String(first + index).padStart(digits, '0'))

const words = (text: string): readonly string[] => text.split(' ')

/** Access tariffs by supply type: today's names, the codes in the industry's files, and earlier names. */
const known: Readonly<Record<SupplyType, ReadonlySet<string>>> = {
  ELECTRICITY: new Set([
    ...words('2.0TD 3.0TD 6.1TD 6.2TD 6.3TD 6.4TD 3.0TDVE 6.1TDVE 6.2TDVE'),
    ...numbered('0', 1, 29, 2),
    ...words('2.0A 2.0DHA 2.0DHS 2.1A 2.1DHA 2.1DHS 3.0A 3.1A 6.1A 6.1B 6.2 6.3 6.4 6.5'),
  ]),
  GAS: new Set([
    ...numbered('RL.', 1, 11),
    ...numbered('RL', 1, 11),
    ...words('L0 L1'),
    ...numbered('R', 1, 9),
    ...numbered('S', 1, 8),
    ...numbered('A', 5, 7),
    ...numbered('B', 5, 7),
    ...numbered('1.', 1, 9),
    ...numbered('2.', 1, 9),
    ...numbered('3.', 1, 5),
  ]),
}

/** Whether there is, or was, such an access tariff for the supply type; white space and case do not count. */
export const isAtrTariff = (supplyType: SupplyType, text: string): boolean =>
  known[supplyType].has(text) || known[supplyType].has(plainForm(text, /\s+/g))

/** What a tariff requires of the contracted power in each period: a limit, or no less than in the one before. */
export type PowerCondition = 'limited' | 'ascending'

const conditions: ReadonlyMap<string, PowerCondition> = new Map([
  ...words('2.0TD 018').map((name) => [name, 'limited'] as const),
  ...words('3.0TD 6.1TD 6.2TD 6.3TD 6.4TD').map((name) => [name, 'ascending'] as const),
  ...words('019 020 021 022 023').map((name) => [name, 'ascending'] as const),
])

/** Undefined if the tariff requires nothing of the power, or is not known. */
export const powerConditionOf = (text: string): PowerCondition | undefined =>
  conditions.get(text) ?? conditions.get(plainForm(text, /\s+/g))
