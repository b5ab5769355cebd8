-- Supplies and hourly consumption of Datadis: kilowatt hours with a decimal comma; hours 01:00 to 24:00 (25:00 on the long day) name their
-- end, rows of i-DE of 2026 have 00:00 to 23:00, and name their begin. contracts.csv is your own table of accounts.
-- source contracts = contracts.csv; delimiter ';'; key cuenta
-- source supplies = supplies.csv; delimiter ';'; key left(cups, 20) as cups; sum 1 as supplies = supply_addresses[].supply_points[]
-- source consumption = consumption.csv; delimiter ';'; key left(cups, 20) as cups; sum CAST(replace(consumo_kWh, ',', '.') AS DECIMAL(18, 3)) as kwh = supply_addresses[].supply_points[].readings[].consumption_delta

-- include numbered-hours.sql
CREATE TEMP TABLE hours AS SELECT
  left(cups, 20) AS cups,
  CAST(strptime(fecha, '%Y/%m/%d') AS DATE) AS day,
  CAST(left(hora, 2) AS INTEGER) AS label,
  replace(consumo_kWh, ',', '.') AS kwh,
  CASE metodoObtencion WHEN 'Real' THEN 0 WHEN 'Estimada' THEN 1 END AS source, -- numbers of your own
  _line
FROM consumption;
CREATE TEMP TABLE instants AS SELECT *,
  midnight(day) + to_hours(number_of_hour(label, row_number() OVER (PARTITION BY cups, day ORDER BY label, _line),
    count(*) OVER one_day, min(label) OVER one_day, max(label) OVER one_day, hours_of(day))) AS ending
FROM hours WINDOW one_day AS (PARTITION BY cups, day);
CREATE TEMP TABLE readings AS SELECT
  cups,
  utc_text(ending - to_hours(1)) AS interval_start,
  utc_text(ending) AS interval_end,
  kwh AS consumption_delta,
  source
FROM instants;

-- One row of the query is one account: a row of contracts.csv, your own table, with its
-- supply and its readings of Datadis. Columns and
-- structs have the names of fields: docs/reference/fields.md. A column that begins with _ names the source row of the account.
SELECT
  getvariable('supplier') AS import_supplier,
  c.cuenta AS external_account_number,
  c.cuenta AS _cuenta,
  left(c.cups, 20) AS _cups, -- the first 20 characters are the supply point
-- include customer.sql
  [{
    supply_address: {
      locality: s.municipality,
      administrative_area: s.province,
      postal_code: s.postalCode,
      country: 'ES',
      structured_street_address: { street_type: c.via, street_name: c.calle, street_number: c.numero }
    },
    customer_at_supply_address_from_date: replace(s.validDateFrom, '/', '-'),
    supply_points: [{
      identifier: s.cups,
      distributor_ree_code: c.distribuidora, -- distributorCode of Datadis is another number
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
FROM contracts c JOIN supplies s ON left(s.cups, 20) = left(c.cups, 20)
ORDER BY c.cuenta
