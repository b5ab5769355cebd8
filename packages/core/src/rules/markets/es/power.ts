import type { TypeOf } from 'io-ts'
import { FAILED, type Failed } from '../../../codec/codec.js'
import type { agreement, reading } from '../../../payloads/supply.js'
import { below, isRead, itemsOf, type KeyPath, type Readable, type RuleFindings } from '../../rule.js'
import { atrTariffInForce, type SupplyPoint, type TariffOf } from './access-tariff-rules.js'
import type { EsCode } from './codes.js'

type Agreement = Readable<TypeOf<typeof agreement>>
type Reading = Readable<TypeOf<typeof reading>>

/** Nobody has less power by contract, in watts; less than this are kilowatts. */
const fewestWatts = 100

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

/** The rules over the contracted power of an electricity agreement, by the tariff in force at its start. */
const powerRules = (
  { effective_from, contractual_max_power }: Agreement,
  tariffOf: TariffOf,
  tariffOn: (day: string) => string | undefined,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  const power = sixValues(contractual_max_power)
  if (power === undefined) return
  if (power.some((watts) => watts > 0 && watts < fewestWatts))
    findings.add('contractual_max_power_below_100_watts', at, 'contractual_max_power')
  if (!isRead(effective_from)) return
  const condition = tariffOf('ELECTRICITY', tariffOn(effective_from) ?? '')?.power
  if (condition === 'limited' && isOverLimit(power))
    findings.add('contractual_max_power_over_tariff_limit', at, 'contractual_max_power')
  if (condition === 'ascending' && !isAscending(power))
    findings.add('contractual_max_power_not_ascending', at, 'contractual_max_power')
}

/** Wattmilliseconds in a kilowatt hour. */
const kilowattHour = 3_600_000_000

const millisecondsOfYear = 8760 * 3_600_000

/** A meter can take more than the contracted power for a time; three times as much it cannot. */
const mostOfPower = 3

/** The greatest power of an agreement by contract, in watts; 0 where the unit is doubtful or the power is not known. */
const greatestPower = (each: Agreement | Failed): number => {
  const power = each !== FAILED && sixValues(each.contractual_max_power)
  let greatest = 0
  for (const watts of power || []) if (watts > greatest) greatest = watts
  return greatest < fewestWatts ? 0 : greatest
}

/** Whether an amount of kilowatt hours is more than a power has in a time, exactly to a millionth of a kilowatt hour. */
const isOver = (kilowattHours: string, watts: number, milliseconds: number): boolean =>
  Math.round(Number(kilowattHours) * 1_000_000) > (watts * milliseconds * 1_000_000) / kilowattHour

/** The number of two digits of a text. */
const two = (text: string, at: number): number =>
  text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * 0x30

/** Whole days that are surely between two datetimes, as no month has fewer than 28: many times faster than dates. */
const leastDays = (start: string, end: string): number => {
  const years = (two(end, 0) - two(start, 0)) * 100 + two(end, 2) - two(start, 2)
  const months = years * 12 + two(end, 5) - two(start, 5)
  return months * 28 + two(end, 8) - two(start, 8) - 1
}

const isReadingOver = (
  { interval_start: start, interval_end: end, consumption_delta: kilowattHours }: Reading,
  watts: number,
): boolean => {
  if (!isRead(start) || !isRead(end) || !isRead(kilowattHours) || start >= end) return false
  const most = mostOfPower * watts
  return (
    isOver(kilowattHours, most, leastDays(start, end) * 86_400_000) &&
    isOver(kilowattHours, most, Date.parse(end) - Date.parse(start))
  )
}

/** The contracted power of an electricity supply point can reach the yearly consumption of each agreement, and each reading. */
const consumptionRules = (
  { agreements, readings }: SupplyPoint,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  let greatest = 0
  let isKnown = true
  for (const [index, each] of itemsOf(agreements).entries()) {
    const watts = greatestPower(each)
    if (watts === 0) isKnown = false
    if (watts > greatest) greatest = watts
    if (watts === 0 || each === FAILED || !isRead(each.annual_consumption)) continue
    if (isOver(each.annual_consumption, watts, millisecondsOfYear))
      findings.add(
        'consumption_over_contracted_power',
        below(below(at, 'agreements'), index),
        'annual_consumption',
      )
  }
  if (!isKnown || greatest === 0) return
  for (const [index, each] of itemsOf(readings).entries())
    if (each !== FAILED && isReadingOver(each, greatest))
      findings.add(
        'consumption_over_contracted_power',
        below(below(at, 'readings'), index),
        'consumption_delta',
      )
}

/** The rules over power and consumption of an electricity supply point. */
export const electricityRules = (
  point: SupplyPoint,
  tariffOf: TariffOf,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  const tariffOn = atrTariffInForce(point)
  for (const [index, agreement] of itemsOf(point.agreements).entries())
    if (isRead(agreement))
      powerRules(agreement, tariffOf, tariffOn, below(below(at, 'agreements'), index), findings)
  consumptionRules(point, at, findings)
}
