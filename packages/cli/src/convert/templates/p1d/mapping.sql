-- Hourly measures P1D of REE: no header, a semicolon at the end of each line, kilowatt hours with three decimals, the end of each hour
-- with its seconds and 1 for summer time; behind each measure its quality. contracts.csv is your own table of accounts.
-- source contracts = contracts.csv; delimiter ';'; key cuenta
-- source p1d = p1d.txt; delimiter ';'; quote none; encoding iso-8859-15; columns cups, tipo, hora, verano, entrada_kwh, q_entrada, salida_kwh, q_salida, r1, q_r1, r2, q_r2, r3, q_r3, r4, q_r4, reserva_1, q_reserva_1, reserva_2, q_reserva_2, metodo, firme; last empty; key left(cups, 20) as cups; sum CAST(entrada_kwh AS DECIMAL(18, 3)) as kwh = supply_addresses[].supply_points[].readings[].consumption_delta

-- include season-hours.sql
CREATE TEMP TABLE readings AS SELECT
  left(cups, 20) AS cups,
  utc_text(end_of_hour(hora, verano) - to_hours(1)) AS interval_start,
  utc_text(end_of_hour(hora, verano)) AS interval_end,
  entrada_kwh AS consumption_delta,
  CAST(metodo AS INTEGER) AS source -- how the value was obtained; other sources have other numbers
FROM p1d;

-- include contract.sql
