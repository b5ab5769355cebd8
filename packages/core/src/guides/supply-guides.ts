import type { Guides } from '../catalogue/guide.js'
import { agreementAt, agreementPath, readingAt, supplyPointAt, supplyPointPath } from './paths.js'

const agreement = (from: string, to?: string) => ({
  tariff_code: `LUZ-${from.slice(0, 4)}`,
  effective_from: from,
  ...(to === undefined ? {} : { effective_to: to }),
})

/** Supply points, agreements and their dates. */
export const supplyGuides = {
  future_supply_start_date: {
    means: 'The supply begins after today.',
    causes: ['A contract that was signed but not activated was exported as active.', 'The year is mistyped.'],
    fix: [
      'Check the date of activation with the distributor.',
      'Import contracts that have not begun when they do, or accept the warning.',
    ],
    at: [`${supplyPointAt}.supply_start_date`],
    example: {
      in: supplyPointPath,
      bad: { supply_start_date: '2205-01-01', agreements: [agreement('2205-01-01')] },
      good: { supply_start_date: '2025-01-01', agreements: [agreement('2025-01-01')] },
    },
    related: ['agreement_start_date_before_supply_start_date', 'date_in_future'],
  },
  agreement_dates_overlap: {
    means:
      'Two agreements of a supply point cover the same day. effective_to is the first day that is no longer covered.',
    causes: [
      'The old contract was not closed when the new one began.',
      'The new contract begins on the last day of the old one.',
    ],
    fix: [
      'Give the earlier agreement the start of the later one as effective_to.',
      'Remove agreements that never took effect.',
    ],
    at: [`${agreementAt}.effective_from`],
    example: {
      in: supplyPointPath,
      bad: { agreements: [agreement('2024-01-01'), agreement('2025-01-01')] },
      good: { agreements: [agreement('2024-01-01', '2025-01-01'), agreement('2025-01-01')] },
    },
    related: ['gap_in_agreement_dates', 'start_date_same_as_end_date'],
  },
  gap_in_agreement_dates: {
    means: 'There are days between two agreements of a supply point that neither covers.',
    causes: [
      'The source gives the last day covered, while effective_to is the first day that is not: the gap is one day.',
      'The home was vacant in between.',
    ],
    fix: [
      'Add a day to effective_to if the source means the last day covered.',
      'Leave the gap if there was no supply; the warning then tells the truth.',
    ],
    at: [`${agreementAt}.effective_from`],
    example: {
      in: supplyPointPath,
      bad: { agreements: [agreement('2024-01-01', '2024-12-31'), agreement('2025-01-01')] },
      good: { agreements: [agreement('2024-01-01', '2025-01-01'), agreement('2025-01-01')] },
    },
    related: ['agreement_dates_overlap', 'no_agreement_covering_last_billed_to_date'],
  },
  start_date_later_than_end_date: {
    means: 'A period ends before it begins.',
    causes: [
      'Columns were swapped.',
      'A contract that was cancelled before it began was given its day of cancellation as end.',
    ],
    fix: ['Compare both dates with the source and correct one.', 'Leave out what never took effect.'],
    at: [
      `${agreementAt}.effective_to`,
      `${readingAt}.interval_end`,
      `${supplyPointAt}.billable_items.N.interval_end`,
      'ledgers.N.current_statement_transactions.N.line_items.N.end_date',
      'ledgers.N.historical_statement_transactions.N.line_items.N.end_date',
      'transactions.N.line_items.N.end_date',
      'payment_schedules.N.end_date',
      'statements.N.bill_period_to_date',
    ],
    example: {
      in: 'statements.0',
      bad: { bill_period_from_date: '2025-03-31', bill_period_to_date: '2025-03-01' },
      good: { bill_period_from_date: '2025-03-01', bill_period_to_date: '2025-03-31' },
    },
    related: ['start_date_same_as_end_date'],
  },
  start_date_same_as_end_date: {
    means:
      'An agreement or reading begins and ends at the same moment. The end is not included, so nothing is covered.',
    causes: [
      'The source gives the last day covered, and the period had one day.',
      'The contract was cancelled on its first day.',
    ],
    fix: ['Add a day to effective_to if one day was covered.', 'Remove the entry if nothing was.'],
    at: [`${agreementAt}.effective_to`, `${readingAt}.interval_end`],
    example: {
      in: agreementPath,
      bad: { effective_from: '2024-01-01', effective_to: '2024-01-01' },
      good: { effective_from: '2024-01-01', effective_to: '2024-01-02' },
    },
    related: ['start_date_later_than_end_date', 'gap_in_agreement_dates'],
  },
  agreement_start_date_before_supply_start_date: {
    means: 'An agreement begins on an earlier day than the supply of its supply point.',
    causes: [
      'effective_from is the day of signature.',
      'supply_start_date was taken from the last change of supplier or meter.',
    ],
    fix: [
      'Send the day on which supply began as supply_start_date.',
      'Send the first day that the agreement was in force, not the day of signature.',
    ],
    at: [`${agreementAt}.effective_from`],
    example: {
      in: supplyPointPath,
      bad: { supply_start_date: '2024-03-15', agreements: [agreement('2024-03-01')] },
      good: { supply_start_date: '2024-03-15', agreements: [agreement('2024-03-15')] },
    },
    related: ['future_supply_start_date', 'last_billed_to_date_before_supply_start_date'],
  },
  supply_point_with_no_agreement: {
    means: 'A supply point has no agreement, so nothing says at what price it is billed.',
    causes: [
      'The tariff lies in another table that was not joined.',
      'Only agreements in force were exported, and the last one has ended.',
    ],
    fix: [
      'Export at least the agreement in force, or the last one.',
      'Leave supply points out that are no longer supplied.',
    ],
    at: [`${supplyPointAt}.agreements`],
    example: {
      in: supplyPointPath,
      bad: { agreements: [] },
      good: { agreements: [agreement('2024-01-01')] },
    },
    related: ['supply_address_without_supply_points', 'no_agreement_covering_last_billed_to_date'],
  },
  no_agreement_covering_last_billed_to_date: {
    means: 'The last billed day lies in the period of none of the agreements.',
    causes: [
      'The history of agreements is incomplete.',
      'last_billed_to_date is the day of the bill, not the last day that it covers.',
    ],
    fix: ['Send the last day that was billed, inclusive.', 'Export the agreement by which it was billed.'],
    at: [`${supplyPointAt}.last_billed_to_date`],
    example: {
      in: supplyPointPath,
      bad: { last_billed_to_date: '2025-04-30', agreements: [agreement('2024-01-01', '2025-01-01')] },
      good: { last_billed_to_date: '2025-04-30', agreements: [agreement('2024-01-01', '2026-01-01')] },
    },
    related: ['gap_in_agreement_dates', 'last_billed_to_date_before_supply_start_date'],
  },
  last_billed_to_date_before_supply_start_date: {
    means: 'The last billed day lies before the first day of supply.',
    causes: [
      'Nothing was billed yet, and the day before the start was sent to say so.',
      'The bill of the former occupier was taken.',
    ],
    fix: [
      'Leave the field out, or give the start date, if nothing was billed yet.',
      'Take the bills of this account only.',
    ],
    at: [`${supplyPointAt}.last_billed_to_date`],
    example: {
      in: supplyPointPath,
      bad: {
        supply_start_date: '2024-03-15',
        last_billed_to_date: '2024-03-14',
        agreements: [agreement('2024-03-15')],
      },
      good: {
        supply_start_date: '2024-03-15',
        last_billed_to_date: '2024-03-15',
        agreements: [agreement('2024-03-15')],
      },
      also: ['no_agreement_covering_last_billed_to_date'],
    },
    related: ['no_agreement_covering_last_billed_to_date', 'agreement_start_date_before_supply_start_date'],
  },
  date_in_future: {
    means: 'A date of something that has happened lies after today.',
    causes: [
      'The year or the order of day and month is wrong.',
      'A planned date was exported as a past one.',
    ],
    fix: [
      'Compare the date with the source; check how dates are parsed.',
      'Send planned events when they have happened.',
    ],
    at: [
      `${supplyPointAt}.last_billed_to_date`,
      'ledgers.N.last_statement_closing_date',
      'statements.N.issued_date',
      `${readingAt}.interval_end`,
      'notes.N.created_at',
    ],
    example: {
      in: 'ledgers.0',
      bad: { last_statement_closing_date: '2205-04-30' },
      good: { last_statement_closing_date: '2025-04-30' },
    },
    related: ['transaction_in_future', 'historical_statement_period_end_in_future'],
  },
} satisfies Guides
