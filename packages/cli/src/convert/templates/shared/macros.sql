-- The macros change texts of the form in their comment. Other texts stay as they are, and the check finds them.
-- 1.204,10
CREATE TEMP MACRO decimal_of(x) AS CASE
  WHEN regexp_full_match(x, '-?(\d+|\d{1,3}(\.\d{3})+),\d{1,2}') THEN replace(replace(x, '.', ''), ',', '.') ELSE x END;
-- 31/12/2025
CREATE TEMP MACRO day_of(x) AS CASE
  WHEN regexp_full_match(x, '\d{2}/\d{2}/\d{4}') THEN coalesce(strftime(try_strptime(x, '%d/%m/%Y'), '%Y-%m-%d'), x) ELSE x END;
-- 4,6 kilowatts in each of six periods, in watts
CREATE TEMP MACRO watts_of(x) AS list_transform(range(6), lambda _: CASE
  WHEN regexp_full_match(x, '\d{1,3}(,\d{1,3})?') THEN to_json(CAST(CAST(replace(x, ',', '.') AS DECIMAL(9, 3)) * 1000 AS INTEGER))
  ELSE to_json(x) END);
