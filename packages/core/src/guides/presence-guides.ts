import type { Guides } from '../catalogue/guide.js'
import { agreementPath, customerPath } from './paths.js'

/** What is missing, empty, unknown, or of the wrong JSON type. */
export const presenceGuides = {
  required: {
    means: 'A field that must be there is absent. The entry points at the place where it should stand.',
    causes: [
      'The source system has no value, and the export leaves the field out.',
      'The field is there under another name, which then appears as the warning unknown_field.',
    ],
    fix: [
      'Look at attr: its last part is the name of the missing field.',
      'Map it from the source. If the source has no value, decide on one with the business; do not invent dates.',
      'Where the whole object is not wanted, leave the object out.',
    ],
    at: [
      'any required field',
      'customers',
      'ledgers.N.current_statement_transactions.N.product_code',
      'ledgers.N.current_statement_transactions.N.line_items',
    ],
    example: {
      in: '',
      bad: { payment_schedules: [{ start_date: '2025-01-01', trigger: 'BILL' }] },
      good: { payment_schedules: [{ means: 'DD', start_date: '2025-01-01', trigger: 'BILL' }] },
    },
    related: ['null', 'blank', 'empty', 'unknown_field'],
  },
  null: {
    means:
      'The field is there with the JSON value null. Null stands for nothing here: an unknown value is left out.',
    causes: ['The export writes every column of a row, empty ones as null.'],
    fix: [
      'Let the serialiser drop null fields (for example exclude_none, NON_NULL, or a filter on keys).',
      'If attr names a required field, map a value; leaving it out would give required.',
    ],
    at: ['any field or list item, except inside metadata.N.value'],
    example: {
      in: customerPath,
      bad: { given_name: 'Joan', mobile: null },
      good: { given_name: 'Joan' },
    },
    related: ['required', 'blank'],
  },
  blank: {
    means: 'The text is empty or holds only white space, in a field that needs a real value when it is sent.',
    causes: [
      'A CSV or fixed-width export turns missing values into empty text or spaces.',
      'A placeholder such as a single blank was typed to get past a mandatory field of the old system.',
    ],
    fix: [
      'Trim the values of the export.',
      'Leave the field out when nothing remains; map a value if it is required.',
    ],
    at: ['any field that is not free text'],
    example: {
      in: customerPath,
      bad: { given_name: 'Joan', email: ' ' },
      good: { given_name: 'Joan', email: 'joan.ferrer@example.org' },
    },
    related: ['required', 'null'],
  },
  empty: {
    means:
      'The list is there but has no item, where at least one is needed: the customers of an account whose occupier is known, or the line items of a supply charge.',
    causes: [
      'The join from accounts to customers found nothing, for example because the customer was archived.',
      'A vacant property was exported as an ordinary account.',
    ],
    fix: [
      'Export the missing items.',
      'If nobody is known to live there, set unknown_occupier to true and leave customers out.',
    ],
    at: [
      'customers',
      'ledgers.N.current_statement_transactions.N.line_items',
      'ledgers.N.historical_statement_transactions.N.line_items',
      'transactions.N.line_items',
    ],
    example: {
      in: '',
      bad: { customers: [] },
      good: { customers: [{ account_roles: ['ACCOUNT_HOLDER'], family_name: 'Ferrer' }] },
    },
    related: ['required', 'customer_with_unknown_occupier'],
  },
  not_a_list: {
    means: 'The field takes a JSON array, and something else was sent.',
    causes: ['Converters from XML write a single child as an object, and only several as an array.'],
    fix: [
      'Wrap the single item in square brackets.',
      'Tell the converter which elements repeat (force arrays).',
    ],
    at: ['any list, such as references or customers.N.account_roles'],
    example: {
      in: '',
      bad: { references: { namespace: 'levante.crm.contract', value: 'C-771904' } },
      good: { references: [{ namespace: 'levante.crm.contract', value: 'C-771904' }] },
    },
    related: ['not_a_dict', 'invalid'],
  },
  not_a_dict: {
    means: 'A JSON object is expected at this place, and something else was sent.',
    causes: [
      'A list of plain texts was sent where each item is an object.',
      'An object was serialised twice, so that it arrives as text.',
    ],
    fix: [
      'Send an object with the fields of the table.',
      'If the value is quoted JSON, serialise it only once.',
    ],
    at: ['any object, such as notes.N or supply_addresses.N.supply_address; empty for the payload itself'],
    example: {
      in: '',
      bad: { notes: ['Llamar por la tarde'] },
      good: { notes: [{ body: 'Llamar por la tarde' }] },
    },
    related: ['not_a_list', 'parse_error'],
  },
  unknown_field: {
    means: 'The payload has a field that no table knows. It was ignored: it is neither stored nor echoed.',
    causes: [
      'A field name is misspelt, so its data would be lost.',
      'The export carries columns of the old system that have no place here.',
    ],
    fix: [
      'Compare the name with the table of fields; correct it if it is misspelt.',
      'Data without a field of its own can travel in metadata; otherwise drop the field.',
      'Have the code raised to error while the export is developed, so that nothing is lost unnoticed.',
    ],
    at: ['any unknown key; the object that holds it if the key has unusual characters'],
    example: {
      in: customerPath,
      bad: { given_name: 'Joan', mobil: '600 000 123' },
      good: { given_name: 'Joan', mobile: '600 000 123' },
    },
    related: ['required', 'too_many_warnings'],
  },
  invalid_choice: {
    means:
      'The field takes one value of a closed list, in exactly that spelling. The text of the entry names them.',
    causes: ['The words of the old system were sent without a mapping, or in lower case.'],
    fix: [
      'Write a mapping from the old words to the members of the list.',
      'Send upper case, without blanks around it.',
    ],
    at: [
      'any choice, such as account_type, payment_schedules.N.means or supply_addresses.N.supply_address.country',
    ],
    example: { in: '', bad: { account_type: 'Residential' }, good: { account_type: 'DOMESTIC' } },
    related: ['not_in_supplier_list', 'blank'],
  },
  not_in_supplier_list: {
    means:
      'The operator has closed this list for the supplier, and the value is not among the agreed ones. Whether it is an error or a warning was chosen with the list.',
    causes: [
      'A tariff, product or reason code is newer than the list.',
      'A code was mapped in one export job but not in another.',
    ],
    fix: [
      'Compare the value with the agreed list; map it if it is another word for a member.',
      'If the value is right, ask the operator to add it to the list.',
    ],
    at: [
      'any field with an open list, such as sales_channel or supply_addresses.N.supply_points.N.agreements.N.tariff_code',
    ],
    example: {
      in: '',
      bad: { sales_channel: 'TELEVENTA' },
      good: { sales_channel: 'TELESALES' },
      setting: {
        options: '--close-list sales_channel=DIRECT,TELESALES:error',
        rules: { closedLists: { sales_channel: { members: ['DIRECT', 'TELESALES'], severity: 'error' } } },
      },
    },
    related: ['invalid_choice'],
  },
  date: {
    means: 'The field takes a date with time, and a date alone was sent.',
    causes: ['Meter readings of the source carry only the day.'],
    fix: [
      'Add the time in UTC: YYYY-MM-DDTHH:MM:SSZ.',
      'Midnight in Madrid is 23:00 or 22:00 UTC of the day before; agree on one convention for all readings.',
    ],
    at: [
      'any datetime, such as supply_addresses.N.supply_points.N.readings.N.interval_start or notes.N.created_at',
    ],
    example: {
      in: 'supply_addresses.0.supply_points.0.readings.0',
      bad: { interval_start: '2025-03-01' },
      good: { interval_start: '2025-03-01T00:00:00Z' },
    },
    related: ['datetime', 'invalid'],
  },
  datetime: {
    means: 'The field takes a day, and a date with time was sent.',
    causes: ['A timestamp column was serialised as it is.'],
    fix: [
      'Cut the value to YYYY-MM-DD, in the time zone of the business: cutting a UTC text may give the day before.',
    ],
    at: ['any date, such as supply_addresses.N.supply_points.N.agreements.N.effective_from'],
    example: {
      in: agreementPath,
      bad: { effective_from: '2024-01-01T00:00:00Z' },
      good: { effective_from: '2024-01-01' },
    },
    related: ['date', 'invalid'],
  },
} satisfies Guides
