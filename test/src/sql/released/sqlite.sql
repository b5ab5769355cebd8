-- On an empty database
create table `organisations` (`code` varchar(64) not null, `name` text not null, `created_at` datetime not null, primary key (`code`))
create table `import_suppliers` (`code` varchar(32) not null, `organisation` varchar(64) not null, `status` varchar(16) not null, `settings` text not null, primary key (`code`))
create table `operations_teams` (`name` varchar(255) not null, primary key (`name`))
create table `api_keys` (`id` varchar(64) not null, `organisation` varchar(64) not null, `secret_hash` varchar(64) not null, `scopes` text not null, `created_at` datetime not null, `expires_at` datetime, `revoked_at` datetime, primary key (`id`))
create table `refresh_tokens` (`hash` varchar(64) not null, `api_key_id` varchar(64) not null, `expires_at` datetime not null, primary key (`hash`))
create index `refresh_tokens_by_end` on `refresh_tokens` (`expires_at`)
-- 0001-registers ends here
create table `account_imports` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `staged_version` integer not null, `first_staged_at` datetime, `staged_at` datetime, `staging_id` varchar(64), `state` varchar(8) not null, `skipped` boolean not null, `claim_token` varchar(64), `claim_expires_at` datetime, `holds_slot` boolean not null, `attempts` integer not null, `latest_failure_code` varchar(128), `latest_failure_at` datetime, `platform_account_number` varchar(32), `account_created_at` datetime, `created_version` integer, primary key (`organisation`, `import_supplier`, `external_account_number`))
create index `account_imports_lists` on `account_imports` (`organisation`, `import_supplier`, `state`, `external_account_number`)
create table `staged_accounts` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `version` integer not null, `payload` text not null, primary key (`organisation`, `import_supplier`, `external_account_number`))
create table `processing_slots` (`slot` integer not null, `claim_token` varchar(64), `expires_at` datetime, primary key (`slot`))
-- 0002-account-imports ends here
create table `accounts` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `platform_account_number` varchar(32) not null, `operations_team` varchar(255) not null, `staged_version` integer not null, `created_at` datetime not null, `account_type` varchar(64) not null, `billing_name` varchar(510), `billing_address1` varchar(512), `billing_address2` varchar(512), `billing_address3` varchar(512), `billing_address4` varchar(512), `billing_address5` varchar(512), `billing_postcode` varchar(512), `sales_channel` varchar(128) not null, `sales_subchannel` varchar(255), `unknown_occupier` boolean not null, `communication_preference` varchar(16) not null, primary key (`organisation`, `import_supplier`, `platform_account_number`))
create unique index `accounts_by_import` on `accounts` (`organisation`, `import_supplier`, `external_account_number`)
create unique index `accounts_by_number` on `accounts` (`platform_account_number`)
create table `customers` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `account_roles` text not null, `user_details` text not null, `given_name` varchar(255), `family_name` varchar(255), `email` varchar(255), `mobile` varchar(32), `landline` varchar(32), primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `supply_addresses` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `locality` varchar(512), `administrative_area` varchar(512), `postal_code` varchar(512), `country` varchar(2) not null, `has_street_address` boolean not null, `street_type` varchar(255), `street_name` varchar(255), `street_number` varchar(255), `door` varchar(255), `floor` varchar(255), `gate` varchar(255), `stair` varchar(255), `block` varchar(255), `address_extra_info` varchar(255), `customer_at_supply_address_from_date` date not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `supply_points` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `address_ordinal` integer not null, `ordinal` integer not null, `identifier` varchar(64) not null, `distributor_ree_code` varchar(16), `supply_type` varchar(16) not null, `supply_start_date` date not null, `last_billed_to_date` date, `atr_tariffs` text not null, `readings` text not null, `billable_items` text not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `address_ordinal`, `ordinal`))
create table `agreements` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `address_ordinal` integer not null, `point_ordinal` integer not null, `ordinal` integer not null, `tariff_code` varchar(255) not null, `effective_from` date not null, `effective_to` date, `cnae` varchar(16), `contractual_max_power` text, `annual_consumption` varchar(32), `estimated_monthly_fee_in_cents` bigint, `social_bonus_identifier` varchar(255), `atr_type` varchar(64), primary key (`organisation`, `import_supplier`, `platform_account_number`, `address_ordinal`, `point_ordinal`, `ordinal`))
create table `ledgers` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `ledger_code` varchar(128) not null, `last_statement_balance` float, `last_statement_closing_date` date, `ledger_balance` float, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `transactions` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ledger_ordinal` integer not null, `period` varchar(16) not null, `ordinal` integer not null, `transaction_id` varchar(255) not null, `transaction_date` date not null, `amount` float not null, `type` varchar(16) not null, `reason` varchar(128), `reference` varchar(255), `payment_type` varchar(64), `display_note` text, `note` text, `product_code` varchar(255), `line_items` text not null, `tax_items` text not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ledger_ordinal`, `period`, `ordinal`))
create table `statements` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `bill_period_from_date` date not null, `bill_period_to_date` date not null, `statement_path` varchar(1024), `statement_id` varchar(255) not null, `supply_type` varchar(16), primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `notes` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `body` text, `document_paths` text not null, `created_at` datetime not null, `is_pinned` boolean not null, `unpin_at` datetime, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `payment_schedules` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `means` varchar(16) not null, `start_date` date not null, `end_date` date, `payment_trigger` varchar(16) not null, `amount` float, `frequency` varchar(16), `day_of_month` integer, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `account_references` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `namespace` varchar(50) not null, `value` varchar(100) not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `account_metadata` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `metadata_key` varchar(1024) not null, `value` text not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
-- 0003-accounts ends here
PRAGMA table_info(`notes`)
alter table `notes` add column `content_digest` varchar(64)
alter table `notes` add column `identity_time` varchar(20)
select `organisation` as `organisation`, `code` as `import_supplier` from `import_suppliers`
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","notes","notes_by_content",1]
create unique index `notes_by_content` on `notes` (`organisation`, `import_supplier`, `platform_account_number`, `content_digest`, `identity_time`)
PRAGMA table_info(`statements`)
alter table `statements` add column `issued_date` date
alter table `statements` add column `number` varchar(255)
alter table `statements` add column `gross_amount` float
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","statements","statements_by_id",1]
create unique index `statements_by_id` on `statements` (`organisation`, `import_supplier`, `platform_account_number`, `statement_id`)
create table `payment_instructions` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `vendor` varchar(64) not null, `reference` varchar(512) not null, `type` varchar(16) not null, `details` text not null, `created_at` datetime not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","payment_instructions","payment_instructions_by_reference",1]
create unique index `payment_instructions_by_reference` on `payment_instructions` (`organisation`, `import_supplier`, `platform_account_number`, `vendor`, `reference`)
-- 0004-post-import ends here
create table `customer_emails` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `id` varchar(64) not null, `platform_account_number` varchar(32) not null, `language` varchar(8) not null, `enqueued_at` datetime not null, `state` varchar(8) not null, `due_at` datetime, `claim_token` varchar(64), `settled_at` datetime, `attempts` integer not null, `served` text not null, `latest_failure_code` varchar(128), `latest_failure_at` datetime, primary key (`organisation`, `import_supplier`, `external_account_number`))
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","customer_emails","customer_emails_by_id",1]
create unique index `customer_emails_by_id` on `customer_emails` (`id`)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","customer_emails","customer_emails_due",1]
create index `customer_emails_due` on `customer_emails` (`state`, `due_at`)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","customer_emails","customer_emails_lists",1]
create index `customer_emails_lists` on `customer_emails` (`organisation`, `import_supplier`, `state`, `external_account_number`)
-- 0005-outbox ends here
PRAGMA table_info(`transactions`)
alter table `transactions` add column `copy` integer not null default '0'
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","transactions","transactions_by_id",1]
create unique index `transactions_by_id` on `transactions` (`organisation`, `import_supplier`, `platform_account_number`, `transaction_id`, `copy`)
-- 0006-transactions ends here
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_staged",1]
create index `account_imports_staged` on `account_imports` (`organisation`, `import_supplier`, `state`, `first_staged_at`, `external_account_number`)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_summary",1]
create index `account_imports_summary` on `account_imports` (`organisation`, `import_supplier`, `state`, `latest_failure_code`, `claim_expires_at`)
-- 0007-staged-and-summary ends here
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_pages",1]
create index `account_imports_pages` on `account_imports` (`organisation`, `import_supplier`, `state`, `external_account_number`, `platform_account_number`, `account_created_at`, `first_staged_at`)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_lists",1]
drop index `account_imports_lists`
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `payload` text
select distinct `organisation`, `import_supplier` from `account_imports`
drop table `staged_accounts`
-- 0008-payloads-in-imports ends here
create table `kept_answers` (`organisation` varchar(64) not null, `request` varchar(64) not null, `content` varchar(64) not null, `claim_token` varchar(64) not null, `claim_ends_at` datetime not null, `expires_at` datetime not null, `status` integer, `headers` text, `body` text, primary key (`organisation`, `request`))
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","kept_answers","kept_answers_by_end",1]
create index `kept_answers_by_end` on `kept_answers` (`expires_at`)
-- 0009-kept-answers ends here
create table `rate_limits` (`subject` varchar(255) not null, `begins_at` datetime not null, `expires_at` datetime not null, `used` integer not null, primary key (`subject`, `begins_at`))
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","rate_limits","rate_limits_by_end",1]
create index `rate_limits_by_end` on `rate_limits` (`expires_at`)
-- 0010-rate-limits ends here
PRAGMA table_info(`refresh_tokens`)
alter table `refresh_tokens` add column `secret_hash` varchar(64)
alter table `refresh_tokens` add column `ends_at` datetime
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","refresh_tokens","refresh_tokens_by_key",1]
create index `refresh_tokens_by_key` on `refresh_tokens` (`api_key_id`, `ends_at`)
-- 0011-refresh-token-families ends here
PRAGMA table_info(`api_keys`)
alter table `api_keys` add column `name` varchar(100)
-- 0012-api-key-names ends here
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `payload_hash` varchar(64)
alter table `account_imports` add column `unsealed` text
alter table `account_imports` add column `unsealed_since` datetime
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_unsealed",1]
create index `account_imports_unsealed` on `account_imports` (`unsealed_since`)
create table `audit_unsealed` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `entry_id` varchar(64) not null, `entry` text not null, primary key (`organisation`, `import_supplier`, `entry_id`))
create table `audit_log` (`organisation` varchar(64) not null, `sequence` bigint not null, `at` datetime not null, `what` varchar(64) not null, `who` text not null, `request_id` text, `import_supplier` varchar(32), `external_account_number` varchar(128), `subject` text, `before_hash` varchar(64), `after_hash` varchar(64), `hash` varchar(64) not null, primary key (`organisation`, `sequence`))
create index `audit_log_accounts` on `audit_log` (`organisation`, `import_supplier`, `external_account_number`, `sequence`)
create table `api_key_networks` (`api_key_id` varchar(64) not null, `network` varchar(64) not null, `first_used_at` datetime not null, primary key (`api_key_id`, `network`))
-- 0013-audit ends here
PRAGMA table_info(`organisations`)
alter table `organisations` add column `disabled_at` datetime
PRAGMA table_info(`api_keys`)
alter table `api_keys` add column `last_used_at` datetime
create table `operations_team_bindings` (`operations_team` varchar(255) not null, `organisation` varchar(64) not null, primary key (`operations_team`, `organisation`))
-- 0014-identity ends here
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `payload_removed_at` datetime
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `erased_at` datetime
PRAGMA table_info(`accounts`)
alter table `accounts` add column `erased_at` datetime
PRAGMA table_info(`kept_answers`)
alter table `kept_answers` add column `import_supplier` varchar(32)
PRAGMA table_info(`kept_answers`)
alter table `kept_answers` add column `external_account_number` varchar(128)
DROP INDEX account_imports_summary
CREATE INDEX account_imports_summary ON account_imports (organisation, import_supplier, state, latest_failure_code, claim_expires_at, payload_removed_at, account_created_at)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","kept_answers","kept_answers_by_account",1]
create index `kept_answers_by_account` on `kept_answers` (`organisation`, `import_supplier`, `external_account_number`)
create table `turns` (`job` varchar(64) not null, `token` varchar(64) not null, `ends_at` datetime not null, primary key (`job`))
-- 0015-personal-data ends here
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `data_key` varchar(512)
PRAGMA table_info(`accounts`)
alter table `accounts` add column `data_key` varchar(512)
PRAGMA table_info(`kept_answers`)
alter table `kept_answers` add column `data_key` varchar(512)
create table `encrypted_details` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `content` text not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `encryption_keys` (`key_id` varchar(64) not null, `data_key` varchar(512) not null, `first_used_at` datetime not null, primary key (`key_id`))
-- 0016-encryption ends here
PRAGMA table_info(`kept_answers`)
alter table `kept_answers` add column `is_done` boolean not null default '0'
-- 0017-done-requests ends here
PRAGMA table_info(`accounts`)
alter table `accounts` add column `additions` integer not null default '0'
-- 0018-additions ends here
-- Over an account
PRAGMA table_info(`notes`)
alter table `notes` add column `content_digest` varchar(64)
alter table `notes` add column `identity_time` varchar(20)
select `organisation` as `organisation`, `code` as `import_supplier` from `import_suppliers`
select `platform_account_number` from `accounts` where `organisation` = ? and `import_supplier` = ? and `platform_account_number` > ? order by `platform_account_number` asc limit ? -- ["ACME","LEVANTE","",100]
select * from `notes` where `organisation` = ? and `import_supplier` = ? and `platform_account_number` between ? and ? order by `platform_account_number` asc, `ordinal` asc -- ["ACME","LEVANTE","P-1","P-1"]
UPDATE notes AS n SET content_digest = json_extract(sent.value, '$[2]'), identity_time = json_extract(sent.value, '$[3]') FROM json_each(?) AS sent WHERE n.organisation = ? AND n.import_supplier = ? AND n.platform_account_number = json_extract(sent.value, '$[0]') AND n.ordinal = json_extract(sent.value, '$[1]') -- ["[[\"P-1\",0,\"c5c870b17578c68dfea32f08820c6852b2c6606488a96748bb87375eee75859b\",\"2024-01-01T00:00:00Z\"],[\"P-1\",1,\"c5c870b17578c68dfea32f08820c6852b2c6606488a96748bb87375eee75859b\",null],[\"P-1\",2,\"68712c0df298c974c9ba9bb47f73cafb5ca3365ae5fcd0b6dd4ab26cc0ed22ff\",\"2024-01-02T03:04:05Z\"],[\"P-1\",3,\"3ff9da3c97df613c8aa7f7b18785d9d3c0c375813fa1be56b32239b61307b424\",\"2024-01-03T00:00:00Z\"],[\"P-1\",4,\"79a0d0c8b22e9a861f2cbe1e1cc4aecca7d4d3a9c9d7aa638b158173fed7a8ef\",\"2024-01-04T00:00:00Z\"]]","ACME","LEVANTE"]
select `platform_account_number` from `accounts` where `organisation` = ? and `import_supplier` = ? and `platform_account_number` > ? order by `platform_account_number` asc limit ? -- ["ACME","LEVANTE","P-1",100]
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","notes","notes_by_content",1]
create unique index `notes_by_content` on `notes` (`organisation`, `import_supplier`, `platform_account_number`, `content_digest`, `identity_time`)
PRAGMA table_info(`statements`)
alter table `statements` add column `issued_date` date
alter table `statements` add column `number` varchar(255)
alter table `statements` add column `gross_amount` float
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","statements","statements_by_id",1]
create unique index `statements_by_id` on `statements` (`organisation`, `import_supplier`, `platform_account_number`, `statement_id`)
create table `payment_instructions` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `vendor` varchar(64) not null, `reference` varchar(512) not null, `type` varchar(16) not null, `details` text not null, `created_at` datetime not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","payment_instructions","payment_instructions_by_reference",1]
create unique index `payment_instructions_by_reference` on `payment_instructions` (`organisation`, `import_supplier`, `platform_account_number`, `vendor`, `reference`)
-- 0004-post-import ends here
create table `customer_emails` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `id` varchar(64) not null, `platform_account_number` varchar(32) not null, `language` varchar(8) not null, `enqueued_at` datetime not null, `state` varchar(8) not null, `due_at` datetime, `claim_token` varchar(64), `settled_at` datetime, `attempts` integer not null, `served` text not null, `latest_failure_code` varchar(128), `latest_failure_at` datetime, primary key (`organisation`, `import_supplier`, `external_account_number`))
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","customer_emails","customer_emails_by_id",1]
create unique index `customer_emails_by_id` on `customer_emails` (`id`)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","customer_emails","customer_emails_due",1]
create index `customer_emails_due` on `customer_emails` (`state`, `due_at`)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","customer_emails","customer_emails_lists",1]
create index `customer_emails_lists` on `customer_emails` (`organisation`, `import_supplier`, `state`, `external_account_number`)
-- 0005-outbox ends here
PRAGMA table_info(`transactions`)
alter table `transactions` add column `copy` integer not null default '0'
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","transactions","transactions_by_id",1]
create unique index `transactions_by_id` on `transactions` (`organisation`, `import_supplier`, `platform_account_number`, `transaction_id`, `copy`)
-- 0006-transactions ends here
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_staged",1]
create index `account_imports_staged` on `account_imports` (`organisation`, `import_supplier`, `state`, `first_staged_at`, `external_account_number`)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_summary",1]
create index `account_imports_summary` on `account_imports` (`organisation`, `import_supplier`, `state`, `latest_failure_code`, `claim_expires_at`)
-- 0007-staged-and-summary ends here
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_pages",1]
create index `account_imports_pages` on `account_imports` (`organisation`, `import_supplier`, `state`, `external_account_number`, `platform_account_number`, `account_created_at`, `first_staged_at`)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_lists",1]
drop index `account_imports_lists`
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `payload` text
select distinct `organisation`, `import_supplier` from `account_imports`
select `external_account_number` from `account_imports` where `organisation` = ? and `import_supplier` = ? and `external_account_number` > ? order by `external_account_number` asc limit ? -- ["ACME","LEVANTE","",100]
UPDATE account_imports SET payload = (SELECT s.payload FROM staged_accounts AS s WHERE s.organisation = account_imports.organisation AND s.import_supplier = account_imports.import_supplier AND s.external_account_number = account_imports.external_account_number) WHERE organisation = ? AND import_supplier = ? AND external_account_number BETWEEN ? AND ? -- ["ACME","LEVANTE","A-1","A-1"]
select `external_account_number` from `account_imports` where `organisation` = ? and `import_supplier` = ? and `external_account_number` > ? order by `external_account_number` asc limit ? -- ["ACME","LEVANTE","A-1",100]
drop table `staged_accounts`
-- 0008-payloads-in-imports ends here
create table `kept_answers` (`organisation` varchar(64) not null, `request` varchar(64) not null, `content` varchar(64) not null, `claim_token` varchar(64) not null, `claim_ends_at` datetime not null, `expires_at` datetime not null, `status` integer, `headers` text, `body` text, primary key (`organisation`, `request`))
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","kept_answers","kept_answers_by_end",1]
create index `kept_answers_by_end` on `kept_answers` (`expires_at`)
-- 0009-kept-answers ends here
create table `rate_limits` (`subject` varchar(255) not null, `begins_at` datetime not null, `expires_at` datetime not null, `used` integer not null, primary key (`subject`, `begins_at`))
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","rate_limits","rate_limits_by_end",1]
create index `rate_limits_by_end` on `rate_limits` (`expires_at`)
-- 0010-rate-limits ends here
PRAGMA table_info(`refresh_tokens`)
alter table `refresh_tokens` add column `secret_hash` varchar(64)
alter table `refresh_tokens` add column `ends_at` datetime
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","refresh_tokens","refresh_tokens_by_key",1]
create index `refresh_tokens_by_key` on `refresh_tokens` (`api_key_id`, `ends_at`)
-- 0011-refresh-token-families ends here
PRAGMA table_info(`api_keys`)
alter table `api_keys` add column `name` varchar(100)
-- 0012-api-key-names ends here
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `payload_hash` varchar(64)
alter table `account_imports` add column `unsealed` text
alter table `account_imports` add column `unsealed_since` datetime
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","account_imports","account_imports_unsealed",1]
create index `account_imports_unsealed` on `account_imports` (`unsealed_since`)
create table `audit_unsealed` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `entry_id` varchar(64) not null, `entry` text not null, primary key (`organisation`, `import_supplier`, `entry_id`))
create table `audit_log` (`organisation` varchar(64) not null, `sequence` bigint not null, `at` datetime not null, `what` varchar(64) not null, `who` text not null, `request_id` text, `import_supplier` varchar(32), `external_account_number` varchar(128), `subject` text, `before_hash` varchar(64), `after_hash` varchar(64), `hash` varchar(64) not null, primary key (`organisation`, `sequence`))
create index `audit_log_accounts` on `audit_log` (`organisation`, `import_supplier`, `external_account_number`, `sequence`)
create table `api_key_networks` (`api_key_id` varchar(64) not null, `network` varchar(64) not null, `first_used_at` datetime not null, primary key (`api_key_id`, `network`))
-- 0013-audit ends here
PRAGMA table_info(`organisations`)
alter table `organisations` add column `disabled_at` datetime
PRAGMA table_info(`api_keys`)
alter table `api_keys` add column `last_used_at` datetime
create table `operations_team_bindings` (`operations_team` varchar(255) not null, `organisation` varchar(64) not null, primary key (`operations_team`, `organisation`))
-- 0014-identity ends here
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `payload_removed_at` datetime
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `erased_at` datetime
PRAGMA table_info(`accounts`)
alter table `accounts` add column `erased_at` datetime
PRAGMA table_info(`kept_answers`)
alter table `kept_answers` add column `import_supplier` varchar(32)
PRAGMA table_info(`kept_answers`)
alter table `kept_answers` add column `external_account_number` varchar(128)
DROP INDEX account_imports_summary
CREATE INDEX account_imports_summary ON account_imports (organisation, import_supplier, state, latest_failure_code, claim_expires_at, payload_removed_at, account_created_at)
select `name` from `sqlite_master` where `type` = ? and `tbl_name` = ? and `name` = ? limit ? -- ["index","kept_answers","kept_answers_by_account",1]
create index `kept_answers_by_account` on `kept_answers` (`organisation`, `import_supplier`, `external_account_number`)
create table `turns` (`job` varchar(64) not null, `token` varchar(64) not null, `ends_at` datetime not null, primary key (`job`))
-- 0015-personal-data ends here
PRAGMA table_info(`account_imports`)
alter table `account_imports` add column `data_key` varchar(512)
PRAGMA table_info(`accounts`)
alter table `accounts` add column `data_key` varchar(512)
PRAGMA table_info(`kept_answers`)
alter table `kept_answers` add column `data_key` varchar(512)
create table `encrypted_details` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` integer not null, `content` text not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`))
create table `encryption_keys` (`key_id` varchar(64) not null, `data_key` varchar(512) not null, `first_used_at` datetime not null, primary key (`key_id`))
-- 0016-encryption ends here
PRAGMA table_info(`kept_answers`)
alter table `kept_answers` add column `is_done` boolean not null default '0'
-- 0017-done-requests ends here
PRAGMA table_info(`accounts`)
alter table `accounts` add column `additions` integer not null default '0'
-- 0018-additions ends here
