import type { OperatorRefusal } from '@account-import/core'
import type { CommandError } from './command-error.js'
import { exitCode } from './exit-code.js'
import { typed } from '../program-name.js'

/** What to type to see or make each kind of thing that a command may name. */
const commands: Readonly<Record<string, Readonly<{ list: string; create?: string }>>> = {
  organisation: { list: 'organisation list', create: 'organisation create' },
  'import supplier': { list: 'supplier list', create: 'supplier create' },
  'operations team': { list: 'team list', create: 'team create' },
  'e-mail': { list: 'outbox list' },
  'API key': { list: 'api-key list', create: 'api-key create' },
}

const listHint = (subject: string): string => {
  const command = commands[subject]
  return command === undefined ? '' : ` To see what there is: ${typed(command.list)}`
}

const refused = (code: string, detail: string): CommandError => ({
  exitCode: exitCode.refused,
  code,
  detail,
})

const rootText = (root: string): string => (root === '' ? '(the bucket itself)' : root)

/** The operator's refusals in words that say what to do. */
export const operatorRefusal = (refusal: OperatorRefusal): CommandError => {
  switch (refusal._tag) {
    case 'AlreadyExists':
      return refused(
        'already_exists',
        `The ${refusal.subject} ${refusal.name} exists already; nothing was changed.${listHint(refusal.subject)}`,
      )
    case 'DoesNotExist':
      return refused(
        'does_not_exist',
        `There is no ${refusal.subject} ${refusal.name}.${listHint(refusal.subject)}`,
      )
    case 'InputNotValid':
      return {
        ...refused('input_not_valid', 'The input is not valid; nothing was changed:'),
        errors: refusal.errors,
      }
    case 'DocumentRootTaken':
      return refused(
        'document_root_taken',
        `The document root ${rootText(refusal.documentRoot)} meets ${rootText(refusal.otherRoot)}, the root of import` +
          ` supplier ${refusal.importSupplier}, which is of another organisation; nothing was changed. Give one of them another` +
          ' root by --document-root: neither may be the same as the other or lie in it.' +
          listHint('import supplier'),
      )
    case 'ApiKeyHasEnded':
      return refused(
        'api_key_has_ended',
        `The API key ${refusal.id} is revoked or expired; nothing was changed. Make a new one with: ${typed('api-key create')}`,
      )
    case 'AccountIsImported':
      return refused(
        'account_is_imported',
        'The account was imported already, so it cannot be skipped; nothing was changed.',
      )
    case 'EmailIsSent':
      return refused('email_is_sent', 'The e-mail was sent already; nothing was changed.')
    case 'EmailIsBeingSent':
      return refused(
        'email_is_being_sent',
        'The e-mail is being sent right now; nothing was changed. Look again in a minute.',
      )
    case 'AccountImportInProgress':
      return refused(
        'account_import_in_progress',
        'The account is being created right now; nothing was changed. Try again in a minute.',
      )
  }
}
