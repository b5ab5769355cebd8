import { dateOf } from '../calendar.js'
import type { Random } from '../random/random.js'
import { euros } from './money.js'
import type { Posting } from './posting.js'

const credit = (random: Random, day: number): Posting => {
  const cents = random.between(2, 60) * 50
  const isGoodwill = random.chance(0.5)
  return {
    day,
    effect: cents,
    transaction: {
      transaction_date: dateOf(day),
      amount: euros(cents),
      type: 'CREDIT',
      reason: isGoodwill ? 'GENERAL_CREDIT' : 'IMPORTED_CREDIT',
      display_note: isGoodwill ? 'Promoción de bienvenida' : 'Abono por incidencia',
      ...(random.chance(0.4) && { note: 'Acordado por teléfono' }),
    },
  }
}

const fee = (random: Random, day: number): Posting => {
  const cents = random.between(2, 18) * 50
  return {
    day,
    effect: -cents,
    transaction: {
      transaction_date: dateOf(day),
      amount: euros(cents),
      type: 'CHARGE',
      reason: 'IMPORTED_CHARGE',
      display_note: 'Duplicado de factura en papel',
    },
  }
}

const refund = (random: Random, day: number): Posting => {
  const cents = random.between(100, 4000)
  return {
    day,
    effect: -cents,
    transaction: {
      transaction_date: dateOf(day),
      amount: euros(cents),
      type: 'REPAYMENT',
      reason: 'FULL_CREDIT_REFUND',
      reference: `REF-${random.digits(8)}`,
      payment_type: 'DIRECT_CREDIT',
    },
  }
}

/** Occasional postings besides bills and payments, on the days around the closing date. */
export const adjustmentsOf = (random: Random, closing: number): readonly Posting[] => {
  const around = (): number => closing + random.between(-27, 25)
  return [
    ...(random.chance(0.3) ? [credit(random, around())] : []),
    ...(random.chance(0.2) ? [fee(random, around())] : []),
    ...(random.chance(0.1) ? [refund(random, around())] : []),
  ]
}
