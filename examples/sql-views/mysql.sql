-- Views of created accounts, for MySQL 8 or later and MariaDB 10.6 or later: docs/how-to/query-with-sql.md
-- CONCAT is for MySQL 9, whose JSON_TABLE refuses a column of another view (error 1210).

CREATE OR REPLACE VIEW account_details AS
SELECT organisation, import_supplier, external_account_number, platform_account_number,
       CASE WHEN payload NOT LIKE 'enc:%' THEN CONVERT(payload USING utf8mb4) ELSE remains END AS details
FROM account_imports
WHERE state = 'created';

CREATE OR REPLACE VIEW account_customers AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       c.ordinal, c.given_name, c.family_name, c.email, c.mobile, c.landline
FROM account_details AS a,
     JSON_TABLE(CONCAT(a.details), '$.customers[*]' COLUMNS (
       ordinal FOR ORDINALITY,
       given_name VARCHAR(255) PATH '$.given_name',
       family_name VARCHAR(255) PATH '$.family_name',
       email VARCHAR(255) PATH '$.email',
       mobile VARCHAR(32) PATH '$.mobile',
       landline VARCHAR(32) PATH '$.landline'
     )) AS c;

CREATE OR REPLACE VIEW account_supply_points AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       p.address, p.ordinal, p.postal_code, p.identifier, p.supply_type, p.supply_start_date
FROM account_details AS a,
     JSON_TABLE(CONCAT(a.details), '$.supply_addresses[*]' COLUMNS (
       address FOR ORDINALITY,
       postal_code VARCHAR(512) PATH '$.supply_address.postal_code',
       NESTED PATH '$.supply_points[*]' COLUMNS (
         ordinal FOR ORDINALITY,
         identifier VARCHAR(64) PATH '$.identifier',
         supply_type VARCHAR(16) PATH '$.supply_type',
         supply_start_date DATE PATH '$.supply_start_date'
       )
     )) AS p
WHERE p.identifier IS NOT NULL;

CREATE OR REPLACE VIEW account_agreements AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       g.identifier, g.ordinal, g.tariff_code, g.effective_from, g.effective_to
FROM account_details AS a,
     JSON_TABLE(CONCAT(a.details), '$.supply_addresses[*].supply_points[*]' COLUMNS (
       identifier VARCHAR(64) PATH '$.identifier',
       NESTED PATH '$.agreements[*]' COLUMNS (
         ordinal FOR ORDINALITY,
         tariff_code VARCHAR(255) PATH '$.tariff_code',
         effective_from DATE PATH '$.effective_from',
         effective_to DATE PATH '$.effective_to'
       )
     )) AS g
WHERE g.tariff_code IS NOT NULL;

CREATE OR REPLACE VIEW account_ledgers AS
SELECT a.organisation, a.import_supplier, a.external_account_number, a.platform_account_number,
       l.ordinal, l.ledger_code, l.ledger_balance, l.last_statement_balance, l.last_statement_closing_date
FROM account_details AS a,
     JSON_TABLE(CONCAT(a.details), '$.ledgers[*]' COLUMNS (
       ordinal FOR ORDINALITY,
       ledger_code VARCHAR(128) PATH '$.ledger_code',
       ledger_balance DECIMAL(12, 2) PATH '$.ledger_balance',
       last_statement_balance DECIMAL(12, 2) PATH '$.last_statement_balance',
       last_statement_closing_date DATE PATH '$.last_statement_closing_date'
     )) AS l;

CREATE OR REPLACE VIEW account_transactions AS
SELECT a.organisation, a.import_supplier, a.external_account_number,
       t.ledger, 'current' AS period, t.transaction_id, t.transaction_date, t.amount, t.type, t.reason
FROM account_details AS a,
     JSON_TABLE(CONCAT(a.details), '$.ledgers[*]' COLUMNS (
       ledger FOR ORDINALITY,
       NESTED PATH '$.current_statement_transactions[*]' COLUMNS (
         transaction_id VARCHAR(255) PATH '$.transaction_id',
         transaction_date DATE PATH '$.transaction_date',
         amount DECIMAL(12, 2) PATH '$.amount',
         type VARCHAR(16) PATH '$.type',
         reason VARCHAR(128) PATH '$.reason'
       )
     )) AS t
WHERE t.transaction_id IS NOT NULL
UNION ALL
SELECT a.organisation, a.import_supplier, a.external_account_number,
       t.ledger, 'historical' AS period, t.transaction_id, t.transaction_date, t.amount, t.type, t.reason
FROM account_details AS a,
     JSON_TABLE(CONCAT(a.details), '$.ledgers[*]' COLUMNS (
       ledger FOR ORDINALITY,
       NESTED PATH '$.historical_statement_transactions[*]' COLUMNS (
         transaction_id VARCHAR(255) PATH '$.transaction_id',
         transaction_date DATE PATH '$.transaction_date',
         amount DECIMAL(12, 2) PATH '$.amount',
         type VARCHAR(16) PATH '$.type',
         reason VARCHAR(128) PATH '$.reason'
       )
     )) AS t
WHERE t.transaction_id IS NOT NULL
UNION ALL
SELECT a.organisation, a.import_supplier, a.external_account_number,
       NULL, 'current', t.transaction_id, t.transaction_date, t.amount, t.type, t.reason
FROM account_details AS a,
     JSON_TABLE(CONCAT(a.details), '$.transactions_without_ledger[*]' COLUMNS (
       transaction_id VARCHAR(255) PATH '$.transaction_id',
       transaction_date DATE PATH '$.transaction_date',
       amount DECIMAL(12, 2) PATH '$.amount',
       type VARCHAR(16) PATH '$.type',
       reason VARCHAR(128) PATH '$.reason'
     )) AS t
UNION ALL
SELECT i.organisation, i.import_supplier, i.external_account_number,
       t.ledger + 1, 'current', t.transaction_id, t.transaction_date, t.amount, t.type, t.reason
FROM account_items AS i,
     JSON_TABLE(CASE WHEN i.content LIKE '{%' THEN i.content END, '$' COLUMNS (
       ledger INT PATH '$.ledger',
       transaction_id VARCHAR(255) PATH '$.transaction.transaction_id',
       transaction_date DATE PATH '$.transaction.transaction_date',
       amount DECIMAL(12, 2) PATH '$.transaction.amount',
       type VARCHAR(16) PATH '$.transaction.type',
       reason VARCHAR(128) PATH '$.transaction.reason'
     )) AS t
WHERE i.kind = 'transaction';
