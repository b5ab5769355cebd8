/** Why the service cannot be opened. */
export type StartFailureCode =
  | 'configuration_not_valid'
  | 'no_data'
  | 'data_folder_not_usable'
  | 'signing_key_not_usable'
  | 'audit_key_not_usable'
  | 'encryption_key_missing'
  | 'database_unavailable'
  | 'database_fault'
  | 'database_of_unreleased_build'
  | 'migrations_pending'
  | 'migrations_locked'
  | 'migrations_of_later_version'
  | 'document_storage_not_usable'
  | 'address_not_usable'

/**
 * The service cannot be opened as configured. The message is for people, says what to do, and holds no secret;
 * `cause` is what the system said.
 */
export class StartError extends Error {
  readonly code: StartFailureCode

  constructor(code: StartFailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StartError'
    this.code = code
  }
}
