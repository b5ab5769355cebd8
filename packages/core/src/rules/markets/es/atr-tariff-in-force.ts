import { FAILED } from '../../../codec/failed.js'
import { compareCodePoints } from '../../../values/compare-code-points.js'
import { OPEN_END } from '../../intervals.js'
import { isRead } from '../../readable.js'
import type { SupplyPoint } from './supply-point.js'

type Tariff = Readonly<{ value: string; validFrom: string }>

/** All access tariffs of the supply point by their first day; undefined if any of them could not be read. */
const historyOf = ({ atr_tariffs }: SupplyPoint): readonly Tariff[] | undefined => {
  if (!isRead(atr_tariffs)) return undefined
  const history: Tariff[] = []
  for (const tariff of atr_tariffs) {
    if (tariff === FAILED || !isRead(tariff.value) || !isRead(tariff.valid_from)) return undefined
    history.push({ value: tariff.value, validFrom: tariff.valid_from })
  }
  // Of tariffs that begin on one day the first of the list counts. The search takes the last of equals, so it must be
  // the last one here: the list is turned round, and sorting keeps the order of equals.
  return history.reverse().sort((a, b) => compareCodePoints(a.validFrom, b.validFrom))
}

/**
 * How many of the tariffs, which are in the order of their first days, have begun on a day. Goes on by halves of what is
 * left, as long as what is passed has begun; past the last one nothing has.
 */
const begunOn = (day: string, history: readonly Tariff[]): number => {
  let begun = 0
  for (let step = 2 ** Math.ceil(Math.log2(history.length + 1)); step >= 1; step /= 2)
    if ((history[begun + step - 1]?.validFrom ?? OPEN_END) <= day) begun += step
  return begun
}

/**
 * Tells which access tariff of a supply point, as sent, is in force on a day: that with the latest `valid_from` not
 * after the day. Undefined if none has begun, or if any of them could not be read. The tariffs are sorted once,
 * at the first call of the function that is returned.
 */
export const atrTariffInForce = (point: SupplyPoint): ((day: string) => string | undefined) => {
  let history: readonly Tariff[] | undefined
  return (day) => {
    history ??= historyOf(point) ?? []
    return history[begunOn(day, history) - 1]?.value
  }
}
