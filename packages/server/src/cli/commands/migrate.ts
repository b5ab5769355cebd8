import { Option, type Command } from 'commander'
import { E } from '@account-import/core/adapter-kit'
import { migrateDatabase, migrationsOf, rollbackDatabase } from '../../service/migrations.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import type { CommandOutput } from '../command-result.js'
import { configured } from '../configured.js'
import { leafCommand } from '../leaf-command.js'
import type { ServerConfig } from '../../config/server-config.js'

type Options = JsonOption & Readonly<{ status?: true; rollback?: true }>

const named = (title: string, names: readonly string[], none: string): string =>
  names.length === 0 ? none : [title, ...names.map((name) => `  ${name}`)].join('\n')

const status = async (config: ServerConfig): Promise<CommandOutput> => {
  const { done, pending } = await migrationsOf(config)
  return {
    json: { applied: done, pending },
    text: [
      named('Applied:', done, 'No migration is applied.'),
      named('Pending:', pending, 'No migration is pending.'),
    ].join('\n'),
  }
}

const rollback = async (config: ServerConfig): Promise<CommandOutput> => {
  const names = await rollbackDatabase(config)
  return {
    json: { rolled_back: names },
    text: named('Rolled back:', names, 'There is nothing to roll back.'),
  }
}

const apply = async (config: ServerConfig): Promise<CommandOutput> => {
  const names = await migrateDatabase(config)
  return {
    json: { applied: names },
    text: named('Applied:', names, 'The database is up to date already.'),
  }
}

/** `migrate [--status | --rollback]` */
export const migrateCommand = ({ io, finish }: CliContext): Command =>
  leafCommand('migrate', 'Bring the tables of the database to this version.')
    .addOption(new Option('--status', 'only show what is applied and what is pending').conflicts('rollback'))
    .option('--rollback', 'undo the migrations of the last run; data in dropped tables is lost')
    .action(async (options: Options) => {
      const config = configured(io, 'operate')
      if (config._tag === 'Left') return finish(config, options)
      const action = options.status === true ? status : options.rollback === true ? rollback : apply
      finish(E.right(await action(config.right)), options)
    })
