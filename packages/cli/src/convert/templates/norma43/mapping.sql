-- Bank movements by norma 43: records of fixed width, here one column. Record 22 is a movement: the day of the movement at 11 and the day of
-- value at 17, both YYMMDD; 1 for a debit of your account at the bank and 2 for a credit at 28; the amount without decimal sign at 29;
-- references at 53 and 65, where this mapping expects the number of the account. contracts.csv is your own table of accounts.
-- source contracts = contracts.csv; delimiter ';'; key cuenta
-- source records = movements.n43; delimiter tab; quote none; encoding iso-8859-15; columns record; key trim(substr(record, 65, 16)) as cuenta; ignore left(record, 2) <> '22'; ignore trim(substr(record, 65, 16)) = 'COMISION'; sum CAST(substr(record, 29, 14) AS DECIMAL(18, 2)) * 0.01 as amount = ledgers[].current_statement_transactions[].amount

CREATE TEMP TABLE movements AS SELECT
  trim(substr(record, 65, 16)) AS cuenta,
  'N43-' || substr(record, 11, 6) || '-' || _line AS id,
  '20' || substr(record, 11, 2) || '-' || substr(record, 13, 2) || '-' || substr(record, 15, 2) AS day,
  CAST(CAST(CAST(substr(record, 29, 14) AS DECIMAL(18, 2)) * 0.01 AS DECIMAL(18, 2)) AS VARCHAR) AS amount,
  CASE substr(record, 28, 1) WHEN '2' THEN 'PAYMENT' WHEN '1' THEN 'REPAYMENT' END AS type,
  substr(record, 43, 10) AS document
FROM records;

-- One row of the query is one account: a row of contracts.csv, your own table, with its movements. Columns and
-- structs have the names of fields: docs/reference/fields.md. A column that begins with _ names the source row of the account.
SELECT
  getvariable('supplier') AS import_supplier,
  c.cuenta AS external_account_number,
  c.cuenta AS _cuenta,
-- include customer.sql
-- include address.sql
    supply_points: [{
      identifier: c.cups,
      distributor_ree_code: c.distribuidora,
      supply_type: 'ELECTRICITY',
      supply_start_date: c.alta,
      last_billed_to_date: c.facturado,
      atr_tariffs: [{ value: c.tarifa, valid_from: c.alta }],
      agreements: [{
        tariff_code: 'LUZ-HOGAR',
        effective_from: c.alta,
        cnae: '9820',
        contractual_max_power: list_transform(range(6), lambda _: CAST(c.potencia_w AS INTEGER))
      }]
    }]
  }] AS supply_addresses,
  [{
    ledger_code: 'SPAIN_ELECTRICITY_LEDGER',
    last_statement_closing_date: c.facturado,
    current_statement_transactions: (SELECT list({
        transaction_id: m.id,
        transaction_date: m.day,
        amount: m.amount,
        type: m.type,
        payment_type: 'BANK_TRANSFER',
        reference: m.document
      } ORDER BY m.id)
      FROM movements m WHERE m.cuenta = c.cuenta)
  }] AS ledgers
FROM contracts c
ORDER BY c.cuenta
