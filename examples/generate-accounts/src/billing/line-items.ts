import { dateOf, firstDayOf, lastDayOf } from '../calendar.js'
import type { LineItem } from '../bill.js'
import { costInCents, euros, price } from './money.js'
import type { Tariff } from './tariff.js'

/** Line items with the sum of their net amounts. */
export type Lines = Readonly<{ lines: readonly LineItem[]; cents: number }>

type Position = Readonly<{
  band: string
  hundredths: number
  millionths: number
  units?: readonly [number, number]
}>

/** Unequal parts of the consumption, which add up to it. */
const shares = (kwh: number, parts: number): readonly number[] => {
  if (parts === 1) return [kwh]
  const first = Math.floor((kwh * 3) / 10)
  const second = Math.floor(kwh / 4)
  return [first, second, kwh - first - second]
}

const positionsOf = (tariff: Tariff, month: number, kwh: number, opening: number): readonly Position[] => {
  const days = lastDayOf(month) - firstDayOf(month) + 1
  const parts = shares(kwh, tariff.bands.length)
  return [
    ...tariff.bands.map(([band, millionths], at): Position => {
      const position = { band, hundredths: (parts[at] ?? 0) * 100, millionths }
      return parts.length === 1 ? { ...position, units: [opening, opening + kwh] } : position
    }),
    { band: 'STANDING_CHARGE', hundredths: days * 100, millionths: tariff.standing },
  ]
}

/** The line items of a month; `opening` is the register value at its start. Net amounts are whole cents. */
export const linesOf = (tariff: Tariff, month: number, kwh: number, opening: number): Lines => {
  let cents = 0
  const [start_date, end_date] = [dateOf(firstDayOf(month)), dateOf(lastDayOf(month))]
  const lines = positionsOf(tariff, month, kwh, opening).map(({ band, hundredths, millionths, units }) => {
    const net = costInCents(hundredths, millionths)
    cents += net
    return {
      rate_band: band,
      start_date,
      end_date,
      number_of_units: hundredths / 100,
      net_amount: euros(net),
      price_per_unit: price(millionths),
      ...(units !== undefined && { units }),
    }
  })
  return { lines, cents }
}
