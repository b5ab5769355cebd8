-- include instants.sql
-- Times of the clock that name the end of an hour, with 1 for summer time: 2025/10/26 03:00 and 1 end the first of the hours from
-- 02:00, with 0 the second comes an hour later. 00:00 and 24:00 end a day. No rule of time zones is needed.
CREATE TEMP MACRO end_of_hour(clock, summer) AS timezone('UTC',
  try_strptime(left(clock, 10), ['%Y/%m/%d', '%d/%m/%Y']) + to_minutes(60 * CAST(substr(clock, 12, 2) AS INTEGER) + CAST(substr(clock, 15, 2) AS INTEGER))
  - to_hours(1 + CAST(summer AS INTEGER)));
