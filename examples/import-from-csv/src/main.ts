// An export of customers as accounts, one a line: node dist/main.js customers.csv > accounts.ndjson
import { createReadStream } from 'node:fs'
import type { AccountToSend } from '@account-import/client'
import { parse } from 'csv-parse'

/** The columns of the export; all of them are text. */
type Row = Readonly<
  Record<
    | 'customer_no'
    | 'name'
    | 'surname1'
    | 'surname2'
    | 'nif'
    | 'email'
    | 'mobile'
    | 'street_type'
    | 'street'
    | 'number',
    string
  > &
    Record<
      'floor' | 'door' | 'town' | 'province' | 'postcode' | 'cups' | 'contract_from' | 'access_tariff',
      string
    > &
    Record<'power_kw' | 'billed_to' | 'balance_eur', string>
>

const day = (text: string): string => text.split('/').toReversed().join('-') // 31/12/2025
const decimal = (text: string): string => text.replaceAll('.', '').replace(',', '.') // 1.204,10
const watts = (text: string): number => Math.round(Number(decimal(text)) * 1000)
/** An empty cell is a field that is not there. */
const filled = <Field extends string>(field: Field, text: string) =>
  (text === '' ? {} : { [field]: text }) as Partial<Record<Field, string>>

const accountOf = (row: Row): AccountToSend => ({
  import_supplier: 'LEVANTE',
  external_account_number: `L-${row.customer_no}`,
  account_type: 'DOMESTIC',
  customers: [
    {
      account_roles: ['ACCOUNT_HOLDER'],
      user_details: [{ namespace: 'fiscal_code', value: row.nif }],
      given_name: row.name,
      ...filled('family_name', `${row.surname1} ${row.surname2}`.trim()),
      ...filled('email', row.email),
      ...filled('mobile', row.mobile),
    },
  ],
  supply_addresses: [
    {
      supply_address: {
        locality: row.town,
        administrative_area: row.province,
        postal_code: row.postcode.padStart(5, '0'), // a spreadsheet took the zero away
        country: 'ES',
        structured_street_address: {
          street_type: row.street_type,
          street_name: row.street,
          street_number: row.number,
          ...filled('floor', row.floor),
          ...filled('door', row.door),
        },
      },
      customer_at_supply_address_from_date: day(row.contract_from),
      supply_points: [
        {
          identifier: row.cups,
          supply_type: 'ELECTRICITY',
          distributor_ree_code: row.cups.slice(2, 6),
          supply_start_date: day(row.contract_from),
          last_billed_to_date: day(row.billed_to),
          atr_tariffs: [{ value: row.access_tariff, valid_from: day(row.contract_from) }],
          agreements: [
            {
              tariff_code: 'LUZ-HOGAR',
              effective_from: day(row.contract_from),
              cnae: '9820',
              contractual_max_power: Array.from({ length: 6 }, () => watts(row.power_kw)),
            },
          ],
        },
      ],
    },
  ],
  ledgers: [
    {
      ledger_code: 'SPAIN_ELECTRICITY_LEDGER',
      last_statement_balance: decimal(row.balance_eur),
      last_statement_closing_date: day(row.billed_to),
      ledger_balance: decimal(row.balance_eur),
      current_statement_transactions: [],
    },
  ],
})

const file = process.argv[2]
if (file === undefined) throw new Error('Name the export: node dist/main.js customers.csv')
const rows = createReadStream(file).pipe(parse({ columns: true, delimiter: ';', bom: true }))
for await (const row of rows) console.log(JSON.stringify(accountOf(row as Row)))
