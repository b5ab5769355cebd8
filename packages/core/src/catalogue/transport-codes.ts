import { type CatalogueEntry, changeableWarning, type CodeClass, fieldError, fixedWarning } from './entry.js'

/** The code of a whole answer. */
const topLevel = (codeClass: CodeClass, detail: string): CatalogueEntry => ({
  detail,
  where: ['T'],
  class: codeClass,
  severity: 'error',
  changeable: false,
})

/** The code of a whole answer that `validate` reports as a warning. */
const topLevelOrWarning = (codeClass: CodeClass, detail: string): CatalogueEntry => ({
  ...topLevel(codeClass, detail),
  where: ['T', 'W'],
})

/** Codes of the types of fields, and those that report that there are more findings. */
export const genericCodes = {
  required: fieldError('This field is missing. Add it.'),
  null: fieldError('Null is not allowed here. Leave the field out if there is no value.'),
  blank: fieldError('This value is empty. Give a value, or leave the field out if it is optional.'),
  invalid: fieldError('The value has the wrong type or format. Give {form}.'),
  max_length: fieldError('Too long. At most {max} characters or items are allowed.'),
  min_value: fieldError('Too small. The lowest allowed value is {min}.'),
  max_value: fieldError('Too large. The highest allowed value is {max}.'),
  max_digits: fieldError(
    'This JSON number has more than 15 digits and may have lost precision. Send it as a decimal string.',
  ),
  max_whole_digits: fieldError('Too many digits before the decimal point. At most {max} are allowed.'),
  max_decimal_places: fieldError('Too many decimals. At most {max} are allowed; round before sending.'),
  max_string_length: fieldError('This decimal text is too long. At most {max} characters are allowed.'),
  invalid_choice: fieldError(
    'Not one of the allowed values. Use one of these, in the same spelling: {allowed}.',
  ),
  not_in_supplier_list: {
    ...fieldError(
      'Not in the list of values agreed for this supplier. Correct it, or ask the operator to add it.',
    ),
    where: ['F', 'W'],
  },
  not_a_list: fieldError('A list is expected here. Wrap a single item in square brackets.'),
  not_a_dict: fieldError('A JSON object is expected here. Send one.'),
  empty: fieldError('This list needs at least one item. Add one.'),
  date: fieldError('This is a date without time. Give date and time as YYYY-MM-DDTHH:MM:SSZ.'),
  datetime: fieldError('This is a date with time. Give only the date as YYYY-MM-DD.'),
  null_characters_not_allowed: fieldError('The text contains a NUL character. Remove it.'),
  surrogate_characters_not_allowed: fieldError(
    'The text contains half of a character pair. Send well-formed Unicode.',
  ),
  too_many_values: fieldError(
    'The payload has more than {max} values. Shorten the list or object that is named, or leave it out.',
  ),
  too_many_errors: fieldError(
    'More than {max} errors were found. Fix those listed and send again to see the rest.',
  ),
  too_many_warnings: fixedWarning(
    'More than {max} warnings were found. Deal with those listed, then send again to see the rest.',
  ),
  unknown_field: changeableWarning(
    'No field or parameter has this name, so it has no effect. Check its spelling, or remove it.',
  ),
} satisfies Record<string, CatalogueEntry>

/** Why use cases refuse: an invalid payload, the supplier, the team, the state of the account, a payment vendor. */
const environmentCodes = {
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
    'There is no import for this supplier and account number. Stage the account first.',
  ),
  import_supplier_migration_complete: topLevel(
    'set-up',
    'The migration of this supplier is complete, so its accounts cannot be undone. Ask the operator.',
  ),
  import_run_does_not_exist: topLevel(
    'data',
    'There is no such import run of this supplier. Open one, or leave the header Import-Run out.',
  ),
  import_run_finished: topLevel(
    'data',
    'This import run is finished. Open a new one, or leave the header Import-Run out.',
  ),
  undo_not_confirmed: topLevel(
    'data',
    'The confirmation code is not that of a preview of the last 15 minutes, or something changed since. Ask for a new preview.',
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
  refused_by_platform: topLevel(
    'set-up',
    'The platform that embeds this service does not allow this change. Nothing was changed. Ask the operator.',
  ),
  historical_statement_already_exists: fieldError(
    'A statement with this id is already on the account. Remove it from the request.',
    'data',
  ),
  payment_instruction_not_found: topLevel(
    'data',
    'The payment vendor has no instruction with this reference. Correct it.',
  ),
  payment_instruction_not_usable: topLevel(
    'data',
    'The payment vendor has this instruction, but it cannot be used. Send another one.',
  ),
  payment_vendor_not_registered: fieldError(
    'This payment vendor is not set up here. Check the code, or have the operator register it.',
    'set-up',
  ),
  payment_vendor_refused: topLevel(
    'set-up',
    'The payment vendor refuses the requests of this service. Do not repeat this one; tell the operator.',
  ),
  payment_vendor_unavailable: topLevel(
    'retry',
    'The payment vendor did not give a clear answer. Send the same request again.',
  ),
  payment_vendor_unreachable: topLevel(
    'set-up',
    'The payment vendor has been unreachable for a long time. Do not repeat this request now; tell the operator.',
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

/** Refusals of the transport (HTTP) before or around a use case. */
const requestCodes = {
  parse_error: topLevel('data', 'The body is not valid JSON. Correct its syntax.'),
  invalid_encoding: topLevel('data', 'The body is not valid UTF-8. Encode it as UTF-8.'),
  payload_too_deep: topLevel('data', 'The JSON is nested too deeply. Use at most {max} levels.'),
  payload_too_large: topLevel('data', 'The body is too large. Send at most {max} bytes in one request.'),
  unsupported_media_type: topLevel(
    'set-up',
    'Send the body as application/json; accounts, one a line, as application/x-ndjson.',
  ),
  not_acceptable: topLevel('set-up', 'The answer can only be JSON. Change the Accept header.'),
  method_not_allowed: topLevel(
    'set-up',
    'This address does not support the method. Use one named in the Allow header.',
  ),
  not_found: topLevel(
    'set-up',
    'There is nothing at this address. Check the path and the supplier code in it.',
  ),
  not_authenticated: topLevel(
    'set-up',
    'No token was sent. Obtain one and send it in the Authorization header.',
  ),
  authentication_failed: topLevel('set-up', 'The token or key is not valid. Obtain a new token.'),
  token_expired: topLevel('retry', 'The token has expired. Obtain a new one and send the request again.'),
  permission_denied: topLevel('set-up', 'This key may not do that. Ask the operator for the permission.'),
  throttled: topLevel('retry', 'Too many requests. Wait for the seconds in Retry-After.'),
  invalid_idempotency_key: topLevel(
    'set-up',
    'The Idempotency-Key header is empty, too long or has characters that are not allowed. Correct it.',
  ),
  idempotency_key_reused: topLevel(
    'set-up',
    'This idempotency key was used for another request. Use a new key for new content.',
  ),
  idempotency_key_in_progress: topLevel(
    'retry',
    'The first request with this key is still running. Wait, then send it again.',
  ),
  service_unavailable: topLevel(
    'retry',
    'The service cannot work right now. Send the same request again later.',
  ),
  service_busy: topLevel(
    'retry',
    'The service has more work than it can do in time. Send the same request again later.',
  ),
  error: topLevel(
    'retry',
    'An unexpected error occurred. Try again; if it occurs again, give the operator the request id.',
  ),
} satisfies Record<string, CatalogueEntry>

/** Refusals of a request that do not depend on a single value. */
export const transportCodes = { ...environmentCodes, ...requestCodes }
