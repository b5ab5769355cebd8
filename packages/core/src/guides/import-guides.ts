import type { Guides } from '../catalogue/guide.js'

const stage = 'POST /v1/data-import/account-import-process/create-or-update/'
const process = 'POST /v1/data-import/account-import-process/process/'

/** Suppliers, staging and processing. */
export const importGuides = {
  account_failed_validation: {
    means:
      'The account was not accepted; each entry of errors says what is wrong and where. Nothing was stored. When processing says so, the staged data no longer passes the rules of today.',
    causes: [
      'The data breaks a rule; see the codes of the entries.',
      'Settings of the supplier were made stricter after staging.',
    ],
    fix: [
      'Correct everything in errors: all faults are listed at once, beyond 1 000 only the first.',
      'Stage the account again, then process it.',
    ],
    at: [],
    example: {
      bad: `${stage}
{"external_account_number": "LEV-E-000456", "customers": [{"family_name": "Ferrer"}]}
→ 400 account_failed_validation, with required at import_supplier`,
      good: `${stage}
{"import_supplier": "LEVANTE", "external_account_number": "LEV-E-000456", "customers": [{"family_name": "Ferrer"}]}
→ 201`,
    },
    related: ['request_failed_validation', 'required', 'too_many_errors'],
  },
  request_failed_validation: {
    means:
      'A request other than an account payload was not accepted; each entry of errors says what is wrong and where. A query parameter is named by itself.',
    causes: [
      'A field of the process request is missing or misspelt.',
      'limit is no number from 1 to 1000, or cursor was not handed out by this service.',
    ],
    fix: [
      'Correct what errors names and send the request again.',
      'Take cursors from the Link header as they are.',
    ],
    at: [],
    example: {
      bad: `GET /v1/data-import/all-account-import-processes/LEVANTE/?limit=5000
→ 400 request_failed_validation, with max_value at limit`,
      good: `GET /v1/data-import/all-account-import-processes/LEVANTE/?limit=1000
→ 200`,
    },
    related: ['account_failed_validation', 'required', 'max_value'],
  },
  import_supplier_does_not_exist: {
    means:
      'Your organisation has no import supplier with this code. Suppliers of other organisations do not exist for you.',
    causes: [
      'The code differs in case or blanks; it is compared exactly.',
      'The supplier was not created yet, or the key belongs to another organisation or environment.',
    ],
    fix: [
      'Compare the code with what the operator created.',
      'Check that API key and base address belong to the same environment.',
      'Ask the operator to create the supplier.',
    ],
    at: ['import_supplier', 'import_supplier_code'],
    example: {
      bad: `${stage}
{"import_supplier": "Levante", "external_account_number": "LEV-E-000456", …}
→ 400 account_failed_validation, with import_supplier_does_not_exist at import_supplier`,
      good: `${stage}
{"import_supplier": "LEVANTE", "external_account_number": "LEV-E-000456", …}
→ 201`,
    },
    related: ['not_found', 'import_supplier_migration_not_ongoing'],
  },
  import_supplier_migration_not_ongoing: {
    means:
      'The operator has paused the migration of this supplier, or declared it complete. On validate it is a warning only.',
    causes: [
      'The migration waits for a go-ahead, or has ended.',
      'A job of a finished migration still runs.',
    ],
    fix: [
      'Ask the operator whether the supplier is to be set to ongoing again.',
      'Go on validating meanwhile: that works while it is paused.',
    ],
    at: ['import_supplier'],
    example: {
      bad: `${stage}
{"import_supplier": "LEVANTE", …}   while the supplier is paused
→ 400 import_supplier_migration_not_ongoing`,
      good: `${stage}
{"import_supplier": "LEVANTE", …}   after account-import supplier set-status LEVANTE ongoing
→ 201`,
    },
    related: ['import_supplier_does_not_exist', 'account_marked_to_skip'],
  },
  account_already_imported: {
    means:
      'The account of this supplier and number exists on the platform; the answer names its platform account number. On validate it is a warning only.',
    causes: [
      'The answer to an earlier process request got lost, and it was repeated.',
      'Two jobs work on the same accounts.',
    ],
    fix: [
      'Take platform_account_number from the answer: nothing is left to do.',
      'Add data with the post-import requests.',
    ],
    at: ['external_account_number'],
    example: {
      bad: `${process}
{"import_supplier_code": "LEVANTE", "external_account_number": "LEV-E-000456", …}   a second time
→ 400 account_already_imported`,
      good: `GET /v1/data-import/account-transfer-status/LEVANTE/LEV-E-000456/
→ 200`,
    },
    related: ['account_import_in_progress', 'import_process_does_not_exist'],
  },
  account_import_in_progress: {
    means:
      'The account is being created at this moment, so it can be neither staged nor processed by another request. On validate it is a warning only.',
    causes: [
      'Two workers took the same account.',
      'A process that crashed keeps its claim until that expires, a minute by default.',
    ],
    fix: [
      'Wait as long as Retry-After says, or a minute.',
      'Ask for the transfer status; if it is COMPLETED nothing is left to do, else send the request again.',
    ],
    at: ['external_account_number'],
    example: {
      bad: `${process}
{"external_account_number": "LEV-E-000456", …}   while another worker creates it
→ 429 account_import_in_progress, Retry-After: 12`,
      good: `GET /v1/data-import/account-transfer-status/LEVANTE/LEV-E-000456/
→ 200`,
    },
    related: ['account_already_imported', 'concurrency_limit_reached'],
  },
  account_marked_to_skip: {
    means: 'The operator marked this account not to be imported. On validate it is a warning only.',
    causes: ['The account is in dispute, belongs to another system, or is migrated by hand.'],
    fix: [
      'Leave it out of the job.',
      'If it should be imported, ask the operator: account-import skip SUPPLIER NUMBER --undo.',
    ],
    at: ['external_account_number'],
    example: {
      bad: `${stage}
{"external_account_number": "LEV-E-000999", …}
→ 400 account_marked_to_skip`,
      good: `${stage}
{"external_account_number": "LEV-E-000999", …}   after account-import skip LEVANTE LEV-E-000999 --undo
→ 201`,
    },
    related: ['import_supplier_migration_not_ongoing'],
  },
  import_process_does_not_exist: {
    means: 'Nothing is staged, and no account exists, for this supplier and external account number.',
    causes: [
      'Staging was refused and the failure overlooked.',
      'The number is written differently: case, accents and blanks at the end count.',
    ],
    fix: [
      'Look at the answer to the staging of this account.',
      'Compare the number exactly, and percent-encode it in paths.',
      'Stage the account, then process it.',
    ],
    at: [],
    example: {
      bad: `${process}
{"import_supplier_code": "LEVANTE", "external_account_number": "lev-e-000456", …}
→ 400 import_process_does_not_exist`,
      good: `${process}
{"import_supplier_code": "LEVANTE", "external_account_number": "LEV-E-000456", …}
→ 201`,
    },
    related: ['account_not_found', 'not_found', 'account_failed_validation'],
  },
  operations_team_name_does_not_exist: {
    means: 'There is no operations team of this name, so the account could not be created. It stays staged.',
    causes: [
      'The name is misspelt; it is compared exactly.',
      'The team exists in the test environment only.',
    ],
    fix: [
      'Ask the operator for the exact name (account-import team list), or to create the team.',
      'Send the same request with it; staging need not be repeated.',
    ],
    at: [],
    example: {
      bad: `${process}
{"operations_team_name": "migration team", …}
→ 400 operations_team_name_does_not_exist`,
      good: `${process}
{"operations_team_name": "Migration team", …}
→ 201`,
    },
    related: ['import_supplier_does_not_exist'],
  },
  dry_run_succeeded: {
    means:
      'This is good news: the account would be created. Because dry_run was true, everything was rolled back.',
    causes: ['The request asked for a dry run.'],
    fix: ['Nothing is wrong. To import the account, send the request again without dry_run.'],
    at: [],
    example: {
      bad: `${process}
{"external_account_number": "LEV-E-000456", "dry_run": true, …}
→ 400 dry_run_succeeded`,
      good: `${process}
{"external_account_number": "LEV-E-000456", …}
→ 201`,
    },
    related: ['account_failed_validation'],
  },
  concurrency_limit_reached: {
    means: 'The service is creating as many accounts at once as the operator allows.',
    causes: ['More workers run than the limit has places.'],
    fix: [
      'Wait as long as Retry-After says and send the request again.',
      'Run fewer workers, or ask the operator to raise PROCESSING_CONCURRENCY_LIMIT.',
    ],
    at: [],
    example: {
      bad: `${process}   with 40 workers and a limit of 20
→ 429 concurrency_limit_reached, Retry-After: 2`,
      good: `${process}   two seconds later
→ 201`,
    },
    related: ['account_import_in_progress', 'throttled'],
  },
  market_rules_not_available: {
    means:
      'The settings of the supplier name a market whose rules this service is not set up with. The account was validated by all other rules.',
    causes: [
      'The service was started without a market pack that it had when the supplier was configured.',
      'Servers of one service are set up with different market packs.',
    ],
    fix: [
      'The operator starts the service with the market pack, or takes the market from the supplier: account-import supplier configure SUPPLIER --market ES.',
      'Send the account again if the rules of the market matter.',
    ],
    at: ['empty: the payload itself'],
    example: {
      bad: `POST /v1/data-import/validate-account/ for a supplier with the market PT, of which the service has no pack
→ 200, with market_rules_not_available in Import-Warnings`,
      good: `POST /v1/data-import/validate-account/ when the service is set up with it
→ 200`,
    },
    related: ['import_supplier_does_not_exist', 'unknown_field'],
  },
} satisfies Guides
