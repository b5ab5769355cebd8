/** Fields that a response repeats from its request. Other fields of the response report changes. */
const repeated = `
  amount bill_period_from_date bill_period_to_date body end_date gross_amount issued_date ledger_code
  line_items net_amount note number number_of_units payment_type price_per_unit product_code rate rate_band
  reference start_date statement_id statement_path tax_items tax_type transaction_id type
  unit_type units value_taxed
`

const meanings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    repeated
      .trim()
      .split(/\s+/)
      .map((name) => [name, 'Repeats the field of the request, or of the item in the request.']),
  ),
  account_created_at: 'Time at which the account was created, in UTC; null until then.',
  accounts:
    'Accounts that can be undone, or were undone, in the order of the request; of a source file the number of its accounts, null where it is unknown.',
  additions: 'Number of additions to the account since it was created.',
  attempts: 'Number of attempts to process the account.',
  attr: 'Place of the fault: names and zero-based indexes joined by dots; empty for the whole payload.',
  balances: 'Balances of the ledgers, added up by ledger code.',
  code: 'Stable name of the fault.',
  column: 'Place in the line, counted from 1.',
  confirmation_code: 'Code that confirms exactly this undo; valid for 15 minutes.',
  count: 'Number of accounts that have the fault, or of the amounts in a sum.',
  counts: 'Numbers of accounts of the run; a run that is finished keeps those of its end in lists.',
  created: 'Number of accounts or imports that were created; of a run including undone accounts.',
  created_at: 'Time of the note on the account, in UTC.',
  data: 'Answer to the mutation, by the names of fields in the document.',
  detail: 'Text for people; it may change, and never contains a value of the payload.',
  digest: 'First 32 hexadecimal digits of a SHA-256 over the account, or over one value of it.',
  dismissed: 'Number of failures that were open until now.',
  display_note: 'Text that the customer sees; it names the original day of a transaction that was moved.',
  duration_seconds:
    'Seconds from the beginning of the run to its end, to now while it is running, otherwise to its latest request.',
  error: 'Body of the refusal, as for a request with this account alone; absent on success.',
  error_detail: 'Text for people about the transaction that failed.',
  errors: 'Faults, one by one or the most frequent first; empty where the refusal is not about fields.',
  expires_at: 'Time until which the preview can be confirmed, in UTC.',
  expiresAt: 'Time at which the token expires, in UTC.',
  extensions: 'Facts about the fault, for programs.',
  external_account_number: "Number of the account in the supplier's old system.",
  failed: 'Number of accounts that failed, or were refused by step.',
  failed_at: 'Time of the last refusal of the account, in UTC.',
  failures_removed_at:
    'Time at which the failures of the run were removed, in UTC; null while they are kept.',
  field: 'Path of the field for all items of its lists; empty where the fault is not about a field.',
  fields: 'A digest for each value of the account.',
  finished_at: 'Time at which the run was finished, in UTC; null until then.',
  id: 'Id of the import run, for the header Import-Run.',
  import_run: 'Id of the import run.',
  import_suppliers: 'Import suppliers of the organisation, each with its status.',
  import_supplier: 'Code of the supplier that the account comes from.',
  in_progress: 'Number of imports whose account is being created.',
  kept: 'Accounts that are kept, each with its reason.',
  label: 'Text for people that identifies the run; null without one.',
  latest_error: 'Failure of the last attempt to process; absent without one.',
  latest_at: 'Time at which an account of the run was last undone, in UTC; null without any.',
  latest_by: 'API key that last undid an account of the run; null without any.',
  latest_request_at: 'Time of the latest request that named the run, in UTC, to the minute.',
  latest_progress_at:
    'Time at which an account was last accepted or finally refused, in UTC, to 5 seconds; the time at which the run was opened, or continued after an interruption, if that is later.',
  line: 'Number of a line, counted from 1: of the request, of the source of a run, or of the answer if accounts come from staged data.',
  locations: 'Positions of the fault in the document.',
  message: 'Text for people; it may change.',
  name: 'Name of the file without folders.',
  notes: 'Number of notes.',
  obtainToken: 'Token, or null where there is none.',
  occurred_at: 'Time of the failure, in UTC.',
  operations_teams: 'Names of the operations teams that are open to the organisation.',
  organisation: 'Code of the organisation that owns the API key.',
  operationName: 'Name of the operation to run, if the document has several.',
  path: 'Names and indexes that lead to the part of the answer that failed, or to a value of an account.',
  platform_account_number: 'Number of the created account on the platform; empty or null until there is one.',
  process: 'Number of accounts that were refused in processing.',
  query: 'Document of GraphQL with the mutation.',
  received: 'Number of accounts that the request had.',
  refreshExpiresAt: 'Time at which the refresh token expires, in UTC.',
  refreshToken: 'Secret that can be exchanged once for a new token.',
  reason: 'Why an account is kept; of a transaction the reason of the request.',
  refused: 'Number of accounts and unreadable lines that were refused, and not accepted since.',
  request_id: 'Id of the request in the log of the service.',
  results: 'Result of each transaction, in the order of the request.',
  retryAfterSeconds: 'Seconds to wait before the next attempt.',
  same_data:
    'Whether the account was created from the data that was sent, or that is staged; absent for an erased account.',
  scopes: 'Scopes of the token.',
  sha256: 'SHA-256 of the bytes of the file, as hexadecimal digits.',
  skipped: 'Number of imports that the operator marked to be skipped.',
  source: 'Source file of the run; null where none was named.',
  stage: 'Number of accounts that were refused in staging.',
  staged:
    'Number of imports with staged data and no account; of a run all accounts that it staged last, also created and undone ones.',
  started_at: 'Time at which the run was opened, in UTC.',
  started_by: 'API key that opened the run.',
  staging:
    'Outcome that staging the valid account would have now: created, replaced, or the code of the refusal.',
  state:
    'Whether the account is created or only staged; of a run whether it is running, interrupted, finished, undone or partly undone.',
  statements: 'Accepted statements of the request; in a digest, the number of statements.',
  status: 'Outcome: the HTTP status of a line, or else one of the listed names.',
  step: 'Step in which the account was refused.',
  sum: 'Sum of the amounts in euros, with two decimals.',
  summary: 'Counts over all lines, in the last line of the answer.',
  supply_points: 'Number of supply points.',
  times: 'How many values of the account have the fault.',
  token: 'Secret for the header Authorization of requests.',
  total: 'Number of all imports of the supplier.',
  transactions: 'Amounts of the transactions, added up by type.',
  transaction_data: 'Transaction as it was read, its amount as text with two decimals.',
  transaction_date: 'Day of the transaction; where it was moved into the open statement period, the new one.',
  undone: 'Accounts that the run created and that were undone since.',
  updated: 'Number of accounts whose staged data was replaced.',
  valid: 'Number of accounts that are valid.',
  variables: 'Values of the variables of the document.',
  warnings: 'Number of warnings; absent without any.',
}

/** The meaning of a field of an answer, by its name. Throws for a name that has none. */
const answerMeaning = (name: string): string => {
  const meaning = meanings[name]
  if (meaning === undefined) throw new Error(`No meaning of the field ${name} of an answer`)
  return meaning
}

/** Schemas of an object's fields with their meanings. */
export const withMeanings = <Schemas extends Readonly<Record<string, object>>>(
  schemas: Schemas,
): Readonly<Record<keyof Schemas, object>> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { description: answerMeaning(name), ...schema }]),
  ) as Record<keyof Schemas, object>
