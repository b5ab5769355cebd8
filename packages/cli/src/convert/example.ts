import { FileFailure, reasonOf, structOf } from '@account-import/account-files'
import { accountPayload, type Fields, meaningOf, type Struct } from '@account-import/core/payloads'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isList } from './account-field.js'
import { isTemplate, templateFiles } from './templates.js'

const customers = `cliente;nombre;apellidos;nif;correo;movil;via;calle;numero;ciudad;provincia;cp;saldo_eur
10237;Jordi;Peña Molina;93251707R;jordi.pena8039@correo.example;+34748000560;CL;del Carmen;65;Sabadell;Barcelona;8207;-32,07
10244;Montserrat;Alonso Molina;97262834C;montserrat.alonso309@example.org;+34632000044;AV;del Sol;NULL;Granada;Granada;18001;14,50
10251;Carlos;Rodríguez Alonso;99327381H;carlos.rodriguez1859@correo.example;604 000 296;CL;Nueva;52;Palma;Illes Balears;7008;1.204,10
10258;Jorge;Serrano López;98909421Z;jorge.serrano212@example.org;60012;CL;de Levante;64;A Coruña;A Coruña;15001;0,00
10279;Elena;;91816739A;elena.romero2780@example.net;663 000 323;CL;del Mercado;18;Murcia;Murcia;30003;1.204,10
10300;Francisco;Delgado Soler;92994208X;francisco.delgado985@correo.example;635 000 476;RD;de las Escuelas;150;Alicante;Alicante;3009;-14,50
10314;Álvaro;Torres MuÃ±oz;96028990B;alvaro.torres6302@example.org;694000012;TR;de la Iglesia;85;León;León;24003;0,00
`

const contracts = `cliente;cups;tarifa;potencia_kw;alta;facturado
10237;ES0031721654343767NB1P;2.0TD;4,6;15/06/2023;30/09/2025
10244;ES0024721654407119JE;2.0TD;5,75;01/03/2022;30/09/2025
10251;ES0032721654438795DQ;2.0TD;3,45;24/11/2022;30/09/2025
10258;ES0022721654470471CY;2.0TD;4,6;23/11/2023;30/09/2025
10279;ES0021721654692203HM1P;2.0TD;4,6;12/09/2022;30/09/2025
10300;ES0021721654787231DC;2.0TD;4,6;31/11/2024;30/09/2025
10314;ES0022721654913935GF1P;2.0TD;3,45;02/12/2022;30/09/2025
`

const payments = `cliente;pago;fecha;importe_eur
10237;P-55021;06/10/2025;32,07
10251;P-55022;07/10/2025;1.000,00
10251;P-55023;08/10/2025;0,50
10300;P-55024;08/10/2025;14,50
`

/** Macros for texts of Spanish files. */
export const macros = `-- The macros change texts of the form in their comment. Other texts stay as they are, and the check finds them.
-- 1.204,10
CREATE TEMP MACRO decimal_of(x) AS CASE
  WHEN regexp_full_match(x, '-?(\\d+|\\d{1,3}(\\.\\d{3})+),\\d{1,2}') THEN replace(replace(x, '.', ''), ',', '.') ELSE x END;
-- 31/12/2025
CREATE TEMP MACRO day_of(x) AS CASE
  WHEN regexp_full_match(x, '\\d{2}/\\d{2}/\\d{4}') THEN coalesce(strftime(try_strptime(x, '%d/%m/%Y'), '%Y-%m-%d'), x) ELSE x END;
-- 4,6 kilowatts in each of six periods, in watts
CREATE TEMP MACRO watts_of(x) AS list_transform(range(6), lambda _: CASE
  WHEN regexp_full_match(x, '\\d{1,3}(,\\d{1,3})?') THEN to_json(CAST(CAST(replace(x, ',', '.') AS DECIMAL(9, 3)) * 1000 AS INTEGER))
  ELSE to_json(x) END);
`

const query = `-- The files beside this one, and all that their reader has to know; it guesses nothing. The encoding is utf-8 and the quote '"' unless
-- it is declared (quote none: no quoting). The first line of a file names its columns. key: the column whose value names the account
-- of a row, which the query has in a column that begins with _; key none is for a table of reference. sum: an amount to add up, and
-- the field of the accounts that must have the same sum; a field that is a list has the number of its items.
-- ignore: rows that belong to no account, such as ignore cliente = 'TOTAL'.
-- source customers = customers.csv; delimiter ';'; encoding windows-1252; key cliente; sum decimal_of(saldo_eur) as saldo_eur = ledgers[].last_statement_balance
-- source contracts = contracts.csv; delimiter ';'; encoding windows-1252; key cliente; sum 1 as contracts = supply_addresses[].supply_points[]
-- source payments = payments.csv; delimiter ';'; encoding windows-1252; key cliente; sum decimal_of(importe_eur) as importe_eur = ledgers[].current_statement_transactions[].amount

-- One row of the query is one account. Columns and structs have the names of fields, which are listed below with their meaning. A
-- column that begins with _ is no field: it names the source row of the account, and appears beside each of its errors.
-- All values of a file are texts, so that no zero and no decimal gets lost; an empty cell is null.
-- SQL: https://duckdb.org/docs/current/sql/introduction

${macros}
SELECT
  getvariable('supplier') AS import_supplier,
  'L-' || c.cliente AS external_account_number,
  c.cliente AS _cliente,
  'DOMESTIC' AS account_type,
  [{
    account_roles: ['ACCOUNT_HOLDER'],
    user_details: [{ namespace: 'fiscal_code', value: c.nif }],
    given_name: c.nombre,
    family_name: c.apellidos,
    email: c.correo,
    mobile: c.movil
  }] AS customers,
  (SELECT list({
      supply_address: {
        locality: c.ciudad,
        administrative_area: c.provincia,
        postal_code: regexp_replace(c.cp, '^(\\d{4})$', '0\\1'), -- of 8207 a spreadsheet removed the leading zero
        country: 'ES',
        structured_street_address: { street_type: c.via, street_name: c.calle, street_number: c.numero }
      },
      customer_at_supply_address_from_date: day_of(p.alta),
      supply_points: [{
        identifier: p.cups,
        distributor_ree_code: substr(p.cups, 3, 4),
        supply_type: 'ELECTRICITY',
        supply_start_date: day_of(p.alta),
        last_billed_to_date: day_of(p.facturado),
        atr_tariffs: [{ value: p.tarifa, valid_from: day_of(p.alta) }],
        agreements: [{
          tariff_code: 'LUZ-HOGAR',
          effective_from: day_of(p.alta),
          cnae: '9820',
          contractual_max_power: watts_of(p.potencia_kw)
        }]
      }]
    } ORDER BY p.cups)
    FROM contracts p WHERE p.cliente = c.cliente) AS supply_addresses,
  [{
    ledger_code: 'SPAIN_ELECTRICITY_LEDGER',
    last_statement_balance: decimal_of(c.saldo_eur), -- credit of the customer is positive, debt negative
    last_statement_closing_date: '2025-09-30',
    current_statement_transactions: (SELECT list({
        transaction_id: z.pago,
        transaction_date: day_of(z.fecha),
        amount: decimal_of(z.importe_eur),
        type: 'PAYMENT',
        payment_type: 'DIRECT_CREDIT'
      } ORDER BY z.pago)
      FROM payments z WHERE z.cliente = c.cliente)
  }] AS ledgers
FROM customers c
ORDER BY c.cliente

-- All fields. [] is a list, and * is required where its object is.
`

/** A comment for each field, below that of its object. */
const fieldComments = (struct: Struct<Fields>, margin: string): string =>
  Object.entries(struct.fields)
    .map(([name, { codec, isRequired }]) => {
      const { text, example } = meaningOf(struct, name)
      const shown = example === undefined ? '' : ` Example: ${JSON.stringify(example)}`
      const inner = structOf(codec)
      return (
        `--${margin}${name}${isList(codec) ? '[]' : ''}${isRequired ? '*' : ''}: ${text}${shown}\n` +
        (inner === undefined ? '' : fieldComments(inner, `${margin}    `))
      )
    })
    .join('')

/** The files of the example by name: exports in Latin-1, as of a Windows program, and the mapping. */
const exampleFiles = (): ReadonlyMap<string, Buffer> =>
  new Map([
    ['customers.csv', Buffer.from(customers, 'latin1')],
    ['contracts.csv', Buffer.from(contracts, 'latin1')],
    ['payments.csv', Buffer.from(payments, 'latin1')],
    ['mapping.sql', Buffer.from(query + fieldComments(accountPayload as unknown as Struct<Fields>, '   '))],
  ])

/** The files that `--init` writes into a folder: those of the kind of files that its name is, or the example. */
const filesFor = (folder: string): Promise<ReadonlyMap<string, Buffer>> | ReadonlyMap<string, Buffer> =>
  isTemplate(basename(folder)) ? templateFiles(basename(folder)) : exampleFiles()

/** Writes a mapping with its files into a folder without replacing files. Rejects with `output_not_writable`. */
export const writeExample = async (folder: string): Promise<readonly string[]> => {
  const files = await filesFor(folder)
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, content] of files) await writeFile(join(folder, name), content, { flag: 'wx' })
    return [...files.keys()]
  } catch (cause) {
    throw new FileFailure(
      'output_not_writable',
      `${folder} cannot be filled (${reasonOf(cause)}). Name a new folder.`,
    )
  }
}
