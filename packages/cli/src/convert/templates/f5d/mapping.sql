-- Hourly consumption F5D of REE: no header, a semicolon at the end of each line, whole watt hours, the end of each hour and 1 for
-- summer time. The file names its supply points; contracts.csv is your own table of accounts.
-- source contracts = contracts.csv; delimiter ';'; key cuenta
-- source f5d = f5d.txt; delimiter ';'; quote none; encoding iso-8859-15; columns cups, hora, verano, entrada_wh, salida_wh, r1, r2, r3, r4, metodo, firme, factura; last empty; key left(cups, 20) as cups; sum CAST(entrada_wh AS DECIMAL(18, 3)) * 0.001 as kwh = supply_addresses[].supply_points[].readings[].consumption_delta

-- include season-hours.sql
CREATE TEMP TABLE readings AS SELECT
  left(cups, 20) AS cups,
  utc_text(end_of_hour(hora, verano) - to_hours(1)) AS interval_start,
  utc_text(end_of_hour(hora, verano)) AS interval_end,
  CAST(CAST(entrada_wh AS DECIMAL(18, 3)) * 0.001 AS VARCHAR) AS consumption_delta,
  CAST(metodo AS INTEGER) AS source -- 1 to 6: how the value was obtained; other sources have other numbers
FROM f5d;

-- include contract.sql
