-- Views of created accounts, for PostgreSQL 14 or later: docs/how-to/query-with-sql.md

CREATE VIEW account_details AS
SELECT organisation, import_supplier, external_account_number, platform_account_number,
       CAST(CASE WHEN payload NOT LIKE 'enc:%' THEN payload ELSE remains END AS JSONB) AS details
FROM account_imports
WHERE state = 'created';

CREATE VIEW account_customers AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       c.ordinal, c.value ->> 'given_name' AS given_name, c.value ->> 'family_name' AS family_name,
       c.value ->> 'email' AS email, c.value ->> 'mobile' AS mobile, c.value ->> 'landline' AS landline
FROM account_details AS a,
     JSONB_PATH_QUERY(a.details, '$.customers[*]') WITH ORDINALITY AS c (value, ordinal);

CREATE VIEW account_supply_points AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       s.address, p.ordinal, s.value #>> '{supply_address,postal_code}' AS postal_code,
       p.value ->> 'identifier' AS identifier, p.value ->> 'supply_type' AS supply_type,
       CAST(p.value ->> 'supply_start_date' AS DATE) AS supply_start_date
FROM account_details AS a,
     JSONB_PATH_QUERY(a.details, '$.supply_addresses[*]') WITH ORDINALITY AS s (value, address),
     JSONB_PATH_QUERY(s.value, '$.supply_points[*]') WITH ORDINALITY AS p (value, ordinal);

CREATE VIEW account_agreements AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       p.value ->> 'identifier' AS identifier, g.ordinal, g.value ->> 'tariff_code' AS tariff_code,
       CAST(g.value ->> 'effective_from' AS DATE) AS effective_from,
       CAST(g.value ->> 'effective_to' AS DATE) AS effective_to
FROM account_details AS a,
     JSONB_PATH_QUERY(a.details, '$.supply_addresses[*].supply_points[*]') AS p (value),
     JSONB_PATH_QUERY(p.value, '$.agreements[*]') WITH ORDINALITY AS g (value, ordinal);

CREATE VIEW account_ledgers AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       l.ordinal, l.value ->> 'ledger_code' AS ledger_code,
       CAST(l.value ->> 'ledger_balance' AS NUMERIC(12, 2)) AS ledger_balance,
       CAST(l.value ->> 'last_statement_balance' AS NUMERIC(12, 2)) AS last_statement_balance,
       CAST(l.value ->> 'last_statement_closing_date' AS DATE) AS last_statement_closing_date
FROM account_details AS a,
     JSONB_PATH_QUERY(a.details, '$.ledgers[*]') WITH ORDINALITY AS l (value, ordinal);

CREATE VIEW account_transactions AS
SELECT t.organisation, t.import_supplier, t.external_account_number, t.ledger, t.period,
       t.content ->> 'transaction_id' AS transaction_id,
       CAST(t.content ->> 'transaction_date' AS DATE) AS transaction_date,
       CAST(t.content ->> 'amount' AS NUMERIC(12, 2)) AS amount,
       t.content ->> 'type' AS type, t.content ->> 'reason' AS reason
FROM (
  SELECT a.organisation, a.import_supplier, a.external_account_number, l.ledger, 'current' AS period, c.value AS content
  FROM account_details AS a,
       JSONB_PATH_QUERY(a.details, '$.ledgers[*]') WITH ORDINALITY AS l (value, ledger),
       JSONB_PATH_QUERY(l.value, '$.current_statement_transactions[*]') AS c (value)
  UNION ALL
  SELECT a.organisation, a.import_supplier, a.external_account_number, l.ledger, 'historical', h.value
  FROM account_details AS a,
       JSONB_PATH_QUERY(a.details, '$.ledgers[*]') WITH ORDINALITY AS l (value, ledger),
       JSONB_PATH_QUERY(l.value, '$.historical_statement_transactions[*]') AS h (value)
  UNION ALL
  SELECT a.organisation, a.import_supplier, a.external_account_number, NULL, 'current', o.value
  FROM account_details AS a, JSONB_PATH_QUERY(a.details, '$.transactions_without_ledger[*]') AS o (value)
  UNION ALL
  SELECT i.organisation, i.import_supplier, i.external_account_number,
         CAST(i.content ->> 'ledger' AS BIGINT) + 1, 'current', i.content -> 'transaction'
  FROM (
    SELECT organisation, import_supplier, external_account_number,
           CAST(CASE WHEN content LIKE '{%' THEN content END AS JSONB) AS content
    FROM account_items
    WHERE kind = 'transaction'
  ) AS i
  WHERE i.content IS NOT NULL
) AS t;
