-- Hourly file of e-distribución for customers: kilowatt hours with a decimal comma, hours 1 to 24 (25 on the long day) that name their end.
-- contracts.csv is your own table of accounts.
-- source contracts = contracts.csv; delimiter ';'; key cuenta
-- source consumos = consumos.csv; delimiter ';'; key left(CUPS, 20) as cups; sum CAST(replace(AE_kWh, ',', '.') AS DECIMAL(18, 3)) as kwh = supply_addresses[].supply_points[].readings[].consumption_delta

-- include numbered-hours.sql
CREATE TEMP TABLE hours AS SELECT
  left(CUPS, 20) AS cups,
  CAST(strptime(Fecha, '%d/%m/%Y') AS DATE) AS day,
  CAST(Hora AS INTEGER) AS label,
  replace(AE_kWh, ',', '.') AS kwh,
  CASE "REAL/ESTIMADO" WHEN 'R' THEN 0 WHEN 'E' THEN 1 END AS source, -- numbers of your own
  _line
FROM consumos;
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

-- include contract.sql
