import { type CliIo, commands, type ExitCode, type Program, runCli } from '@account-import/cli/kit'
import { StartError } from '../start-error.js'
import { startFailure } from './start-failure.js'

/** The program of the server: its own commands, and those of the tool for migration engineers. */
export const serverProgram: Program = {
  about: `Runs the customer account import service and operates it.
Configuration comes from environment variables; without any, all data is stored in ./data.`,
  failureOf: (cause) => (cause instanceof StartError ? startFailure(cause) : undefined),
  commands: [
    ['serve', 'Run the HTTP server until it gets SIGTERM or SIGINT.', () => import('./commands/serve.js')],
    ['migrate', 'Migrate the tables of the database to this version.', () => import('./commands/migrate.js')],
    [
      'organisation',
      'Clients of the service; they own API keys and import suppliers.',
      () => import('./commands/organisation.js'),
      ['create', 'list', 'disable', 'enable', 'revoke'],
    ],
    [
      'supplier',
      'Import suppliers: groups that migrated accounts belong to.',
      () => import('./commands/supplier.js'),
      ['create', 'set-status', 'configure', 'show', 'list'],
    ],
    ['account', 'Accounts that were created.', () => import('./commands/account.js'), ['show']],
    ['documents', 'Documents of accounts.', () => import('./commands/documents.js'), ['missing']],
    [
      'team',
      'Teams that accounts are created under: for all organisations, or for those they are bound to.',
      () => import('./commands/team.js'),
      ['create', 'list', 'bind', 'unbind'],
    ],
    [
      'api-key',
      'Keys with which an organisation obtains tokens.',
      () => import('./commands/api-key.js'),
      ['create', 'list', 'rotate', 'revoke'],
    ],
    [
      'skip',
      'Mark an account so that it can be neither staged nor processed.',
      () => import('./commands/skip.js'),
    ],
    [
      'export-subject',
      'All data of an account, as one JSON document.',
      async () => ({ make: (await import('./commands/account.js')).makeExportSubject }),
    ],
    [
      'erase',
      'Remove the personal data of an account; keep numbers, dates and amounts.',
      () => import('./commands/erase.js'),
    ],
    [
      'outbox',
      'E-mails to customers about the migration of their account.',
      () => import('./commands/outbox.js'),
      ['list', 'retry'],
    ],
    [
      'webhook',
      'Addresses of an organisation that get messages about its import runs.',
      () => import('./commands/webhook.js'),
      ['add', 'list', 'test', 'rotate', 'remove'],
    ],
    [
      'audit',
      'Audit events: actor, action and time of each change.',
      () => import('./commands/audit.js'),
      ['list', 'verify', 'head'],
    ],
    [
      'encryption',
      'Keys that encrypt personal data.',
      () => import('./commands/encryption.js'),
      ['status', 'rewrap'],
    ],
    [
      'verify',
      'Compare all data of the database with each other, and list inconsistencies.',
      () => import('./commands/verify.js'),
    ],
    ...commands,
  ],
}

/**
 * Runs one command line (without the names of the runtime and the script) and answers its exit code; never ends the process.
 * docs/reference/command-line.md lists the codes.
 */
export const runServerCli = (args: readonly string[], io: CliIo): Promise<ExitCode> =>
  runCli(serverProgram, args, io)
