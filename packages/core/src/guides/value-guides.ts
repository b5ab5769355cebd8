import type { Guides } from '../catalogue/guide.js'
import { customerPath, supplyPointPath, transactionPath } from './paths.js'

const decimals = 'any money, figure, quantity or price, such as ledgers.N.ledger_balance'

/** Values of a wrong form or out of range, and lists of errors that are too long. */
export const valueGuides = {
  invalid: {
    means:
      'The value has another JSON type, or another form, than the field takes: a day that does not exist, a number with an exponent, an e-mail address without a domain, an identifier with control characters.',
    causes: [
      'Dates in the form of the country (01/06/2023) or of a spreadsheet.',
      'Numbers with a decimal comma, or true and false as text.',
    ],
    fix: [
      'Find the type of the field in the table of fields.',
      'Convert the value in the export to the form that the type accepts.',
    ],
    at: ['any field that is not a choice, list or object'],
    example: {
      in: supplyPointPath,
      bad: { supply_start_date: '01/06/2023' },
      good: { supply_start_date: '2023-06-01' },
    },
    related: ['date', 'datetime', 'not_a_list', 'not_a_dict'],
  },
  max_length: {
    means:
      'The text has more characters, or the list more items, than the field takes. Characters are counted as Unicode code points; no text may exceed 64 KiB and no list 10 000 items.',
    causes: [
      'Two fields of the source were joined into one.',
      'A code field holds a description.',
      'All readings of many years were sent with one supply point.',
    ],
    fix: [
      'Send the code without its description; put long remarks into a note.',
      'Send only the history that was agreed on.',
    ],
    at: ['any text, key, term, code, path or list'],
    example: {
      in: supplyPointPath,
      bad: { distributor_ree_code: 'Distribuidora 0021' },
      good: { distributor_ree_code: '0021' },
    },
    related: ['max_string_length', 'too_many_errors'],
  },
  min_value: {
    means:
      'The number or date lies below the lowest allowed value, which the text of the entry names. Dates begin with 1900-01-01.',
    causes: [
      'A missing date arrives as 1899-12-30 or 0001-01-01, the zero of a spreadsheet or database.',
      'A collection amount is negative because the old system books collections as debits.',
    ],
    fix: [
      'Leave zero dates out, or map the true date where the field is required.',
      'Turn the sign of amounts that cannot be negative.',
    ],
    at: ['any date, datetime or integer', 'payment_schedules.N.amount', 'limit'],
    example: {
      in: supplyPointPath,
      bad: { last_billed_to_date: '1899-12-30' },
      good: { last_billed_to_date: '2025-04-30' },
    },
    related: ['max_value', 'invalid'],
  },
  max_value: {
    means: 'The whole number lies above the highest allowed value, which the text of the entry names.',
    causes: ['Units differ: milliwatts for watts, or euros times 10 000 for cents.', 'Columns were swapped.'],
    fix: ['Check the unit of the field and of the source.', 'Correct the mapping, not the single value.'],
    at: [
      'payment_schedules.N.day_of_month',
      'supply_addresses.N.supply_points.N.agreements.N.contractual_max_power.N',
      'supply_addresses.N.supply_points.N.agreements.N.estimated_monthly_fee_in_cents',
      'supply_addresses.N.supply_points.N.readings.N.source',
      'limit',
    ],
    example: { in: 'payment_schedules.0', bad: { day_of_month: 32 }, good: { day_of_month: 28 } },
    related: ['min_value', 'invalid_payment_day_for_payment_schedule'],
  },
  max_digits: {
    means:
      'The JSON number has more than 15 digits. Such numbers change when a program reads them, so the value may no longer be the one that was written.',
    causes: [
      'An amount was computed in floating point: 0.1 + 0.2 gives 0.30000000000000004.',
      'A long decimal was written without quotes.',
    ],
    fix: [
      'Compute with decimals and round to the places of the field.',
      'Send the amount as text in quotes.',
    ],
    at: [decimals, 'numbers inside metadata.N.value'],
    example: {
      in: transactionPath,
      bad: { amount: 0.30000000000000004 },
      good: { amount: '0.30' },
    },
    related: ['max_decimal_places', 'max_whole_digits'],
  },
  max_whole_digits: {
    means:
      'There are more digits before the decimal point than the field takes: 10 for money and figures, 12 for quantities, 8 for prices and collection amounts.',
    causes: [
      'The amount is in cents, or the decimal point was lost.',
      'An identifier was mapped to an amount.',
    ],
    fix: ['Check the unit: money is in euros.', 'Correct the mapping and send it again.'],
    at: [decimals, 'payment_schedules.N.amount'],
    example: {
      in: transactionPath,
      bad: { amount: '12345678901.00' },
      good: { amount: '123456789.01' },
    },
    related: ['max_decimal_places', 'max_digits'],
  },
  max_decimal_places: {
    means:
      'There are more decimals than the field takes: 2 for money, 4 for quantities, 7 for prices, 10 for figures. Zeros at the end do not count. Nothing is rounded silently.',
    causes: ['The source keeps amounts before rounding.', 'Net amounts and gross amounts were swapped.'],
    fix: ['Round as the bill was rounded, so that the sums still agree.', 'Send the rounded value.'],
    at: [decimals, 'payment_schedules.N.amount'],
    example: { in: transactionPath, bad: { amount: 12.345 }, good: { amount: 12.35 } },
    related: ['max_whole_digits', 'max_digits'],
  },
  max_string_length: {
    means: 'A decimal sent as text is longer than 64 characters.',
    causes: [
      'The decimal was padded with zeros to the width of a column.',
      'A text was mapped to an amount.',
    ],
    fix: ['Strip the padding.', 'Check the mapping of the field.'],
    at: [decimals, 'supply_addresses.N.supply_points.N.readings.N.consumption_delta'],
    example: { in: transactionPath, bad: { amount: `5.${'0'.repeat(64)}` }, good: { amount: '5.00' } },
    related: ['max_length', 'max_whole_digits'],
  },
  null_characters_not_allowed: {
    means: 'The text holds the character U+0000, which databases cannot keep.',
    causes: ['A fixed-width field of a mainframe was padded with NUL instead of blanks.'],
    fix: ['Remove U+0000 in the export and trim what remains.'],
    at: ['any text, also inside metadata.N.value'],
    example: { in: customerPath, bad: { given_name: 'Joan\u0000' }, good: { given_name: 'Joan' } },
    related: ['surrogate_characters_not_allowed', 'invalid'],
  },
  surrogate_characters_not_allowed: {
    means: 'The text holds half of a surrogate pair, so it is no valid Unicode.',
    causes: ['A text with an emoji or a rare character was cut in the middle of that character.'],
    fix: [
      'Cut by characters and not by UTF-16 units.',
      'Remove the half that is left over, or restore the character.',
    ],
    at: ['any text, also inside metadata.N.value'],
    example: {
      in: 'notes.0',
      bad: { body: 'Gracias \ud83d' },
      good: { body: 'Gracias \ud83d\ude00' },
    },
    related: ['null_characters_not_allowed', 'invalid_encoding'],
  },
  too_many_errors: {
    means:
      'The payload has more errors than are reported in one answer: 1 000. The first ones are listed, in document order.',
    causes: ['One mistake in the mapping repeats in every item of a long list.'],
    fix: [
      'Group the entries by code: most have one cause.',
      'Correct the mapping and send it again; the rest shows then.',
    ],
    at: ['empty: the payload itself'],
    example: {
      in: '',
      bad: { customers: [{ account_roles: ['ACCOUNT_HOLDER'], family_name: 'Ferrer', landline: '12' }] },
      good: {
        customers: [{ account_roles: ['ACCOUNT_HOLDER'], family_name: 'Ferrer', landline: '960 00 01 23' }],
      },
      repeated: 1001,
      also: ['invalid_phone_number'],
    },
    related: ['too_many_warnings', 'max_length'],
  },
  too_many_warnings: {
    means: 'The payload has more than 1 000 warnings. The first ones are listed, in document order.',
    causes: ['An unknown field is sent with every item of a long list.'],
    fix: [
      'Group the warnings by code and deal with the most frequent one.',
      'Ask the operator to switch a rule off that does not fit the supplier.',
    ],
    at: ['empty: the payload itself'],
    example: {
      in: '',
      bad: { customers: [{ account_roles: ['ACCOUNT_HOLDER'], family_name: 'Ferrer', age: 47 }] },
      good: { customers: [{ account_roles: ['ACCOUNT_HOLDER'], family_name: 'Ferrer' }] },
      repeated: 1001,
      also: ['unknown_field'],
    },
    related: ['too_many_errors', 'unknown_field'],
  },
} satisfies Guides
