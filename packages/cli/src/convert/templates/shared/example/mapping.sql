-- The files beside this one, and all that their reader has to know; it guesses nothing. The encoding is utf-8 and the quote '"' unless
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

-- include macros.sql

SELECT
  getvariable('supplier') AS import_supplier,
  'L-' || c.cliente AS external_account_number,
  c.cliente AS _cliente,
  'DOMESTIC' AS account_type,
-- include customer.sql
  (SELECT list({
      supply_address: {
        locality: c.ciudad,
        administrative_area: c.provincia,
        postal_code: regexp_replace(c.cp, '^(\d{4})$', '0\1'), -- of 8207 a spreadsheet removed the leading zero
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
