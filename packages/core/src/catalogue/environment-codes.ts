import { changeableWarning, fieldError, topLevel, topLevelOrWarning, type CatalogueEntry } from './entry.js'

/** Why use cases refuse: an invalid payload, the supplier, the team, the state of the account, a payment vendor. */
export const environmentCodes = {
  account_failed_validation: topLevel('data', 'The account data is not valid. See the list of errors.'),
  request_failed_validation: topLevel('data', 'The request is not valid. See the list of errors.'),
  import_supplier_does_not_exist: fieldError(
    'No such import supplier. Check the code, or have the operator create it.',
    'set-up',
  ),
  import_supplier_migration_not_ongoing: topLevelOrWarning(
    'set-up',
    'The migration of this supplier is paused or complete. Ask the operator.',
  ),
  market_rules_not_available: changeableWarning(
    'The settings of this supplier name a market that the service has no rules for, so these were not checked. Ask the operator.',
    'warn',
    'set-up',
  ),
  account_already_imported: topLevelOrWarning(
    'data',
    'This account has been imported already. Nothing is left to do; use the post-import requests to add data.',
  ),
  account_import_in_progress: topLevelOrWarning(
    'retry',
    'This account is being created right now. Ask for its status and try again later.',
  ),
  account_marked_to_skip: topLevelOrWarning(
    'set-up',
    'The operator marked this account to be skipped. Ask to have the mark removed if it should be imported.',
  ),
  import_process_does_not_exist: topLevel(
    'data',
    'Nothing is known under this supplier and account number. Stage the account first.',
  ),
  operations_team_name_does_not_exist: topLevel(
    'set-up',
    'No such operations team. Check the name, or have the team created.',
  ),
  dry_run_succeeded: topLevel('retry', 'Account would successfully import. Rolled back due to Dry Run.'),
  concurrency_limit_reached: topLevel(
    'retry',
    'Too many accounts are being processed. Try again when others have finished.',
  ),
  account_not_found: topLevel(
    'data',
    'No imported account was found for this supplier and account number. Check both; a staged account must be processed first.',
  ),
  historical_statement_already_exists: fieldError(
    'A statement with this id is already on the account. Remove it from the request.',
    'data',
  ),
  payment_instruction_not_found: topLevel(
    'data',
    'The payment vendor does not know this reference. Correct it.',
  ),
  payment_instruction_not_usable: topLevel(
    'data',
    'The payment vendor knows this instruction but it cannot be used. Send another one.',
  ),
  payment_vendor_not_registered: fieldError(
    'This payment vendor is not set up here. Check the code, or have the operator register it.',
    'set-up',
  ),
  payment_vendor_refused: topLevel(
    'set-up',
    'The payment vendor refuses our requests. Do not repeat this one; tell the operator.',
  ),
  payment_vendor_unavailable: topLevel(
    'retry',
    'The payment vendor did not give a clear answer. Send the same request again.',
  ),
  payment_vendor_unreachable: topLevel(
    'set-up',
    'The payment vendor has been out of reach for a long time. Do not repeat this request now; tell the operator.',
  ),
  ledger_code_does_not_exist: fieldError(
    'The account has no ledger with this code. Correct it, or leave it out to use the first ledger.',
    'data',
  ),
  transaction_outside_open_statement_period: topLevel(
    'data',
    'The transaction date lies outside the open statement period. Correct it, or allow the date to be moved.',
  ),
} satisfies Record<string, CatalogueEntry>
