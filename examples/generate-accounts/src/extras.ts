import type { AccountPayload } from '@account-import/core'
import { dateOf } from './calendar.js'
import { between, chance, digits, pick } from './random.js'

type Note = NonNullable<AccountPayload['notes']>[number]
type PaymentSchedule = NonNullable<AccountPayload['payment_schedules']>[number]

const bodies = [
  'Prefiere que se le llame por la tarde.',
  'Pregunta por el cambio de potencia. Se le explica el plazo y el coste.',
  'Reclamación por factura elevada en invierno: se revisa la lectura, es correcta. El cliente queda conforme.',
]

/** Up to so many notes of days of the range. Some are pinned, half of these for a hundred days. */
export const notesOf = (number: string, most: number, from: number, to: number): readonly Note[] =>
  Array.from({ length: between(0, most) }, () => {
    const day = between(from, to)
    const document_paths = [{ document_path: `notes/${number}/${dateOf(day)}-escrito.pdf` }]
    return {
      body: pick(bodies),
      ...(chance(0.35) && { document_paths }),
      created_at: `${dateOf(day)}T${between(10, 19)}:${between(10, 59)}:00Z`,
      ...(chance(0.2) && { is_pinned: true }),
      ...(chance(0.1) && { is_pinned: true, unpin_at: `${dateOf(day + 100)}T08:00:00Z` }),
    }
  })

/** The payment schedules from the first day of supply on: one, or a finished one and its successor. */
export const paymentSchedulesOf = (startDay: number, lastDay: number): readonly PaymentSchedule[] => {
  const fixed = {
    trigger: 'REGULAR',
    amount: `${between(20, 120)}.00`,
    frequency: 'MONTHLY',
    day_of_month: 5,
  } as const
  const change = chance(0.45) ? startDay + between(30, Math.max(31, lastDay - startDay)) : startDay
  const current: PaymentSchedule = {
    means: 'DD',
    start_date: dateOf(change),
    ...(chance(0.3) ? fixed : { trigger: 'BILL' as const }),
  }
  const earlier: PaymentSchedule = {
    means: 'DD',
    start_date: dateOf(startDay),
    end_date: dateOf(change - 1),
    ...fixed,
  }
  return change === startDay ? [current] : [earlier, current]
}

/** The data that an account has in its earlier systems. */
export const legacyOf = (supplier: string, startDay: number): Partial<AccountPayload> => {
  const consents = { marketing: chance(0.4), thirdParties: false, channels: ['email', 'sms'], reviewed: null }
  return {
    metadata: [
      { key: 'legacy_segment', value: { segment: pick(['A1', 'A2', 'B1']), since: dateOf(startDay) } },
      ...(chance(0.5) ? [{ key: 'legacy_consents', value: consents }] : []),
    ],
    references: [{ namespace: `${supplier.toLowerCase()}.crm.contract`, value: `C-${digits(7)}` }],
  }
}
