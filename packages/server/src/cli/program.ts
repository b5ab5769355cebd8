import { Command } from 'commander'
import type { CliContext } from './cli-context.js'
import { accountCommand } from './commands/account.js'
import { apiKeyCommand } from './commands/api-key.js'
import { documentsCommand } from './commands/documents.js'
import { importCommand, stageCommand } from './commands/import.js'
import { migrateCommand } from './commands/migrate.js'
import { outboxCommand } from './commands/outbox.js'
import { organisationCommand } from './commands/organisation.js'
import { processCommand } from './commands/process.js'
import { serveCommand } from './commands/serve.js'
import { skipCommand } from './commands/skip.js'
import { statusCommand } from './commands/status.js'
import { supplierCommand } from './commands/supplier.js'
import { teamCommand } from './commands/team.js'
import { validateCommand } from './commands/validate.js'
import { packageVersion } from '../package-version.js'

const about = `Runs the customer account import service and operates it.
Configuration comes from environment variables; without any, everything is kept in ./data.`

const exitCodes = `
Exit codes: 0 done, 1 the data has failures, 2 wrong usage or refused, 3 environment (database, network, files),
130 and 143 stopped by SIGINT and SIGTERM.`

/** All commands, built anew for each run because Commander keeps what it parsed. */
export const makeProgram = (context: CliContext): Command =>
  [
    serveCommand,
    migrateCommand,
    organisationCommand,
    supplierCommand,
    accountCommand,
    documentsCommand,
    teamCommand,
    apiKeyCommand,
    skipCommand,
    outboxCommand,
    validateCommand,
    importCommand,
    stageCommand,
    processCommand,
    statusCommand,
  ].reduce(
    (program, make) => program.addCommand(make(context)),
    new Command('account-import')
      .description(about)
      .version(packageVersion())
      .addHelpText('after', exitCodes)
      .showHelpAfterError('(add --help for the usage)'),
  )
