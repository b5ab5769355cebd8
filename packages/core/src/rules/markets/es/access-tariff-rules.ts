import type { TypeOf } from 'io-ts'
import { FAILED } from '../../../codec/codec.js'
import type { supplyPoint, supplyType } from '../../../payloads/supply.js'
import { compareCodePoints } from '../../../values/compare.js'
import { plainForm } from '../../../values/cups.js'
import { OPEN_END } from '../../building-blocks.js'
import { below, isRead, itemsOf, type KeyPath, type Readable, type RuleFindings } from '../../rule.js'
import type { EsCode } from './codes.js'
import type { AccessTariff } from './tables.js'

/** A supply point of a payload, after its codec. */
export type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>

type SupplyType = TypeOf<typeof supplyType>

/** Returns the access tariff of a name or code for a supply type; undefined for an unknown one. */
export type TariffOf = (supplyType: SupplyType, text: string) => AccessTariff | undefined

const withoutBlanks = (text: string): string => plainForm(text, /\s/g)

/** The search in a table of access tariffs. */
export const tariffsIn = (table: readonly AccessTariff[]): TariffOf => {
  const of = (wanted: SupplyType): ReadonlyMap<string, AccessTariff> =>
    new Map(
      table
        .filter(({ supplyType }) => supplyType === wanted)
        .flatMap((tariff) => tariff.names.map((name) => [withoutBlanks(name), tariff] as const)),
    )
  const tariffs = { ELECTRICITY: of('ELECTRICITY'), GAS: of('GAS') }
  return (supplyType, text) => tariffs[supplyType].get(text) ?? tariffs[supplyType].get(withoutBlanks(text))
}

type Tariff = Readonly<{ value: string; validFrom: string }>

/** All access tariffs of the supply point by their first day; undefined if one could not be read. */
const historyOf = ({ atr_tariffs }: SupplyPoint): readonly Tariff[] | undefined => {
  if (!isRead(atr_tariffs)) return undefined
  const history: Tariff[] = []
  for (const tariff of atr_tariffs) {
    if (tariff === FAILED || !isRead(tariff.value) || !isRead(tariff.valid_from)) return undefined
    history.push({ value: tariff.value, validFrom: tariff.valid_from })
  }
  // If several tariffs begin on one day, the first in the list applies. The search takes the last of equals, so the list is
  // reversed, and the stable sort keeps the reversed order of equals.
  return history.reverse().sort((a, b) => compareCodePoints(a.validFrom, b.validFrom))
}

/**
 * The number of tariffs, in the order of their first days, that have begun on a day. A binary search; indexes past the last
 * tariff count as not begun.
 */
const begunOn = (day: string, history: readonly Tariff[]): number => {
  let begun = 0
  for (let step = 2 ** Math.ceil(Math.log2(history.length + 1)); step >= 1; step /= 2)
    if ((history[begun + step - 1]?.validFrom ?? OPEN_END) <= day) begun += step
  return begun
}

/**
 * Returns a function that finds the access tariff of a supply point, as sent, in force on a day: that with the latest
 * `valid_from` not after the day. Undefined if none has begun, or if one could not be read. The first call sorts the
 * tariffs.
 */
export const atrTariffInForce = (point: SupplyPoint): ((day: string) => string | undefined) => {
  let history: readonly Tariff[] | undefined
  return (day) => {
    history ??= historyOf(point) ?? []
    return history[begunOn(day, history) - 1]?.value
  }
}

/** The first day on which no agreement covers the supply point any more: open unless each has an end, empty without any. */
const endOfSupply = ({ agreements }: SupplyPoint): string => {
  let last = ''
  for (const each of itemsOf(agreements)) {
    const end = each === FAILED || !isRead(each.effective_to) ? OPEN_END : each.effective_to
    if (end > last) last = end
  }
  return last
}

/** For each day on which an access tariff of the supply point begins, the next such day; for the last one the end of the supply. */
const endsOfTariffs = (point: SupplyPoint): ReadonlyMap<string, string> => {
  const days = new Set<string>()
  for (const each of itemsOf(point.atr_tariffs))
    if (each !== FAILED && isRead(each.valid_from)) days.add(each.valid_from)
  const sorted = [...days].sort()
  return new Map(sorted.map((day, index) => [day, sorted[index + 1] ?? endOfSupply(point)]))
}

/** Each access tariff is in the table, and was in force as long as it holds for the supply point. */
export const tariffRule = (
  point: SupplyPoint,
  tariffOf: TariffOf,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  const { supply_type, atr_tariffs } = point
  if (!isRead(supply_type)) return
  let ends: ReadonlyMap<string, string> | undefined
  for (const [index, item] of itemsOf(atr_tariffs).entries()) {
    if (item === FAILED || !isRead(item.value)) continue
    const tariff = tariffOf(supply_type, item.value)
    const report = (code: EsCode) => findings.add(code, below(below(at, 'atr_tariffs'), index), 'value')
    if (tariff === undefined) report('unknown_atr_tariff')
    if (tariff === undefined || !isRead(item.valid_from)) continue
    const { from = '', until } = tariff
    if (until !== undefined) ends ??= endsOfTariffs(point)
    const end = ends?.get(item.valid_from)
    const isAfter = until !== undefined && end !== undefined && end > until
    if (item.valid_from < from || isAfter) report('atr_tariff_outside_its_time')
  }
}
