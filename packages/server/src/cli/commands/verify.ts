import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import type { VerifyScope } from '../../service/verify-database.js'
import type { CliContext, JsonOption } from '../cli-io.js'
import type { CommandResult } from '../command-result.js'
import { configured } from '../configured.js'
import { leafCommand } from '../leaf-command.js'
import { operatorRefusal } from '../operate.js'
import { breakFormats } from '../output/breaks.js'
import { printBreaks } from '../print-breaks.js'

type Options = JsonOption & Readonly<{ supplier?: string; organisation?: string }>

const scopeOf = ({ supplier, organisation }: Options): VerifyScope => ({
  ...(supplier !== undefined && { importSupplier: supplier }),
  ...(organisation !== undefined && { organisation }),
})

const nothingThere = ({ supplier, organisation }: Options): CommandResult => {
  if (supplier !== undefined)
    return E.left(operatorRefusal({ _tag: 'DoesNotExist', subject: 'import supplier', name: supplier }))
  if (organisation !== undefined)
    return E.left(operatorRefusal({ _tag: 'DoesNotExist', subject: 'organisation', name: organisation }))
  return E.right({
    json: { breaks: [], suppliers: 0, imports: 0, accounts: 0, emails: 0, rows: 0 },
    message: 'There is no import supplier, and nothing to look at.',
  })
}

const run = async ({ io, finish, end }: CliContext, options: Options): Promise<void> => {
  const config = configured(io, 'operate')
  if (config._tag === 'Left') return finish(config, options)
  const format = options.json === true ? breakFormats.document : breakFormats.lines
  const { verifyDatabase } = await import('../../service/verify-database.js')
  const code = await printBreaks(io, format, (onVerified) =>
    verifyDatabase(config.right, scopeOf(options), onVerified),
  )
  if (code === undefined) finish(nothingThere(options), options)
  else end(code)
}

const about = `Compare all data of the database with each other: imports, staged data, accounts, their rows, sums, outbox.
Changes nothing, and may run beside servers: a mismatch is read again on a snapshot before it is printed. Prints a line for each
inconsistency (kind, organisation, supplier, external and platform number, table), and exits with 1 if there is one.`

/** `verify [--supplier CODE] [--organisation CODE]` */
export const verifyCommand = (context: CliContext): Command =>
  leafCommand('verify', about)
    .summary('Compare all data of the database with each other, and list inconsistencies.')
    .option('--supplier <code>', 'only data of this import supplier')
    .option('--organisation <code>', 'only data of this organisation')
    .action((options: Options) => run(context, options))
