-- Views of created accounts, for SQLite: docs/how-to/query-with-sql.md
-- Amounts of money are texts with two places, because SQLite would round them; cents are integers.

CREATE VIEW account_details AS
SELECT organisation, import_supplier, external_account_number, platform_account_number,
       CASE WHEN payload NOT LIKE 'enc:%' THEN payload ELSE remains END AS details
FROM account_imports
WHERE state = 'created';

CREATE VIEW account_customers AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       c.key + 1 AS ordinal, c.value ->> 'given_name' AS given_name, c.value ->> 'family_name' AS family_name,
       c.value ->> 'email' AS email, c.value ->> 'mobile' AS mobile, c.value ->> 'landline' AS landline
FROM account_details AS a, json_each(a.details, '$.customers') AS c;

CREATE VIEW account_supply_points AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       s.key + 1 AS address, p.key + 1 AS ordinal, s.value ->> '$.supply_address.postal_code' AS postal_code,
       p.value ->> 'identifier' AS identifier, p.value ->> 'supply_type' AS supply_type,
       p.value ->> 'supply_start_date' AS supply_start_date
FROM account_details AS a,
     json_each(a.details, '$.supply_addresses') AS s,
     json_each(s.value, '$.supply_points') AS p;

CREATE VIEW account_agreements AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       p.value ->> 'identifier' AS identifier, g.key + 1 AS ordinal, g.value ->> 'tariff_code' AS tariff_code,
       g.value ->> 'effective_from' AS effective_from, g.value ->> 'effective_to' AS effective_to
FROM account_details AS a,
     json_each(a.details, '$.supply_addresses') AS s,
     json_each(s.value, '$.supply_points') AS p,
     json_each(p.value, '$.agreements') AS g;

CREATE VIEW account_ledgers AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       l.key + 1 AS ordinal, l.value ->> 'ledger_code' AS ledger_code,
       CASE WHEN l.value ->> 'ledger_balance' IS NOT NULL
         THEN printf('%.2f', l.value ->> 'ledger_balance') END AS ledger_balance,
       CASE WHEN l.value ->> 'last_statement_balance' IS NOT NULL
         THEN printf('%.2f', l.value ->> 'last_statement_balance') END AS last_statement_balance,
       l.value ->> 'last_statement_closing_date' AS last_statement_closing_date,
       CAST(ROUND((l.value ->> 'ledger_balance') * 100) AS INTEGER) AS cents
FROM account_details AS a, json_each(a.details, '$.ledgers') AS l;

CREATE VIEW account_transactions AS
SELECT t.organisation, t.import_supplier, t.external_account_number, t.ledger, t.period,
       t.content ->> 'transaction_id' AS transaction_id, t.content ->> 'transaction_date' AS transaction_date,
       printf('%.2f', t.content ->> 'amount') AS amount, t.content ->> 'type' AS type, t.content ->> 'reason' AS reason,
       CAST(ROUND((t.content ->> 'amount') * 100) AS INTEGER) AS cents
FROM (
  SELECT a.organisation, a.import_supplier, a.external_account_number,
         l.key + 1 AS ledger, 'current' AS period, c.value AS content
  FROM account_details AS a, json_each(a.details, '$.ledgers') AS l,
       json_each(l.value, '$.current_statement_transactions') AS c
  UNION ALL
  SELECT a.organisation, a.import_supplier, a.external_account_number, l.key + 1, 'historical', h.value
  FROM account_details AS a, json_each(a.details, '$.ledgers') AS l,
       json_each(l.value, '$.historical_statement_transactions') AS h
  UNION ALL
  SELECT a.organisation, a.import_supplier, a.external_account_number, NULL, 'current', o.value
  FROM account_details AS a, json_each(a.details, '$.transactions_without_ledger') AS o
  UNION ALL
  SELECT i.organisation, i.import_supplier, i.external_account_number,
         i.content ->> '$.ledger' + 1, 'current', i.content -> '$.transaction'
  FROM account_items AS i
  WHERE i.kind = 'transaction' AND i.content LIKE '{%'
) AS t;
