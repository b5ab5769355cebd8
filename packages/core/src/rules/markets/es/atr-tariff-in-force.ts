import { FAILED } from '../../../codec/failed.js'
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
  return history
    .reverse()
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : a.validFrom > b.validFrom ? 1 : 0))
}

/** How many of the tariffs, which are in the order of their first days, have begun on a day. */
const begunOn = (day: string, history: readonly Tariff[]): number => {
  let [low, high] = [0, history.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((history[middle]?.validFrom ?? '') <= day) low = middle + 1
    else high = middle
  }
  return low
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
