-- On an empty database
SELECT VERSION() AS version
create table `organisations` (`code` varchar(64) not null, `name` longtext not null, `created_at` datetime(3) not null, primary key (`code`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `import_suppliers` (`code` varchar(32) not null, `organisation` varchar(64) not null, `status` varchar(16) not null, `settings` longtext not null, primary key (`code`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `operations_teams` (`name` varchar(255) not null, primary key (`name`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `api_keys` (`id` varchar(64) not null, `organisation` varchar(64) not null, `secret_hash` varchar(64) not null, `scopes` longtext not null, `created_at` datetime(3) not null, `expires_at` datetime(3), `revoked_at` datetime(3), primary key (`id`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `refresh_tokens` (`hash` varchar(64) not null, `api_key_id` varchar(64) not null, `expires_at` datetime(3) not null, primary key (`hash`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
alter table `refresh_tokens` add index `refresh_tokens_by_end`(`expires_at`)
-- 0001-registers ends here
SELECT VERSION() AS version
create table `account_imports` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `staged_version` int not null, `first_staged_at` datetime(3), `staged_at` datetime(3), `staging_id` varchar(64), `state` varchar(8) not null, `skipped` boolean not null, `claim_token` varchar(64), `claim_expires_at` datetime(3), `holds_slot` boolean not null, `attempts` int not null, `latest_failure_code` varchar(128), `latest_failure_at` datetime(3), `platform_account_number` varchar(32), `account_created_at` datetime(3), `created_version` int, primary key (`organisation`, `import_supplier`, `external_account_number`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
alter table `account_imports` add index `account_imports_lists`(`organisation`, `import_supplier`, `state`, `external_account_number`)
SELECT VERSION() AS version
create table `staged_accounts` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `version` int not null, `payload` longtext not null, primary key (`organisation`, `import_supplier`, `external_account_number`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `processing_slots` (`slot` int not null, `claim_token` varchar(64), `expires_at` datetime(3), primary key (`slot`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0002-account-imports ends here
SELECT VERSION() AS version
create table `accounts` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `platform_account_number` varchar(32) not null, `operations_team` varchar(255) not null, `staged_version` int not null, `created_at` datetime(3) not null, `account_type` varchar(64) not null, `billing_name` varchar(510), `billing_address1` varchar(512), `billing_address2` varchar(512), `billing_address3` varchar(512), `billing_address4` varchar(512), `billing_address5` varchar(512), `billing_postcode` varchar(512), `sales_channel` varchar(128) not null, `sales_subchannel` varchar(255), `unknown_occupier` boolean not null, `communication_preference` varchar(16) not null, primary key (`organisation`, `import_supplier`, `platform_account_number`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
alter table `accounts` add unique `accounts_by_import`(`organisation`, `import_supplier`, `external_account_number`)
alter table `accounts` add unique `accounts_by_number`(`platform_account_number`)
SELECT VERSION() AS version
create table `customers` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `account_roles` longtext not null, `user_details` longtext not null, `given_name` varchar(255), `family_name` varchar(255), `email` varchar(255), `mobile` varchar(32), `landline` varchar(32), primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `supply_addresses` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `locality` varchar(512), `administrative_area` varchar(512), `postal_code` varchar(512), `country` varchar(2) not null, `has_street_address` boolean not null, `street_type` varchar(255), `street_name` varchar(255), `street_number` varchar(255), `door` varchar(255), `floor` varchar(255), `gate` varchar(255), `stair` varchar(255), `block` varchar(255), `address_extra_info` varchar(255), `customer_at_supply_address_from_date` date not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `supply_points` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `address_ordinal` int not null, `ordinal` int not null, `identifier` varchar(64) not null, `distributor_ree_code` varchar(16), `supply_type` varchar(16) not null, `supply_start_date` date not null, `last_billed_to_date` date, `atr_tariffs` longtext not null, `readings` longtext not null, `billable_items` longtext not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `address_ordinal`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `agreements` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `address_ordinal` int not null, `point_ordinal` int not null, `ordinal` int not null, `tariff_code` varchar(255) not null, `effective_from` date not null, `effective_to` date, `cnae` varchar(16), `contractual_max_power` longtext, `annual_consumption` varchar(32), `estimated_monthly_fee_in_cents` bigint, `social_bonus_identifier` varchar(255), `atr_type` varchar(64), primary key (`organisation`, `import_supplier`, `platform_account_number`, `address_ordinal`, `point_ordinal`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `ledgers` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `ledger_code` varchar(128) not null, `last_statement_balance` decimal(12, 2), `last_statement_closing_date` date, `ledger_balance` decimal(12, 2), primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `transactions` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ledger_ordinal` int not null, `period` varchar(16) not null, `ordinal` int not null, `transaction_id` varchar(255) not null, `transaction_date` date not null, `amount` decimal(12, 2) not null, `type` varchar(16) not null, `reason` varchar(128), `reference` varchar(255), `payment_type` varchar(64), `display_note` longtext, `note` longtext, `product_code` varchar(255), `line_items` longtext not null, `tax_items` longtext not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ledger_ordinal`, `period`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `statements` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `bill_period_from_date` date not null, `bill_period_to_date` date not null, `statement_path` varchar(1024), `statement_id` varchar(255) not null, `supply_type` varchar(16), primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `notes` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `body` longtext, `document_paths` longtext not null, `created_at` datetime(3) not null, `is_pinned` boolean not null, `unpin_at` datetime(3), primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `payment_schedules` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `means` varchar(16) not null, `start_date` date not null, `end_date` date, `payment_trigger` varchar(16) not null, `amount` decimal(12, 2), `frequency` varchar(16), `day_of_month` int, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `account_references` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `namespace` varchar(50) not null, `value` varchar(100) not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
SELECT VERSION() AS version
create table `account_metadata` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `metadata_key` varchar(1024) not null, `value` longtext not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0003-accounts ends here
show columns from `notes`
alter table `notes` add `content_digest` varchar(64), add `identity_time` varchar(20)
select `organisation` as `organisation`, `code` as `import_supplier` from `import_suppliers`
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["notes","notes_by_content",1]
alter table `notes` add unique `notes_by_content`(`organisation`, `import_supplier`, `platform_account_number`, `content_digest`, `identity_time`)
show columns from `statements`
alter table `statements` add `issued_date` date, add `number` varchar(255), add `gross_amount` decimal(12, 2)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["statements","statements_by_id",1]
alter table `statements` add unique `statements_by_id`(`organisation`, `import_supplier`, `platform_account_number`, `statement_id`)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["payment_instructions"]
SELECT VERSION() AS version
create table `payment_instructions` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `vendor` varchar(64) not null, `reference` varchar(512) not null, `type` varchar(16) not null, `details` longtext not null, `created_at` datetime(3) not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["payment_instructions","payment_instructions_by_reference",1]
alter table `payment_instructions` add unique `payment_instructions_by_reference`(`organisation`, `import_supplier`, `platform_account_number`, `vendor`, `reference`)
-- 0004-post-import ends here
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["customer_emails"]
SELECT VERSION() AS version
create table `customer_emails` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `id` varchar(64) not null, `platform_account_number` varchar(32) not null, `language` varchar(8) not null, `enqueued_at` datetime(3) not null, `state` varchar(8) not null, `due_at` datetime(3), `claim_token` varchar(64), `settled_at` datetime(3), `attempts` int not null, `served` longtext not null, `latest_failure_code` varchar(128), `latest_failure_at` datetime(3), primary key (`organisation`, `import_supplier`, `external_account_number`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["customer_emails","customer_emails_by_id",1]
alter table `customer_emails` add unique `customer_emails_by_id`(`id`)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["customer_emails","customer_emails_due",1]
alter table `customer_emails` add index `customer_emails_due`(`state`, `due_at`)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["customer_emails","customer_emails_lists",1]
alter table `customer_emails` add index `customer_emails_lists`(`organisation`, `import_supplier`, `state`, `external_account_number`)
-- 0005-outbox ends here
show columns from `transactions`
alter table `transactions` add `copy` int not null default '0'
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["transactions","transactions_by_id",1]
alter table `transactions` add unique `transactions_by_id`(`organisation`, `import_supplier`, `platform_account_number`, `transaction_id`, `copy`)
-- 0006-transactions ends here
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_staged",1]
alter table `account_imports` add index `account_imports_staged`(`organisation`, `import_supplier`, `state`, `first_staged_at`, `external_account_number`)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_summary",1]
alter table `account_imports` add index `account_imports_summary`(`organisation`, `import_supplier`, `state`, `latest_failure_code`, `claim_expires_at`)
-- 0007-staged-and-summary ends here
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_pages",1]
alter table `account_imports` add index `account_imports_pages`(`organisation`, `import_supplier`, `state`, `external_account_number`, `platform_account_number`, `account_created_at`, `first_staged_at`)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_lists",1]
alter table `account_imports` drop index `account_imports_lists`
show columns from `account_imports`
alter table `account_imports` add `payload` longtext
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["staged_accounts"]
select distinct `organisation`, `import_supplier` from `account_imports`
drop table `staged_accounts`
-- 0008-payloads-in-imports ends here
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["kept_answers"]
SELECT VERSION() AS version
create table `kept_answers` (`organisation` varchar(64) not null, `request` varchar(64) not null, `content` varchar(64) not null, `claim_token` varchar(64) not null, `claim_ends_at` datetime(3) not null, `expires_at` datetime(3) not null, `status` int, `headers` longtext, `body` longtext, primary key (`organisation`, `request`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["kept_answers","kept_answers_by_end",1]
alter table `kept_answers` add index `kept_answers_by_end`(`expires_at`)
-- 0009-kept-answers ends here
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["rate_limits"]
SELECT VERSION() AS version
create table `rate_limits` (`subject` varchar(255) not null, `begins_at` datetime(3) not null, `expires_at` datetime(3) not null, `used` int not null, primary key (`subject`, `begins_at`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["rate_limits","rate_limits_by_end",1]
alter table `rate_limits` add index `rate_limits_by_end`(`expires_at`)
-- 0010-rate-limits ends here
show columns from `refresh_tokens`
alter table `refresh_tokens` add `secret_hash` varchar(64), add `ends_at` datetime(3)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["refresh_tokens","refresh_tokens_by_key",1]
alter table `refresh_tokens` add index `refresh_tokens_by_key`(`api_key_id`, `ends_at`)
-- 0011-refresh-token-families ends here
show columns from `api_keys`
alter table `api_keys` add `name` varchar(100)
-- 0012-api-key-names ends here
show columns from `account_imports`
alter table `account_imports` add `payload_hash` varchar(64), add `unsealed` longtext, add `unsealed_since` datetime(3)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_unsealed",1]
alter table `account_imports` add index `account_imports_unsealed`(`unsealed_since`)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["audit_unsealed"]
SELECT VERSION() AS version
create table `audit_unsealed` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `entry_id` varchar(64) not null, `entry` longtext not null, primary key (`organisation`, `import_supplier`, `entry_id`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["audit_log"]
SELECT VERSION() AS version
create table `audit_log` (`organisation` varchar(64) not null, `sequence` bigint not null, `at` datetime(3) not null, `what` varchar(64) not null, `who` longtext not null, `request_id` longtext, `import_supplier` varchar(32), `external_account_number` varchar(128), `subject` longtext, `before_hash` varchar(64), `after_hash` varchar(64), `hash` varchar(64) not null, primary key (`organisation`, `sequence`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
alter table `audit_log` add index `audit_log_accounts`(`organisation`, `import_supplier`, `external_account_number`, `sequence`)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["api_key_networks"]
SELECT VERSION() AS version
create table `api_key_networks` (`api_key_id` varchar(64) not null, `network` varchar(64) not null, `first_used_at` datetime(3) not null, primary key (`api_key_id`, `network`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0013-audit ends here
show columns from `organisations`
alter table `organisations` add `disabled_at` datetime(3)
show columns from `api_keys`
alter table `api_keys` add `last_used_at` datetime(3)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["operations_team_bindings"]
SELECT VERSION() AS version
create table `operations_team_bindings` (`operations_team` varchar(255) not null, `organisation` varchar(64) not null, primary key (`operations_team`, `organisation`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0014-identity ends here
show columns from `account_imports`
alter table `account_imports` add `payload_removed_at` datetime(3)
show columns from `account_imports`
alter table `account_imports` add `erased_at` datetime(3)
show columns from `accounts`
alter table `accounts` add `erased_at` datetime(3)
show columns from `kept_answers`
alter table `kept_answers` add `import_supplier` varchar(32)
show columns from `kept_answers`
alter table `kept_answers` add `external_account_number` varchar(128)
ALTER TABLE account_imports DROP INDEX account_imports_summary, ADD INDEX account_imports_summary (organisation, import_supplier, state, latest_failure_code, claim_expires_at, payload_removed_at, account_created_at)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["kept_answers","kept_answers_by_account",1]
alter table `kept_answers` add index `kept_answers_by_account`(`organisation`, `import_supplier`, `external_account_number`)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["turns"]
SELECT VERSION() AS version
create table `turns` (`job` varchar(64) not null, `token` varchar(64) not null, `ends_at` datetime(3) not null, primary key (`job`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0015-personal-data ends here
show columns from `account_imports`
alter table `account_imports` add `data_key` varchar(512)
show columns from `accounts`
alter table `accounts` add `data_key` varchar(512)
show columns from `kept_answers`
alter table `kept_answers` add `data_key` varchar(512)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["encrypted_details"]
SELECT VERSION() AS version
create table `encrypted_details` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `content` longtext not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["encryption_keys"]
SELECT VERSION() AS version
create table `encryption_keys` (`key_id` varchar(64) not null, `data_key` varchar(512) not null, `first_used_at` datetime(3) not null, primary key (`key_id`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0016-encryption ends here
show columns from `kept_answers`
alter table `kept_answers` add `is_done` boolean not null default '0'
-- 0017-done-requests ends here
show columns from `accounts`
alter table `accounts` add `additions` int not null default '0'
-- 0018-additions ends here
-- Over an account
show columns from `notes`
alter table `notes` add `content_digest` varchar(64), add `identity_time` varchar(20)
select `organisation` as `organisation`, `code` as `import_supplier` from `import_suppliers`
select `platform_account_number` from `accounts` where `organisation` = ? and `import_supplier` = ? and `platform_account_number` > ? order by `platform_account_number` asc limit ? -- ["ACME","LEVANTE","",100]
select * from `notes` where `organisation` = ? and `import_supplier` = ? and `platform_account_number` between ? and ? order by `platform_account_number` asc, `ordinal` asc -- ["ACME","LEVANTE","P-1","P-1"]
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (number VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[0]', place INT PATH '$[1]', digest VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[2]', time VARCHAR(20) CHARACTER SET utf8mb4 PATH '$[3]' NULL ON ERROR)) AS sent STRAIGHT_JOIN notes AS n ON n.organisation = ? AND n.import_supplier = ? AND n.platform_account_number = sent.number AND n.ordinal = sent.place SET n.content_digest = sent.digest, n.identity_time = sent.time -- ["[[\"P-1\",0,\"c5c870b17578c68dfea32f08820c6852b2c6606488a96748bb87375eee75859b\",\"2024-01-01T00:00:00Z\"],[\"P-1\",1,\"c5c870b17578c68dfea32f08820c6852b2c6606488a96748bb87375eee75859b\",[]],[\"P-1\",2,\"68712c0df298c974c9ba9bb47f73cafb5ca3365ae5fcd0b6dd4ab26cc0ed22ff\",\"2024-01-02T03:04:05Z\"],[\"P-1\",3,\"3ff9da3c97df613c8aa7f7b18785d9d3c0c375813fa1be56b32239b61307b424\",\"2024-01-03T00:00:00Z\"],[\"P-1\",4,\"79a0d0c8b22e9a861f2cbe1e1cc4aecca7d4d3a9c9d7aa638b158173fed7a8ef\",\"2024-01-04T00:00:00Z\"]]","ACME","LEVANTE"]
select `platform_account_number` from `accounts` where `organisation` = ? and `import_supplier` = ? and `platform_account_number` > ? order by `platform_account_number` asc limit ? -- ["ACME","LEVANTE","P-1",100]
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["notes","notes_by_content",1]
alter table `notes` add unique `notes_by_content`(`organisation`, `import_supplier`, `platform_account_number`, `content_digest`, `identity_time`)
show columns from `statements`
alter table `statements` add `issued_date` date, add `number` varchar(255), add `gross_amount` decimal(12, 2)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["statements","statements_by_id",1]
alter table `statements` add unique `statements_by_id`(`organisation`, `import_supplier`, `platform_account_number`, `statement_id`)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["payment_instructions"]
SELECT VERSION() AS version
create table `payment_instructions` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `vendor` varchar(64) not null, `reference` varchar(512) not null, `type` varchar(16) not null, `details` longtext not null, `created_at` datetime(3) not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["payment_instructions","payment_instructions_by_reference",1]
alter table `payment_instructions` add unique `payment_instructions_by_reference`(`organisation`, `import_supplier`, `platform_account_number`, `vendor`, `reference`)
-- 0004-post-import ends here
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["customer_emails"]
SELECT VERSION() AS version
create table `customer_emails` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `external_account_number` varchar(128) not null, `id` varchar(64) not null, `platform_account_number` varchar(32) not null, `language` varchar(8) not null, `enqueued_at` datetime(3) not null, `state` varchar(8) not null, `due_at` datetime(3), `claim_token` varchar(64), `settled_at` datetime(3), `attempts` int not null, `served` longtext not null, `latest_failure_code` varchar(128), `latest_failure_at` datetime(3), primary key (`organisation`, `import_supplier`, `external_account_number`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["customer_emails","customer_emails_by_id",1]
alter table `customer_emails` add unique `customer_emails_by_id`(`id`)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["customer_emails","customer_emails_due",1]
alter table `customer_emails` add index `customer_emails_due`(`state`, `due_at`)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["customer_emails","customer_emails_lists",1]
alter table `customer_emails` add index `customer_emails_lists`(`organisation`, `import_supplier`, `state`, `external_account_number`)
-- 0005-outbox ends here
show columns from `transactions`
alter table `transactions` add `copy` int not null default '0'
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["transactions","transactions_by_id",1]
alter table `transactions` add unique `transactions_by_id`(`organisation`, `import_supplier`, `platform_account_number`, `transaction_id`, `copy`)
-- 0006-transactions ends here
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_staged",1]
alter table `account_imports` add index `account_imports_staged`(`organisation`, `import_supplier`, `state`, `first_staged_at`, `external_account_number`)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_summary",1]
alter table `account_imports` add index `account_imports_summary`(`organisation`, `import_supplier`, `state`, `latest_failure_code`, `claim_expires_at`)
-- 0007-staged-and-summary ends here
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_pages",1]
alter table `account_imports` add index `account_imports_pages`(`organisation`, `import_supplier`, `state`, `external_account_number`, `platform_account_number`, `account_created_at`, `first_staged_at`)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_lists",1]
alter table `account_imports` drop index `account_imports_lists`
show columns from `account_imports`
alter table `account_imports` add `payload` longtext
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["staged_accounts"]
select distinct `organisation`, `import_supplier` from `account_imports`
select `external_account_number` from `account_imports` where `organisation` = ? and `import_supplier` = ? and `external_account_number` > ? order by `external_account_number` asc limit ? -- ["ACME","LEVANTE","",100]
UPDATE account_imports SET payload = (SELECT s.payload FROM staged_accounts AS s WHERE s.organisation = account_imports.organisation AND s.import_supplier = account_imports.import_supplier AND s.external_account_number = account_imports.external_account_number) WHERE organisation = ? AND import_supplier = ? AND external_account_number BETWEEN ? AND ? -- ["ACME","LEVANTE","A-1","A-1"]
select `external_account_number` from `account_imports` where `organisation` = ? and `import_supplier` = ? and `external_account_number` > ? order by `external_account_number` asc limit ? -- ["ACME","LEVANTE","A-1",100]
drop table `staged_accounts`
-- 0008-payloads-in-imports ends here
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["kept_answers"]
SELECT VERSION() AS version
create table `kept_answers` (`organisation` varchar(64) not null, `request` varchar(64) not null, `content` varchar(64) not null, `claim_token` varchar(64) not null, `claim_ends_at` datetime(3) not null, `expires_at` datetime(3) not null, `status` int, `headers` longtext, `body` longtext, primary key (`organisation`, `request`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["kept_answers","kept_answers_by_end",1]
alter table `kept_answers` add index `kept_answers_by_end`(`expires_at`)
-- 0009-kept-answers ends here
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["rate_limits"]
SELECT VERSION() AS version
create table `rate_limits` (`subject` varchar(255) not null, `begins_at` datetime(3) not null, `expires_at` datetime(3) not null, `used` int not null, primary key (`subject`, `begins_at`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["rate_limits","rate_limits_by_end",1]
alter table `rate_limits` add index `rate_limits_by_end`(`expires_at`)
-- 0010-rate-limits ends here
show columns from `refresh_tokens`
alter table `refresh_tokens` add `secret_hash` varchar(64), add `ends_at` datetime(3)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["refresh_tokens","refresh_tokens_by_key",1]
alter table `refresh_tokens` add index `refresh_tokens_by_key`(`api_key_id`, `ends_at`)
-- 0011-refresh-token-families ends here
show columns from `api_keys`
alter table `api_keys` add `name` varchar(100)
-- 0012-api-key-names ends here
show columns from `account_imports`
alter table `account_imports` add `payload_hash` varchar(64), add `unsealed` longtext, add `unsealed_since` datetime(3)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["account_imports","account_imports_unsealed",1]
alter table `account_imports` add index `account_imports_unsealed`(`unsealed_since`)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["audit_unsealed"]
SELECT VERSION() AS version
create table `audit_unsealed` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `entry_id` varchar(64) not null, `entry` longtext not null, primary key (`organisation`, `import_supplier`, `entry_id`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["audit_log"]
SELECT VERSION() AS version
create table `audit_log` (`organisation` varchar(64) not null, `sequence` bigint not null, `at` datetime(3) not null, `what` varchar(64) not null, `who` longtext not null, `request_id` longtext, `import_supplier` varchar(32), `external_account_number` varchar(128), `subject` longtext, `before_hash` varchar(64), `after_hash` varchar(64), `hash` varchar(64) not null, primary key (`organisation`, `sequence`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
alter table `audit_log` add index `audit_log_accounts`(`organisation`, `import_supplier`, `external_account_number`, `sequence`)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["api_key_networks"]
SELECT VERSION() AS version
create table `api_key_networks` (`api_key_id` varchar(64) not null, `network` varchar(64) not null, `first_used_at` datetime(3) not null, primary key (`api_key_id`, `network`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0013-audit ends here
show columns from `organisations`
alter table `organisations` add `disabled_at` datetime(3)
show columns from `api_keys`
alter table `api_keys` add `last_used_at` datetime(3)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["operations_team_bindings"]
SELECT VERSION() AS version
create table `operations_team_bindings` (`operations_team` varchar(255) not null, `organisation` varchar(64) not null, primary key (`operations_team`, `organisation`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0014-identity ends here
show columns from `account_imports`
alter table `account_imports` add `payload_removed_at` datetime(3)
show columns from `account_imports`
alter table `account_imports` add `erased_at` datetime(3)
show columns from `accounts`
alter table `accounts` add `erased_at` datetime(3)
show columns from `kept_answers`
alter table `kept_answers` add `import_supplier` varchar(32)
show columns from `kept_answers`
alter table `kept_answers` add `external_account_number` varchar(128)
ALTER TABLE account_imports DROP INDEX account_imports_summary, ADD INDEX account_imports_summary (organisation, import_supplier, state, latest_failure_code, claim_expires_at, payload_removed_at, account_created_at)
select `index_name` from `information_schema`.`statistics` where table_schema = DATABASE() and `table_name` = ? and `index_name` = ? limit ? -- ["kept_answers","kept_answers_by_account",1]
alter table `kept_answers` add index `kept_answers_by_account`(`organisation`, `import_supplier`, `external_account_number`)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["turns"]
SELECT VERSION() AS version
create table `turns` (`job` varchar(64) not null, `token` varchar(64) not null, `ends_at` datetime(3) not null, primary key (`job`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0015-personal-data ends here
show columns from `account_imports`
alter table `account_imports` add `data_key` varchar(512)
show columns from `accounts`
alter table `accounts` add `data_key` varchar(512)
show columns from `kept_answers`
alter table `kept_answers` add `data_key` varchar(512)
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["encrypted_details"]
SELECT VERSION() AS version
create table `encrypted_details` (`organisation` varchar(64) not null, `import_supplier` varchar(32) not null, `platform_account_number` varchar(32) not null, `ordinal` int not null, `content` longtext not null, primary key (`organisation`, `import_supplier`, `platform_account_number`, `ordinal`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
select * from information_schema.tables where table_name = ? and table_schema = database() -- ["encryption_keys"]
SELECT VERSION() AS version
create table `encryption_keys` (`key_id` varchar(64) not null, `data_key` varchar(512) not null, `first_used_at` datetime(3) not null, primary key (`key_id`)) default character set utf8mb4 collate utf8mb4_nopad_bin engine = InnoDB
-- 0016-encryption ends here
show columns from `kept_answers`
alter table `kept_answers` add `is_done` boolean not null default '0'
-- 0017-done-requests ends here
show columns from `accounts`
alter table `accounts` add `additions` int not null default '0'
-- 0018-additions ends here
