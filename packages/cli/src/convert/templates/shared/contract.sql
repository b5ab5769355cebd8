-- One row of the query is one account: a row of contracts.csv, your own table, with the readings of its supply point. Columns and
-- structs have the names of fields: docs/reference/fields.md. A column that begins with _ names the source row of the account.
SELECT
  getvariable('supplier') AS import_supplier,
  c.cuenta AS external_account_number,
  c.cuenta AS _cuenta,
  left(c.cups, 20) AS _cups, -- the first 20 characters are the supply point
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
      }],
      readings: (SELECT list({
          meter_serial_number: c.contador,
          interval_start: r.interval_start,
          interval_end: r.interval_end,
          consumption_delta: r.consumption_delta,
          source: r.source
        } ORDER BY r.interval_start)
        FROM readings r WHERE r.cups = left(c.cups, 20))
    }]
  }] AS supply_addresses
FROM contracts c
ORDER BY c.cuenta
