-- An instant as the text of a field. Spain has days of 23 and 25 hours: only instants in UTC are counted and compared.
CREATE TEMP MACRO utc_text(instant) AS strftime(timezone('UTC', instant), '%Y-%m-%dT%H:%M:%SZ');
