-- include instants.sql
-- Days whose hours have numbers or times of the clock, in the zone of the mainland; 'Atlantic/Canary' is that of the islands.
CREATE TEMP MACRO midnight(day) AS timezone('Europe/Madrid', CAST(day AS TIMESTAMP));
CREATE TEMP MACRO hours_of(day) AS date_diff('hour', midnight(day), midnight(CAST(day + INTERVAL 1 DAY AS DATE)));
-- The number of an hour in its day, from 1. A day with all of its hours is counted in the order of its labels, whatever they are: 1
-- to 24, 1 to 25, 0 to 23, or times of the clock with one twice or left out. In a day without all hours a label is the number if the
-- day has 24 hours and a label 24, or is one too low if it has a label 0; else the hour is not known, and its account has an error.
CREATE TEMP MACRO number_of_hour(label, place, labels, first, last, hours) AS CASE
  WHEN labels = hours THEN place
  WHEN hours = 24 AND last = 24 AND first > 0 THEN label
  WHEN hours = 24 AND first = 0 AND last < 24 THEN label + 1
  END;
