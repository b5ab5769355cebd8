-- Hourly file of i-DE for customers: a semicolon at the end of each line, whole watt hours, the end of each hour; INV / VER is 1 in summer
-- time. A newer file in CONSUMO kWh needs no factor. contracts.csv is your own table of accounts.
-- source contracts = contracts.csv; delimiter ';'; key cuenta
-- source consumos = consumos.csv; delimiter ';'; last empty; key left(CUPS, 20) as cups; sum CAST("CONSUMO Wh" AS DECIMAL(18, 3)) * 0.001 as kwh = supply_addresses[].supply_points[].readings[].consumption_delta

-- include season-hours.sql
CREATE TEMP TABLE readings AS SELECT
  left(CUPS, 20) AS cups,
  utc_text(end_of_hour("FECHA-HORA", "INV / VER") - to_hours(1)) AS interval_start,
  utc_text(end_of_hour("FECHA-HORA", "INV / VER")) AS interval_end,
  CAST(CAST("CONSUMO Wh" AS DECIMAL(18, 3)) * 0.001 AS VARCHAR) AS consumption_delta,
  CAST(NULL AS INTEGER) AS source -- the file does not say how a value was obtained
FROM consumos;

-- include contract.sql
